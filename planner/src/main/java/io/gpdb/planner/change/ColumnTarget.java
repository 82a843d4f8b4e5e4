package io.gpdb.planner.change;

import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.WideDecimal;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Store assignment to one column: numbers are rounded half up and must be in range, strings must
 * fit (blanks beyond the limit are dropped, CHAR is padded), NULL must be allowed. Errors name the
 * column and the row, counted from 1.
 */
public final class ColumnTarget {
  /** In place of a row's number where the value is for no row in particular. */
  static final long NO_ROW = 0;

  private static final long[] POWERS_OF_TEN = powersOfTen();

  private final TableDef table;
  private final ColumnDef column;
  private final SqlTypeSpec type;

  public ColumnTarget(TableDef table, int index) {
    this.table = table;
    this.column = table.column(index);
    this.type = column.type();
  }

  private static long[] powersOfTen() {
    long[] powers = new long[SqlTypeSpec.NARROW_DIGITS_MAX + 1];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }

  public SqlTypeSpec type() {
    return type;
  }

  public boolean nullable() {
    return column.nullable();
  }

  /** Whether every value of the other type is stored as it is. */
  public boolean takesUnchanged(SqlTypeSpec from) {
    if (from.kind() != type.kind()) {
      return false;
    }
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DATE, UUID -> true;
      case DECIMAL -> from.scale() == type.scale() && from.precision() <= type.precision();
      case TIME, TIMESTAMP, TIMESTAMP_TZ -> from.precision() <= type.precision();
      case WIDE_DECIMAL, INTERVAL_MONTHS, INTERVAL_MICROS -> false;
      case VARCHAR, VARBINARY -> type.precision() == SqlTypeSpec.UNBOUNDED;
      case CHAR -> false;
    };
  }

  /** Strings of at most this many bytes are stored as they are; -1 for none. */
  int unchangedBytes() {
    if (type.kind() == Kind.CHAR || type.kind() == Kind.WIDE_DECIMAL) {
      return -1;
    }
    boolean unbounded = type.precision() == SqlTypeSpec.UNBOUNDED || type.kind() == Kind.UUID;
    return unbounded ? Integer.MAX_VALUE : type.precision();
  }

  /** The stored form of a fixed-width value. */
  public long assigned(SqlTypeSpec from, long raw, long row) {
    if (takesUnchanged(from)) {
      return raw;
    }
    return switch (type.kind()) {
      case BOOLEAN, DATE -> raw;
      case TINYINT -> inRange(whole(from, raw, row), Byte.MIN_VALUE, Byte.MAX_VALUE, row);
      case SMALLINT -> inRange(whole(from, raw, row), Short.MIN_VALUE, Short.MAX_VALUE, row);
      case INTEGER -> inRange(whole(from, raw, row), Integer.MIN_VALUE, Integer.MAX_VALUE, row);
      case BIGINT -> whole(from, raw, row);
      case DECIMAL -> decimal(from, raw, row);
      case REAL -> real(from, raw, row);
      case DOUBLE -> Double.doubleToRawLongBits(toDouble(from, raw));
      case TIME -> rounded(raw) % TemporalText.MICROS_PER_DAY;
      case TIMESTAMP -> TemporalText.checkedTimestamp(rounded(raw));
      case TIMESTAMP_TZ -> InstantText.checked(rounded(raw));
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(type).checked(raw);
      case WIDE_DECIMAL, CHAR, VARCHAR, VARBINARY, UUID ->
          throw new IllegalArgumentException(type + " has bytes");
    };
  }

  private long rounded(long micros) {
    long unit = POWERS_OF_TEN[SqlTypeSpec.FRACTION_DIGITS_MAX - type.precision()];
    return unit == 1 ? micros : Math.floorDiv(micros + unit / 2, unit) * unit;
  }

  private long inRange(long value, long least, long greatest, long row) {
    if (value < least || value > greatest) {
      throw outOfRange(Long.toString(value), row);
    }
    return value;
  }

  private long whole(SqlTypeSpec from, long raw, long row) {
    return switch (from.kind()) {
      case REAL, DOUBLE -> {
        double value = toDouble(from, raw);
        double size = Math.floor(Math.abs(value));
        double rounded = Math.copySign(Math.abs(value) - size >= 0.5 ? size + 1 : size, value);
        if (!(rounded >= -0x1p63 && rounded < 0x1p63)) {
          throw outOfRange(Double.toString(value), row);
        }
        yield (long) rounded;
      }
      case DECIMAL -> rescaled(raw, from.scale(), 0);
      default -> raw;
    };
  }

  /** Half up, away from zero; {@code to} is at most {@code from}. */
  private static long rescaled(long raw, int from, int to) {
    long divisor = POWERS_OF_TEN[from - to];
    long quotient = raw / divisor;
    long remainder = Math.abs(raw % divisor);
    return remainder >= divisor - remainder && divisor > 1 ? quotient + Long.signum(raw) : quotient;
  }

  private long decimal(SqlTypeSpec from, long raw, long row) {
    int scale = type.scale();
    long limit = POWERS_OF_TEN[type.precision()];
    if (from.kind() == Kind.REAL || from.kind() == Kind.DOUBLE) {
      return floatingDecimal(from, raw, row);
    }
    int fromScale = from.scale();
    long value;
    if (fromScale >= scale) {
      value = rescaled(raw, fromScale, scale);
    } else {
      long factor = POWERS_OF_TEN[scale - fromScale];
      if (Math.multiplyHigh(raw, factor) != (raw * factor) >> 63) {
        throw outOfRange(BigDecimal.valueOf(raw, fromScale).toPlainString(), row);
      }
      value = raw * factor;
    }
    if (value >= limit || value <= -limit) {
      throw outOfRange(BigDecimal.valueOf(raw, fromScale).toPlainString(), row);
    }
    return value;
  }

  /** The value as it is, digit by digit, as a cast takes it. */
  private long floatingDecimal(SqlTypeSpec from, long raw, long row) {
    double number = toDouble(from, raw);
    if (!Double.isFinite(number)) {
      throw outOfRange(Double.toString(number), row);
    }
    BigDecimal value = new BigDecimal(number).setScale(type.scale(), RoundingMode.HALF_UP);
    if (value.precision() > type.precision() && value.signum() != 0) {
      throw outOfRange(Double.toString(number), row);
    }
    return value.unscaledValue().longValueExact();
  }

  private long real(SqlTypeSpec from, long raw, long row) {
    double value = toDouble(from, raw);
    float narrowed = (float) value;
    if (Float.isInfinite(narrowed) && !Double.isInfinite(value)) {
      throw outOfRange(Double.toString(value), row);
    }
    return Float.floatToRawIntBits(narrowed);
  }

  private static double toDouble(SqlTypeSpec from, long raw) {
    return switch (from.kind()) {
      case REAL -> Float.intBitsToFloat((int) raw);
      case DOUBLE -> Double.longBitsToDouble(raw);
      case DECIMAL -> BigDecimal.valueOf(raw, from.scale()).doubleValue();
      default -> raw;
    };
  }

  /** The stored form of a string: {@code bytes} itself where nothing changes. */
  public byte[] assigned(byte[] bytes, long row) {
    if (type.kind() == Kind.WIDE_DECIMAL) {
      BigDecimal number = WideDecimal.number(bytes, type.scale());
      if (number.precision() > type.precision()) {
        throw outOfRange(number.toPlainString(), row);
      }
      return bytes;
    }
    int limit = type.precision();
    if (limit == SqlTypeSpec.UNBOUNDED || type.kind() == Kind.UUID) {
      return bytes;
    }
    boolean binary = type.kind() == Kind.VARBINARY;
    int length = binary ? bytes.length : characters(bytes);
    if (length > limit) {
      int end = bytes.length;
      while (!binary && length > limit && bytes[end - 1] == ' ') {
        end--;
        length--;
      }
      if (length > limit) {
        throw tooLong(bytes, row);
      }
      return Arrays.copyOf(bytes, end);
    }
    if (type.kind() != Kind.CHAR || length == limit) {
      return bytes;
    }
    byte[] padded = Arrays.copyOf(bytes, bytes.length + limit - length);
    Arrays.fill(padded, bytes.length, padded.length, (byte) ' ');
    return padded;
  }

  /** Characters of UTF-8 text: its bytes that do not continue one. */
  static int characters(byte[] utf8) {
    int count = 0;
    for (byte b : utf8) {
      count += (b & 0xC0) == 0x80 ? 0 : 1;
    }
    return count;
  }

  /** The stored bits of a value of the host, which is not a string. */
  public long assignedObject(SqlTypeSpec from, Object value, long row) {
    if (value instanceof BigDecimal number && number.scale() != from.scale()) {
      if (number.precision() > SqlTypeSpec.NARROW_DIGITS_MAX) {
        return assignedWide(number, row);
      }
      SqlTypeSpec exact =
          SqlTypeSpec.decimal(SqlTypeSpec.NARROW_DIGITS_MAX, Math.max(0, number.scale()));
      return number.scale() > SqlTypeSpec.NARROW_DIGITS_MAX
          ? assignedWide(number, row)
          : assigned(exact, HostValue.raw(exact, number), row);
    }
    return assigned(from, HostValue.raw(from, value), row);
  }

  private long assignedWide(BigDecimal number, long row) {
    if (!type.kind().isExact()) {
      return assigned(SqlTypeSpec.DOUBLE, Double.doubleToRawLongBits(number.doubleValue()), row);
    }
    BigDecimal rounded = number.setScale(type.scale(), RoundingMode.HALF_UP);
    if (rounded.precision() > SqlTypeSpec.NARROW_DIGITS_MAX) {
      throw outOfRange(number.toPlainString(), row);
    }
    return assigned(
        SqlTypeSpec.decimal(SqlTypeSpec.NARROW_DIGITS_MAX, type.scale()),
        rounded.unscaledValue().longValueExact(),
        row);
  }

  public void requireNullable(long row) {
    if (!column.nullable()) {
      throw new GpdbException(
          SqlCondition.NOT_NULL_VIOLATION,
          "column "
              + column.name()
              + " of table "
              + table.name()
              + " is NOT NULL"
              + (column.notNullName() == null ? "" : " (" + column.notNullName() + ")")
              + ": row "
              + row);
    }
  }

  /** The column's new value, computed for it; an error names the column and the row. */
  public @Nullable Object computed(HostExpression expression, HostRow input, long row) {
    try {
      return expression.evaluate(input);
    } catch (GpdbException e) {
      throw new GpdbException(e.code(), e.getMessage() + ": for " + place(row), e);
    }
  }

  private GpdbException outOfRange(String value, long row) {
    return new GpdbException(
        ErrorCode.NUMERIC_OUT_OF_RANGE, "value " + value + " is out of range for " + place(row));
  }

  private GpdbException tooLong(byte[] bytes, long row) {
    String shown = HostCasts.cut(HostCasts.text(HostValue.ofBytes(type, bytes), type));
    return new GpdbException(
        SqlCondition.STRING_TOO_LONG,
        "value '"
            + shown
            + "' of "
            + (type.kind() == Kind.VARBINARY ? bytes.length : characters(bytes))
            + (type.kind() == Kind.VARBINARY ? " bytes" : " characters")
            + " is too long for "
            + place(row));
  }

  private String place(long row) {
    return "column "
        + column.name()
        + " of table "
        + table.name()
        + ", which is "
        + type
        + (row == NO_ROW ? "" : ": row " + row);
  }
}
