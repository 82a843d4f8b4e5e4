package io.gpdb.sql.define;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.SequenceOptions;
import io.gpdb.sql.parser.SequenceOptions.Option;
import io.gpdb.sql.syntax.DeclaredType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.jspecify.annotations.Nullable;

/** Makes the definition of a sequence from the options that are written. */
public final class SequenceDefinition {
  private static final int UNNUMBERED = -1;

  private final ObjectName name;
  private final SequenceOptions options;

  private SequenceDefinition(ObjectName name, SequenceOptions options) {
    this.name = name;
    this.options = options;
  }

  /** CREATE SEQUENCE. */
  static SequenceDef of(ObjectName name, SequenceOptions options) {
    SqlDataTypeSpec written = options.type();
    SqlTypeSpec type = written == null ? SqlTypeSpec.BIGINT : DeclaredType.of(written);
    return new SequenceDefinition(name, options).define(type, false);
  }

  /** The sequence of an identity column of that type. */
  static SequenceDef ofColumn(
      ObjectName table, String column, SqlTypeSpec type, SequenceOptions with) {
    SequenceDefinition definition =
        new SequenceDefinition(
            new ObjectName(table.schema(), table.name() + "_" + column + "_SEQ"), with);
    if (with.type() != null) {
      throw definition.wrong("has the type of its column");
    }
    return definition.define(type, true);
  }

  private SequenceDef define(SqlTypeSpec type, boolean owned) {
    refuse(Option.RESTART, "RESTART is for sequences that exist");
    long increment = number(Option.INCREMENT, 1);
    long least = least(type);
    long greatest = greatest(type);
    long minimum = number(Option.MINVALUE, increment > 0 ? Math.min(1, greatest) : least);
    long maximum = number(Option.MAXVALUE, increment > 0 ? greatest : Math.max(-1, least));
    long start = number(Option.START, increment > 0 ? minimum : maximum);
    SequenceDef made =
        new SequenceDef(
            UNNUMBERED,
            name.schema(),
            name.name(),
            type,
            start,
            increment,
            minimum,
            maximum,
            cycles(false),
            cache(SequenceDef.CACHE_STANDARD),
            UNNUMBERED,
            start,
            owned);
    return checked(made);
  }

  /** ALTER SEQUENCE, or the options of an identity column changed. */
  static SequenceDef altered(SequenceDef old, SequenceOptions options) {
    return new SequenceDefinition(old.fullName(), options).alter(old);
  }

  private SequenceDef alter(SequenceDef old) {
    SqlDataTypeSpec written = options.type();
    if (written != null && old.owned()) {
      throw wrong("has the type of its column");
    }
    SqlTypeSpec type = written == null ? old.type() : DeclaredType.of(written);
    long increment = number(Option.INCREMENT, old.increment());
    long minimum = bound(Option.MINVALUE, old.minimum(), increment > 0 ? 1 : least(type));
    long maximum = bound(Option.MAXVALUE, old.maximum(), increment > 0 ? greatest(type) : -1);
    if (written != null) {
      minimum = options.has(Option.MINVALUE) ? minimum : Math.max(minimum, least(type));
      boolean whole = old.maximum() == greatest(old.type());
      long widest = whole ? greatest(type) : Math.min(maximum, greatest(type));
      maximum = options.has(Option.MAXVALUE) ? maximum : widest;
    }
    SequenceDef changed =
        new SequenceDef(
            old.sequenceId(),
            old.schema(),
            old.name(),
            type,
            number(Option.START, old.start()),
            increment,
            minimum,
            maximum,
            cycles(old.cycles()),
            cache(old.cache()),
            old.stateId(),
            old.first(),
            old.owned());
    if (options.has(Option.RESTART)) {
      changed = changed.restarted(number(Option.RESTART, changed.start()));
    }
    return checked(changed);
  }

  /** A bound that is written, taken away by NO, or as it was. */
  private long bound(Option option, long old, long standard) {
    return options.has(option) ? number(option, standard) : old;
  }

  private SequenceDef checked(SequenceDef made) {
    boolean whole =
        made.type().kind().isInteger() || made.type().kind() == SqlTypeSpec.Kind.DECIMAL;
    if (!whole || made.type().scale() != 0) {
      throw wrong("is of a type of at most 18 digits without a fraction, not " + made.type());
    }
    if (made.increment() == 0) {
      throw wrong("cannot have the increment 0");
    }
    if (made.minimum() < least(made.type()) || made.maximum() > greatest(made.type())) {
      throw wrong("has bounds that its type " + made.type() + " does not hold");
    }
    if (made.minimum() >= made.maximum()) {
      throw wrong("has the minimum " + made.minimum() + " and the maximum " + made.maximum());
    }
    requireIncluded(made, "starts", made.start());
    requireIncluded(made, "starts again", made.first());
    return made;
  }

  private void requireIncluded(SequenceDef made, String verb, long number) {
    if (number < made.minimum() || number > made.maximum()) {
      throw wrong(
          "%s with %d, which is not from %d to %d"
              .formatted(verb, number, made.minimum(), made.maximum()));
    }
  }

  private boolean cycles(boolean old) {
    return options.has(Option.CYCLE) ? options.number(Option.CYCLE) != null : old;
  }

  private int cache(int old) {
    if (!options.has(Option.CACHE)) {
      return old;
    }
    long cache = number(Option.CACHE, 1);
    if (cache < 1 || cache > SequenceDef.CACHE_MAX) {
      throw wrong("has a CACHE from 1 to " + SequenceDef.CACHE_MAX + ", and not " + cache);
    }
    return (int) cache;
  }

  private void refuse(Option option, String message) {
    if (options.has(option)) {
      throw new GpdbException(SqlCondition.SYNTAX, "sequence " + name + ": " + message);
    }
  }

  private long number(Option option, long standard) {
    @Nullable BigDecimal number = options.number(option);
    if (number == null) {
      return standard;
    }
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      throw wrong("cannot have the number " + number.toPlainString());
    }
  }

  private static long least(SqlTypeSpec type) {
    return switch (type.kind()) {
      case TINYINT -> Byte.MIN_VALUE;
      case SMALLINT -> Short.MIN_VALUE;
      case INTEGER -> Integer.MIN_VALUE;
      case DECIMAL -> -greatest(type);
      default -> Long.MIN_VALUE;
    };
  }

  private static long greatest(SqlTypeSpec type) {
    return switch (type.kind()) {
      case TINYINT -> Byte.MAX_VALUE;
      case SMALLINT -> Short.MAX_VALUE;
      case INTEGER -> Integer.MAX_VALUE;
      case DECIMAL ->
          type.precision() > 18
              ? Long.MAX_VALUE
              : BigDecimal.TEN.pow(type.precision()).longValueExact() - 1;
      default -> Long.MAX_VALUE;
    };
  }

  private GpdbException wrong(String what) {
    return new GpdbException(SqlCondition.INVALID_STATEMENT, "sequence " + name + " " + what);
  }
}
