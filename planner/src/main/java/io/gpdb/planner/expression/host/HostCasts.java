package io.gpdb.planner.expression.host;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.function.CastFunctions;
import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.planner.function.TimeFunctions;
import io.gpdb.planner.text.Characters;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.ScalarText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.TextValues;
import io.gpdb.sql.type.UuidText;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** CAST and assignment between types on the host. */
public final class HostCasts {
  /** Characters of a value that messages show. */
  private static final int SHOWN_MAX = 60;

  /** What a floating point number is before it becomes an interval. */
  private static final SqlTypeSpec OF_FLOAT =
      SqlTypeSpec.decimal(SqlTypeSpec.DECIMAL_DIGITS_MAX, SqlTypeSpec.FRACTION_DIGITS_MAX);

  private HostCasts() {}

  /**
   * The value as one of type {@code to}. CAST cuts texts that are too long, and the digits of
   * bytes, but raises for other values, whose digits must not get lost.
   */
  public static Object cast(Object value, SqlTypeSpec from, SqlTypeSpec to) {
    if (value instanceof String text && to.kind() == Kind.UUID) {
      return UuidText.parse(text);
    }
    if (value instanceof String text && to.kind() == Kind.WIDE_DECIMAL) {
      return TextValues.wideDecimal(to, text);
    }
    if (value instanceof String text && !to.kind().isString()) {
      return HostValue.ofRaw(to, TextValues.raw(to, text));
    }
    if (from.kind().isInterval() && to.kind().isNumeric()) {
      IntervalType interval = IntervalType.of(from);
      return cast(interval.number((Long) value), SqlTypeSpec.decimal(19, 0), to);
    }
    return switch (to.kind()) {
      case BOOLEAN -> toBoolean(value);
      case TINYINT, SMALLINT, INTEGER, BIGINT -> toLong(value, to);
      case REAL -> toReal(value, to);
      case DOUBLE -> toDouble(value, to);
      case DECIMAL, WIDE_DECIMAL -> toDecimal(value, to);
      case DATE -> toDate(value, from);
      case TIME -> TimeFunctions.roundedTime(toTime(value, from), to.precision());
      case TIMESTAMP -> TimeFunctions.roundedMicros(toTimestamp(value, from), to.precision());
      case TIMESTAMP_TZ -> TimeFunctions.roundedMicros(toInstant(value, from), to.precision());
      case INTERVAL_MONTHS, INTERVAL_MICROS -> {
        IntervalType interval = IntervalType.of(to);
        yield from.kind().isInterval()
            ? interval.checked((Long) value)
            : interval.ofNumber(exact(value, to));
      }
      case CHAR, VARCHAR -> fitted(text(value, from), from, to);
      case VARBINARY -> HostValue.bytes(value);
      case UUID -> {
        if (from.kind() != Kind.UUID) {
          throw new GpdbException(SqlCondition.TYPE_MISMATCH, from + " cannot be cast to " + to);
        }
        yield value;
      }
    };
  }

  public static HostExpression compile(HostOperands in, RexCall call) throws NotCovered {
    HostExpression inner = in.operands(call).getFirst();
    RelDataType operand = call.getOperands().getFirst().getType();
    if (operand.getSqlTypeName() == SqlTypeName.NULL) {
      return inner;
    }
    SqlTypeSpec from = RexValues.spec(operand);
    SqlTypeSpec to = RexValues.spec(call.getType());
    if (to.kind() == Kind.VARBINARY
        && !from.kind().isCharacter()
        && from.kind() != Kind.VARBINARY) {
      throw new GpdbException(SqlCondition.TYPE_MISMATCH, from + " cannot be cast to " + to);
    }
    Object constant = ofLiteral(call.getOperands().getFirst(), from, to);
    return row -> {
      if (constant != null) {
        return constant;
      }
      Object value = inner.evaluate(row);
      return value == null ? null : cast(value, from, to);
    };
  }

  /** A literal as one of type {@code to}; null where each row is to say what is wrong with it. */
  private static @Nullable Object ofLiteral(RexNode node, SqlTypeSpec from, SqlTypeSpec to)
      throws NotCovered {
    if (!(node instanceof RexLiteral literal) || literal.isNull()) {
      return null;
    }
    try {
      return cast(Objects.requireNonNull(RexValues.literal(literal), "literal"), from, to);
    } catch (GpdbException e) {
      return null;
    }
  }

  private static boolean toBoolean(Object value) {
    return switch (value) {
      case Boolean bool -> bool;
      case Long number -> number != 0;
      case BigDecimal number -> number.signum() != 0;
      case Double number -> number != 0;
      case Float number -> number != 0;
      default -> throw notA(value, SqlTypeSpec.BOOLEAN);
    };
  }

