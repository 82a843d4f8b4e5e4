package io.gpdb.planner.query;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;

/** Numbers as the bits that columns hold: whole numbers, digits of decimals, bits of floats. */
final class RawNumbers {
  /** Up to it whole numbers are exact as DOUBLE. */
  static final long EXACT_DOUBLE_MAX = 1L << 53;

  private static final long[] TENS = new long[SqlTypeSpec.NARROW_DIGITS_MAX + 1];

  static {
    TENS[0] = 1;
    for (int i = 1; i < TENS.length; i++) {
      TENS[i] = 10 * TENS[i - 1];
    }
  }

  private RawNumbers() {}

  /** Ten to that power, of up to 18. */
  static long tens(int power) {
    return TENS[power];
  }

  static boolean isFloat(SqlTypeSpec type) {
    return type.kind() == Kind.REAL || type.kind() == Kind.DOUBLE;
  }

  /** Whether other bits are equal to it: those of a zero with a sign, and of NaN. */
  static boolean hasOtherBits(SqlTypeSpec type, long raw) {
    double number = isFloat(type) ? toDouble(type, raw) : 1;
    return raw != 0 && (number == 0 || Double.isNaN(number));
  }

  /** A REAL, or a whole number as one. */
  static float toReal(SqlTypeSpec type, long raw) {
    return type.kind() == Kind.REAL ? Float.intBitsToFloat((int) raw) : raw;
  }

  /** Any number as DOUBLE; of a decimal up to {@link #EXACT_DOUBLE_MAX} it is the nearest. */
  static double toDouble(SqlTypeSpec type, long raw) {
    return switch (type.kind()) {
      case REAL -> Float.intBitsToFloat((int) raw);
      case DOUBLE -> Double.longBitsToDouble(raw);
      case DECIMAL -> (double) raw / tens(type.scale());
      default -> raw;
    };
  }

  /** The quotient, rounded half away from zero. */
  static long dividedHalfUp(long a, long b) {
    long quotient = a / b;
    long rest = Math.abs(a - quotient * b);
    boolean away = rest >= Math.abs(b) - rest;
    return !away ? quotient : (a < 0) == (b < 0) ? quotient + 1 : quotient - 1;
  }

  /** Compares two numbers, of which none or both are floats; NaN is equal to itself, above all. */
  static int compare(SqlTypeSpec aType, long a, SqlTypeSpec bType, long b) {
    if (!isFloat(aType)) {
      return compare(a, aType.scale(), b, bType.scale());
    }
    double x = toDouble(aType, a);
    double y = toDouble(bType, b);
    return x < y ? -1 : x > y ? 1 : Boolean.compare(Double.isNaN(x), Double.isNaN(y));
  }

  private static int compare(long a, int aDigits, long b, int bDigits) {
    if (aDigits > bDigits) {
      return -compare(b, bDigits, a, aDigits);
    }
    long tens = tens(bDigits - aDigits);
    int order = Long.compare(a, Math.floorDiv(b, tens));
    return order == 0 && Math.floorMod(b, tens) > 0 ? -1 : order;
  }
}
