package io.gpdb.jdbc.value;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.ScalarText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.sql.Types;
import org.jspecify.annotations.Nullable;

/**
 * The types of JDBC that a caller names for a value: the value becomes one of that type before it
 * is brought to the parameter's own.
 */
public final class TargetTypes {
  private TargetTypes() {}

  /** Refuses the types that no value of gpDB has. */
  public static void requireSupported(int type) throws SQLException {
    String name =
        switch (type) {
          case Types.ARRAY -> "ARRAY";
          case Types.DATALINK -> "DATALINK";
          case Types.REF -> "REF";
          case Types.REF_CURSOR -> "REF_CURSOR";
          case Types.ROWID -> "ROWID";
          case Types.STRUCT -> "STRUCT";
          case Types.TIME_WITH_TIMEZONE -> "TIME WITH TIME ZONE";
          default -> null;
        };
    if (name != null) {
      throw SqlErrors.notSupported("a parameter of type " + name);
    }
  }

  /** The number, text or boolean as one of a numeric or boolean type, other values as they are. */
  public static @Nullable Object converted(@Nullable Object value, int type) throws SQLException {
    requireSupported(type);
    return switch (type) {
      case Types.TINYINT -> whole(value, Byte.MIN_VALUE, Byte.MAX_VALUE, "TINYINT");
      case Types.SMALLINT -> whole(value, Short.MIN_VALUE, Short.MAX_VALUE, "SMALLINT");
      case Types.INTEGER -> whole(value, Integer.MIN_VALUE, Integer.MAX_VALUE, "INTEGER");
      case Types.BIGINT -> whole(value, Long.MIN_VALUE, Long.MAX_VALUE, "BIGINT");
      case Types.DECIMAL, Types.NUMERIC -> number(value, "DECIMAL");
      case Types.BIT, Types.BOOLEAN ->
          value instanceof Number number ? decimal(number, "BOOLEAN").signum() != 0 : value;
      default -> value;
    };
  }

  /** Digits after the point are cut, as getters cut them. */
  private static @Nullable Object whole(@Nullable Object value, long least, long most, String type)
      throws SQLException {
    if (value instanceof Boolean flag) {
      return flag ? 1L : 0L;
    }
    if (!(number(value, type) instanceof Number number)) {
      return value;
    }
    BigDecimal given = decimal(number, type);
    BigDecimal cut = isHuge(given) ? given : cut(given);
    if (isHuge(given)
        || cut.compareTo(BigDecimal.valueOf(least)) < 0
        || cut.compareTo(BigDecimal.valueOf(most)) > 0) {
      throw outOfRange(number, type);
    }
    return cut.longValueExact();
  }

  /** Whether the number has more digits than any of 64 bits, which are not to be computed then. */
  static boolean isHuge(BigDecimal value) {
    return value.signum() != 0 && (long) value.precision() - value.scale() > Long.SIZE;
  }

  /** Without digits after the point. */
  static BigDecimal cut(BigDecimal value) {
    // Not by setScale, which would compute all the zeros of a tiny number, or of none.
    boolean isBelowOne = value.signum() == 0 || (long) value.precision() - value.scale() <= 0;
    return isBelowOne ? BigDecimal.ZERO : value.setScale(0, RoundingMode.DOWN);
  }

  /** The number that a text is; other values as they are. */
  private static @Nullable Object number(@Nullable Object value, String type) throws SQLException {
    if (!(value instanceof String text)) {
      return value;
    }
    try {
      return ScalarText.parseNumber(text.strip());
    } catch (NumberFormatException | GpdbException e) {
      throw SqlErrors.of(
          SqlCondition.INVALID_CAST, "'" + text + "' is not a value of type " + type, e);
    }
  }

  /** The number with all of its digits, and those of a binary one as Java prints it. */
  public static BigDecimal decimal(Number number, String type) throws SQLException {
    if (number instanceof BigDecimal decimal) {
      return decimal;
    }
    try {
      return new BigDecimal(String.valueOf(number));
    } catch (NumberFormatException e) {
      throw outOfRange(number, type);
    }
  }

  private static SQLException outOfRange(Number number, String type) {
    return SqlErrors.of(ErrorCode.NUMERIC_OUT_OF_RANGE, number + " is out of the range of " + type);
  }
}
