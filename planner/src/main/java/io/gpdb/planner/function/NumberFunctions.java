package io.gpdb.planner.function;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.linq4j.function.Strict;

/**
 * Arithmetic: exact types are checked, decimals rounded half up, floats are Java's. The name's end
 * is the type of the result. No argument is NULL.
 */
@Strict
public final class NumberFunctions {
  private NumberFunctions() {}

  public static long plusLong(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      throw OutOfRange.of(a + " + " + b, "BIGINT");
    }
    return sum;
  }

  public static long minusLong(long a, long b) {
    long difference = a - b;
    if (((a ^ b) & (a ^ difference)) < 0) {
      throw OutOfRange.of(a + " - " + b, "BIGINT");
    }
    return difference;
  }

  public static long timesLong(long a, long b) {
    long product = a * b;
    if (Math.multiplyHigh(a, b) != product >> 63) {
      throw OutOfRange.of(a + " * " + b, "BIGINT");
    }
    return product;
  }

  public static long divideLong(long a, long b) {
    if (b == 0) {
      throw byZero();
    }
    if (a == Long.MIN_VALUE && b == -1) {
      throw OutOfRange.of(a + " / " + b, "BIGINT");
    }
    return a / b;
  }

  public static long remainderLong(long a, long b) {
    if (b == 0) {
      throw byZero();
    }
    return b == -1 ? 0 : a % b;
  }

  public static long bitsOfBoth(long a, long b) {
    return a & b;
  }

  public static long bitsOfEither(long a, long b) {
    return a | b;
  }

  public static long bitsOfOne(long a, long b) {
    return a ^ b;
  }

  /** The greatest number that divides both, 0 of two zeros. */
  public static long greatestDivisor(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = remainderLong(x, y);
      x = y;
      y = rest;
    }
    return absoluteLong(x);
  }

  /** The least positive number that both divide, 0 where one is zero. */
  public static long leastMultiple(long a, long b) {
    return a == 0 || b == 0 ? 0 : absoluteLong(timesLong(a / greatestDivisor(a, b), b));
  }

  public static long negateLong(long a) {
    return minusLong(0, a);
  }

  public static long absoluteLong(long a) {
    return a < 0 ? minusLong(0, a) : a;
  }

  /**
   * The value with 0.0 for -0.0: the two are equal, but Calcite's hashing and sorting distinguishes
   * them.
   */
  public static double unsignedZero(double a) {
    return a + 0.0;
  }

  public static float unsignedZeroReal(float a) {
    return a + 0.0f;
  }

  /**
   * A number whose order is that of the floats: -0.0 equals 0.0, and NaN is equal to itself and
   * greater than all else, where Java's comparisons with NaN are all false.
   */
  public static long floatOrder(double a) {
    long bits = Double.doubleToLongBits(a + 0.0);
    return bits ^ (bits >> 63 & Long.MAX_VALUE);
  }

  public static double plusDouble(double a, double b) {
    return a + b;
  }

  public static double minusDouble(double a, double b) {
    return a - b;
  }

  public static double timesDouble(double a, double b) {
    return a * b;
  }

  public static double divideDouble(double a, double b) {
    if (b == 0) {
      throw byZero();
    }
    return a / b;
  }

  public static double remainderDouble(double a, double b) {
    if (b == 0) {
      throw byZero();
    }
    return a % b;
  }

  public static double negateDouble(double a) {
    return -a;
  }

  public static double absoluteDouble(double a) {
    return Math.abs(a);
  }

  public static double floorDouble(double a) {
    return Math.floor(a);
  }

  public static double ceilDouble(double a) {
    return Math.ceil(a);
  }

  public static double squareRootDouble(double a) {
    return Math.sqrt(a);
  }

  public static float plusReal(float a, float b) {
    return a + b;
  }

  public static float minusReal(float a, float b) {
    return a - b;
  }

  public static float timesReal(float a, float b) {
    return a * b;
  }

  public static float divideReal(float a, float b) {
    if (b == 0) {
      throw byZero();
    }
    return a / b;
  }

  public static float negateReal(float a) {
    return -a;
  }

  public static float absoluteReal(float a) {
    return Math.abs(a);
  }

  public static float floorReal(float a) {
    return (float) Math.floor(a);
  }

  public static float ceilReal(float a) {
    return (float) Math.ceil(a);
  }

  public static byte toTinyint(long a) {
    if ((byte) a != a) {
      throw OutOfRange.of(a, "TINYINT");
    }
    return (byte) a;
  }

  public static short toSmallint(long a) {
    if ((short) a != a) {
      throw OutOfRange.of(a, "SMALLINT");
    }
    return (short) a;
  }

  public static int toInteger(long a) {
    if ((int) a != a) {
      throw OutOfRange.of(a, "INTEGER");
    }
    return (int) a;
  }

  public static BigDecimal decimalOf(long a) {
    return BigDecimal.valueOf(a);
  }

  public static BigDecimal plusDecimal(BigDecimal a, BigDecimal b, int precision, int scale) {
    return scaledDecimal(a.add(b), precision, scale);
  }

  public static BigDecimal minusDecimal(BigDecimal a, BigDecimal b, int precision, int scale) {
    return scaledDecimal(a.subtract(b), precision, scale);
  }

  public static BigDecimal timesDecimal(BigDecimal a, BigDecimal b, int precision, int scale) {
    return scaledDecimal(a.multiply(b), precision, scale);
  }

  public static BigDecimal divideDecimal(BigDecimal a, BigDecimal b, int precision, int scale) {
    if (b.signum() == 0) {
      throw byZero();
    }
    return scaledDecimal(a.divide(b, scale, RoundingMode.HALF_UP), precision, scale);
  }

  public static BigDecimal remainderDecimal(BigDecimal a, BigDecimal b, int precision, int scale) {
    if (b.signum() == 0) {
      throw byZero();
    }
    return scaledDecimal(a.remainder(b), precision, scale);
  }

  public static BigDecimal negateDecimal(BigDecimal a, int precision, int scale) {
    return scaledDecimal(a.negate(), precision, scale);
  }

  public static BigDecimal absoluteDecimal(BigDecimal a, int precision, int scale) {
    return scaledDecimal(a.abs(), precision, scale);
  }

  public static BigDecimal floorDecimal(BigDecimal a, int precision, int scale) {
    return scaledDecimal(a.setScale(0, RoundingMode.FLOOR), precision, scale);
  }

  public static BigDecimal ceilDecimal(BigDecimal a, int precision, int scale) {
    return scaledDecimal(a.setScale(0, RoundingMode.CEILING), precision, scale);
  }

  /** Rounds half up to the scale; raises where the digits do not fit. */
  public static BigDecimal scaledDecimal(BigDecimal a, int precision, int scale) {
    BigDecimal rounded = a.setScale(scale, RoundingMode.HALF_UP);
    if (rounded.precision() > precision) {
      throw OutOfRange.of(a.toPlainString(), "DECIMAL(" + precision + ", " + scale + ")");
    }
    return rounded;
  }

  /** For comparing: the same number with more digits after the point. */
  public static BigDecimal atScale(BigDecimal a, int scale) {
    return a.setScale(scale, RoundingMode.UNNECESSARY);
  }

  /** That of 2 and 10 is exact where it is whole. */
  public static double logarithm(double base, double value) {
    if (base <= 0 || base == 1 || value <= 0) {
      throw new GpdbException(
          ErrorCode.INVALID_ARGUMENT, "there is no LOG(" + base + ", " + value + ")");
    }
    if (base == 10) {
      return Math.log10(value);
    }
    double quotient = Math.log(value) / Math.log(base);
    double whole = Math.rint(quotient);
    return base == 2 && Math.pow(base, whole) == value ? whole : quotient;
  }

  /**
   * The number of the part of a range in which a value is, 0 before it, one more than there are
   * behind it. The range may go down; it begins with its first end and is without the second.
   */
  public static int widthBucket(BigDecimal value, BigDecimal from, BigDecimal to, long parts) {
    BigDecimal width = to.subtract(from);
    if (parts < 1 || parts >= Integer.MAX_VALUE || width.signum() == 0) {
      throw new GpdbException(
          SqlCondition.INVALID_BUCKETS,
          "WIDTH_BUCKET of " + parts + " parts from " + from + " to " + to);
    }
    BigDecimal distance = value.subtract(from);
    if (distance.signum() * width.signum() < 0) {
      return 0;
    }
    return distance.abs().compareTo(width.abs()) >= 0
        ? (int) parts + 1
        : distance.multiply(BigDecimal.valueOf(parts)).divideToIntegralValue(width).intValue() + 1;
  }

  public static int widthBucketOfDoubles(double value, double from, double to, long parts) {
    if (!Double.isFinite(value) || !Double.isFinite(from) || !Double.isFinite(to)) {
      throw new GpdbException(
          SqlCondition.INVALID_BUCKETS, "WIDTH_BUCKET of " + value + " from " + from + " to " + to);
    }
    return widthBucket(new BigDecimal(value), new BigDecimal(from), new BigDecimal(to), parts);
  }

  private static GpdbException byZero() {
    return new GpdbException(SqlCondition.DIVISION_BY_ZERO, "division by zero");
  }
}
