package io.gpdb.jdbc.value;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.time.DateTimeException;

/** Checks of what callers of JDBC pass: what cannot be meant is refused with value and limit. */
public final class Arguments {
  /** Beyond it a number of digits is a mistake, which would take memory and time without bound. */
  private static final int SCALE_MAX = 1000;

  private static final int LENGTH_MAX = Integer.MAX_VALUE - 8;

  private Arguments() {}

  /** The number with that many digits after its point. */
  public static BigDecimal scaled(BigDecimal value, int scale) throws SQLException {
    if (scale < 0 || scale > SCALE_MAX) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "scale " + scale + " is not between 0 and " + SCALE_MAX);
    }
    if (value.scale() < -SCALE_MAX) {
      throw SqlErrors.of(
          ErrorCode.NUMERIC_OUT_OF_RANGE, "a number above 1E" + SCALE_MAX + " is out of range");
    }
    // Not by setScale, which would compute all the zeros of a tiny number.
    boolean isTiny = (long) value.precision() - value.scale() < -scale - 1L;
    return (isTiny ? BigDecimal.ZERO : value).setScale(scale, RoundingMode.HALF_UP);
  }

  /** Something computed from an argument, which may be of a class of the caller's. */
  public interface Conversion<T> {
    T run() throws SQLException, IOException;
  }

  /** Whatever a conversion throws, as an error of that argument. */
  public static <T> T converted(String what, Conversion<T> conversion) throws SQLException {
    try {
      return conversion.run();
    } catch (IOException e) {
      throw SqlErrors.of(ErrorCode.IO_ERROR, what + " cannot be read: " + e.getMessage(), e);
    } catch (ArithmeticException | DateTimeException e) {
      throw SqlErrors.of(SqlCondition.INVALID_DATETIME, what + " is out of range", e);
    } catch (RuntimeException e) {
      boolean isOverflow = e.getCause() instanceof ArithmeticException;
      throw isOverflow
          ? SqlErrors.of(SqlCondition.INVALID_DATETIME, what + " is out of range", e)
          : SqlErrors.of(ErrorCode.INVALID_ARGUMENT, what + " cannot be used", e);
    }
  }

  /** The length of a stream, which ends in an array. */
  public static int length(long length) throws SQLException {
    requireNotNegative("length", length);
    if (length > LENGTH_MAX) {
      throw SqlErrors.of(ErrorCode.LIMIT_EXCEEDED, "length " + length + " is above " + LENGTH_MAX);
    }
    return (int) length;
  }

  public static void requireNotNegative(String what, long value) throws SQLException {
    if (value < 0) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, what + " " + value + " is below 0");
    }
  }
}