  private static long toLong(Object value, SqlTypeSpec to) {
    long whole =
        switch (value) {
          case Long number -> number;
          case Boolean bool -> bool ? 1 : 0;
          case BigDecimal number -> CastFunctions.decimalToLong(number);
          case Double number -> CastFunctions.doubleToLong(number);
          case Float number -> CastFunctions.doubleToLong(number);
          default -> throw notA(value, to);
        };
    return switch (to.kind()) {
      case TINYINT -> NumberFunctions.toTinyint(whole);
      case SMALLINT -> NumberFunctions.toSmallint(whole);
      case INTEGER -> NumberFunctions.toInteger(whole);
      default -> whole;
    };
  }

  private static float toReal(Object value, SqlTypeSpec to) {
    return switch (value) {
      case Float number -> number;
      case Long number -> number;
      default -> CastFunctions.doubleToReal(toDouble(value, to));
    };
  }

  private static double toDouble(Object value, SqlTypeSpec to) {
    return switch (value) {
      case Number number -> number.doubleValue();
      case Boolean bool -> bool ? 1 : 0;
      default -> throw notA(value, to);
    };
  }

  private static BigDecimal toDecimal(Object value, SqlTypeSpec to) {
    return switch (value) {
      case Double number -> CastFunctions.doubleToDecimal(number, to.precision(), to.scale());
      case Float number -> CastFunctions.doubleToDecimal(number, to.precision(), to.scale());
      case Boolean bool -> toDecimal(bool ? 1L : 0L, to);
      case Long _, BigDecimal _ ->
          NumberFunctions.scaledDecimal(HostValue.exact(value), to.precision(), to.scale());
      default -> throw notA(value, to);
    };
  }

  private static BigDecimal exact(Object value, SqlTypeSpec to) {
    return switch (value) {
      case Long _, BigDecimal _ -> HostValue.exact(value);
      case Double _, Float _ -> toDecimal(value, OF_FLOAT);
      default -> throw notA(value, to);
    };
  }

  private static long toDate(Object value, SqlTypeSpec from) {
    long number = time(value, from);
    return hasDayAndTime(from) ? TimeFunctions.timestampToDate(number) : number;
  }

  /** The value of a date or time; an instant is its timestamp here. */
  private static long time(Object value, SqlTypeSpec from) {
    if (value instanceof Long time && from.kind().isTemporal()) {
      return time;
    }
    if (value instanceof Long instant && from.kind() == Kind.TIMESTAMP_TZ) {
      return InstantText.toLocal(instant);
    }
    throw new GpdbException(SqlCondition.TYPE_MISMATCH, from + " cannot be cast to a date or time");
  }

  private static boolean hasDayAndTime(SqlTypeSpec type) {
    return type.kind() == Kind.TIMESTAMP || type.kind() == Kind.TIMESTAMP_TZ;
  }

  private static long toInstant(Object value, SqlTypeSpec from) {
    return from.kind() == Kind.TIMESTAMP_TZ
        ? (Long) value
        : InstantText.ofLocal(toTimestamp(value, from));
  }

  private static long toTime(Object value, SqlTypeSpec from) {
    long number = time(value, from);
    return hasDayAndTime(from) ? TimeFunctions.timestampToTime(number) : number;
  }

  private static long toTimestamp(Object value, SqlTypeSpec from) {
    long number = time(value, from);
    return from.kind() == Kind.DATE ? TimeFunctions.dateToTimestamp((int) number) : number;
  }

  /** A value as text, as a cast to VARCHAR writes it. */
  public static String text(Object value, SqlTypeSpec from) {
    return switch (from.kind()) {
      case BOOLEAN -> (Boolean) value ? "TRUE" : "FALSE";
      case DATE -> TemporalText.formatDate(Math.toIntExact((Long) value));
      case TIME -> TemporalText.formatTime((Long) value);
      case TIMESTAMP -> TemporalText.formatTimestamp((Long) value);
      case TIMESTAMP_TZ -> InstantText.format((Long) value);
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(from).format((Long) value);
      case DECIMAL, WIDE_DECIMAL -> ((BigDecimal) value).toPlainString();
      case UUID -> UuidText.format((byte[]) value);
      case VARBINARY -> HexFormat.of().formatHex((byte[]) value);
      default -> value.toString();
    };
  }

  /** A value as messages show it. */
  public static String shown(@Nullable Object value, SqlTypeSpec type) {
    if (value == null) {
      return "NULL";
    }
    String cut = cut(text(value, type));
    return type.kind().isNumeric() ? cut : "'" + cut + "'";
  }

  /** As much of a text as messages show. */
  public static String cut(String text) {
    return text.length() > SHOWN_MAX ? Characters.left(text, SHOWN_MAX) + "…" : text;
  }

  private static String fitted(String text, SqlTypeSpec from, SqlTypeSpec to) {
    int max = to.precision();
    if (max == SqlTypeSpec.UNBOUNDED) {
      return text;
    }
    String held =
        from.kind().isCharacter() || from.kind() == Kind.VARBINARY
            ? text
            : Characters.bounded(text, max);
    return to.kind() == Kind.CHAR ? Characters.fixed(held, max) : Characters.cut(held, max);
  }

  private static GpdbException notA(Object value, SqlTypeSpec type) {
    return ScalarText.notA(value.toString(), type.toString());
  }
}
