package io.gpdb.sql.type;

/**
 * The types of what is computed of exact numbers of which one has digits after the point. What is
 * computed of decimals of up to 18 digits has up to 18, but for quotients that would lose digits.
 */
public final class DecimalTypes {
  /** Digits after the point that a product never loses. */
  private static final int PRODUCT_SCALE_MIN = 6;

  /** Digits after the point that quotients have, and averages where there is room. */
  static final int FRACTION_DIGITS_MIN = 6;

  /**
   * Digits that a narrow quotient with more than the fewest after the point may have in all: a sum
   * of a million such has no more than 18.
   */
  private static final int SUMMED_DIGITS_MAX = 12;

  private static final int LONG_DIGITS = 19;

  private DecimalTypes() {}

  /** Digits before the point that values of an exact type may have. */
  public static int wholeDigits(SqlTypeSpec type) {
    return switch (type.kind()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> LONG_DIGITS;
      default -> type.precision() - type.scale();
    };
  }

  private static int digitsMax(SqlTypeSpec a, SqlTypeSpec b) {
    boolean wide =
        a.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL || b.kind() == SqlTypeSpec.Kind.WIDE_DECIMAL;
    return wide ? SqlTypeSpec.DECIMAL_DIGITS_MAX : SqlTypeSpec.NARROW_DIGITS_MAX;
  }

  /** Of both values. */
  public static SqlTypeSpec common(SqlTypeSpec a, SqlTypeSpec b) {
    int scale = Math.max(a.scale(), b.scale());
    int digits = Math.max(wholeDigits(a), wholeDigits(b)) + scale;
    return SqlTypeSpec.decimal(Math.min(digits, SqlTypeSpec.DECIMAL_DIGITS_MAX), scale);
  }

  /** Of the sum and of the difference. */
  public static SqlTypeSpec sum(SqlTypeSpec a, SqlTypeSpec b) {
    int scale = Math.max(a.scale(), b.scale());
    int digits = Math.max(wholeDigits(a), wholeDigits(b)) + scale + 1;
    return SqlTypeSpec.decimal(Math.min(digits, digitsMax(a, b)), scale);
  }

  /**
   * A product has the digits of both after the point where the type's digits hold every product of
   * the two types; else it keeps room before the point, and at least six digits after it.
   */
  public static SqlTypeSpec product(SqlTypeSpec a, SqlTypeSpec b) {
    int whole = wholeDigits(a) + wholeDigits(b);
    int scale = a.scale() + b.scale();
    int digits = digitsMax(a, b);
    if (whole + scale <= digits) {
      return SqlTypeSpec.decimal(whole + scale, scale);
    }
    int kept = Math.max(Math.min(scale, digits - whole), Math.min(scale, PRODUCT_SCALE_MIN));
    return SqlTypeSpec.decimal(digits, kept);
  }

  /**
   * At least six digits after the point, and at least the dividend's. It is wide where 18 digits do
   * not hold these with all that a quotient may have before the point.
   */
  public static SqlTypeSpec quotient(SqlTypeSpec a, SqlTypeSpec b) {
    int whole = wholeDigits(a) + b.scale();
    int least = Math.max(FRACTION_DIGITS_MIN, a.scale());
    // the digits of the least quotient that is not zero
    int all = Math.max(least, a.scale() + wholeDigits(b) + b.scale() + 1);
    int narrowMax = SqlTypeSpec.NARROW_DIGITS_MAX;
    boolean narrow = digitsMax(a, b) == narrowMax && whole + least <= narrowMax;
    int scale = narrow ? (whole + all <= SUMMED_DIGITS_MAX ? all : least) : wideScale(whole, all);
    return SqlTypeSpec.decimal(Math.min(whole + scale, SqlTypeSpec.DECIMAL_DIGITS_MAX), scale);
  }

  /** Those before the point have room first, but for six after it. */
  private static int wideScale(int whole, int wanted) {
    int room = SqlTypeSpec.DECIMAL_DIGITS_MAX - whole;
    return Math.max(FRACTION_DIGITS_MIN, Math.min(wanted, room));
  }
}
