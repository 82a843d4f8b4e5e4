package io.gpdb.planner.statement;

import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The types of numbers that the type of their place does not hold. */
final class WideValues {
  private WideValues() {}

  /** The exact type with the fewest digits that holds the number; null where none does. */
  static @Nullable SqlTypeSpec type(BigDecimal value) {
    if (value.signum() == 0) {
      return SqlTypeSpec.BIGINT;
    }
    long whole = (long) value.precision() - value.scale();
    if (whole > SqlTypeSpec.DECIMAL_DIGITS_MAX) {
      return null;
    }
    BigDecimal digits = value.stripTrailingZeros();
    if (digits.scale() <= 0) {
      BigInteger integer = digits.toBigInteger();
      return integer.bitLength() < Long.SIZE
          ? SqlTypeSpec.BIGINT
          : SqlTypeSpec.decimal(new BigDecimal(integer).precision(), 0);
    }
    int precision = Math.max(digits.precision(), digits.scale());
    return precision > SqlTypeSpec.DECIMAL_DIGITS_MAX
        ? null
        : SqlTypeSpec.decimal(precision, digits.scale());
  }
}
