package io.gpdb.jdbc;

import io.gpdb.storage.ErrorCode;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;

/** Checks of what callers of JDBC pass: what cannot be meant is refused with value and limit. */
final class Arguments {
  /** Beyond it a number of digits is a mistake, which would take memory and time without bound. */
  private static final int SCALE_MAX = 1000;

  private Arguments() {}

  /** The number with that many digits after its point. */
  static BigDecimal scaled(BigDecimal value, int scale) throws SQLException {
    if (scale < 0 || scale > SCALE_MAX) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "scale " + scale + " is not between 0 and " + SCALE_MAX);
    }
    return value.setScale(scale, RoundingMode.HALF_UP);
  }

  static void requireNotNegative(String what, long value) throws SQLException {
    if (value < 0) {
      throw SqlErrors.of(ErrorCode.INVALID_ARGUMENT, what + " " + value + " is below 0");
    }
  }
}
