package io.gpdb.sql.parser;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The options of a sequence as they are written, each at most once. */
public final class SequenceOptions {
  /** What can be said of a sequence. */
  public enum Option {
    START,
    INCREMENT,
    MINVALUE,
    MAXVALUE,
    CYCLE,
    CACHE,
    RESTART
  }

  private final Map<Option, BigDecimal> numbers = new EnumMap<>(Option.class);
  private final Set<Option> given = EnumSet.noneOf(Option.class);
  private @Nullable SqlDataTypeSpec type;

  /** An option with its number, or with NO before it where there is none. */
  public void add(Option option, @Nullable BigDecimal number, SqlParserPos position) {
    if (!given.add(option)) {
      throw twice(option.name(), position);
    }
    if (number != null) {
      numbers.put(option, number);
    }
  }

  public void type(SqlDataTypeSpec written) {
    if (type != null) {
      throw twice("AS", written.getParserPosition());
    }
    type = written;
  }

  private static GpdbException twice(String what, SqlParserPos position) {
    return new GpdbException(
        SqlCondition.SYNTAX,
        what
            + " is given twice at line "
            + position.getLineNum()
            + ", column "
            + position.getColumnNum());
  }

  public @Nullable SqlDataTypeSpec type() {
    return type;
  }

  public boolean has(Option option) {
    return given.contains(option);
  }

  /** The number of an option; null where it has none. */
  public @Nullable BigDecimal number(Option option) {
    return numbers.get(option);
  }

  public boolean isEmpty() {
    return given.isEmpty() && type == null;
  }
}
