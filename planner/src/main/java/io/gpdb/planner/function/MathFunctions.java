package io.gpdb.planner.function;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.linq4j.function.Strict;

/**
 * Functions of one or two numbers beyond arithmetic; no argument is NULL. Those of angles, powers
 * and logarithms are {@link Math}'s. ROUND and TRUNCATE take any number of digits after the point,
 * below 0 those before it, and leave NaN and infinities as they are.
 */
@Strict
public final class MathFunctions {
  /** More digits after the point than any double has, or before it. */
  private static final long DIGITS_MAX = 400;

  private MathFunctions() {}

  public static double arcCosine(double a) {
    return Math.acos(a);
  }

  public static double arcSine(double a) {
    return Math.asin(a);
  }

  public static double arcTangent(double a) {
    return Math.atan(a);
  }

  public static double arcTangent(double y, double x) {
    return Math.atan2(y, x);
  }

  public static double cubeRoot(double a) {
    return Math.cbrt(a);
  }

  public static double cosine(double a) {
    return Math.cos(a);
  }

  public static double hyperbolicCosine(double a) {
    return Math.cosh(a);
  }

  public static double cotangent(double a) {
    return 1 / Math.tan(a);
  }

  public static double degrees(double a) {
    return Math.toDegrees(a);
  }

  public static double exponential(double a) {
    return Math.exp(a);
  }

  public static double naturalLogarithm(double a) {
    if (a <= 0) {
      throw new GpdbException(ErrorCode.INVALID_ARGUMENT, "there is no LN(" + a + ")");
    }
    return Math.log(a);
  }

  public static double commonLogarithm(double a) {
    if (a <= 0) {
      throw new GpdbException(ErrorCode.INVALID_ARGUMENT, "there is no LOG10(" + a + ")");
    }
    return Math.log10(a);
  }

  public static double pi() {
    return Math.PI;
  }

  public static double power(double a, double b) {
    return Math.pow(a, b);
  }

  public static double radians(double a) {
    return Math.toRadians(a);
  }

  public static double sine(double a) {
    return Math.sin(a);
  }

  public static double hyperbolicSine(double a) {
    return Math.sinh(a);
  }

  public static double tangent(double a) {
    return Math.tan(a);
  }

  public static double hyperbolicTangent(double a) {
    return Math.tanh(a);
  }

  public static long signLong(long a) {
    return Long.signum(a);
  }

  public static double signDouble(double a) {
    return Math.signum(a);
  }

  public static float signReal(float a) {
    return Math.signum(a);
  }

  public static BigDecimal signDecimal(BigDecimal a, int precision, int scale) {
    return NumberFunctions.scaledDecimal(BigDecimal.valueOf(a.signum()), precision, scale);
  }

  public static long roundLong(long a) {
    return a;
  }

  public static long roundLong(long a, long digits) {
    return rounded(a, digits, RoundingMode.HALF_UP);
  }

  public static double roundDouble(double a) {
    return rounded(a, 0, RoundingMode.HALF_UP);
  }

  public static double roundDouble(double a, long digits) {
    return rounded(a, digits, RoundingMode.HALF_UP);
  }

  public static float roundReal(float a) {
    return (float) rounded(a, 0, RoundingMode.HALF_UP);
  }

  public static float roundReal(float a, long digits) {
    return (float) rounded(a, digits, RoundingMode.HALF_UP);
  }

  public static BigDecimal roundDecimal(BigDecimal a, int precision, int scale) {
    return roundDecimal(a, 0, precision, scale);
  }

  public static BigDecimal roundDecimal(BigDecimal a, long digits, int precision, int scale) {
    BigDecimal rounded = rounded(a, digits, RoundingMode.HALF_UP);
    return NumberFunctions.scaledDecimal(rounded, precision, scale);
  }

  public static long truncateLong(long a) {
    return a;
  }

  public static long truncateLong(long a, long digits) {
    return rounded(a, digits, RoundingMode.DOWN);
  }

  public static double truncateDouble(double a) {
    return rounded(a, 0, RoundingMode.DOWN);
  }

  public static double truncateDouble(double a, long digits) {
    return rounded(a, digits, RoundingMode.DOWN);
  }

  public static float truncateReal(float a) {
    return (float) rounded(a, 0, RoundingMode.DOWN);
  }

  public static float truncateReal(float a, long digits) {
    return (float) rounded(a, digits, RoundingMode.DOWN);
  }

  public static BigDecimal truncateDecimal(BigDecimal a, int precision, int scale) {
    return truncateDecimal(a, 0, precision, scale);
  }

  public static BigDecimal truncateDecimal(BigDecimal a, long digits, int precision, int scale) {
    BigDecimal cut = rounded(a, digits, RoundingMode.DOWN);
    return NumberFunctions.scaledDecimal(cut, precision, scale);
  }

  private static BigDecimal rounded(BigDecimal a, long digits, RoundingMode mode) {
    int kept = (int) Math.clamp(digits, -DIGITS_MAX, DIGITS_MAX);
    return a.scale() <= kept ? a : a.setScale(kept, mode);
  }

  private static double rounded(double a, long digits, RoundingMode mode) {
    return Double.isFinite(a) ? rounded(BigDecimal.valueOf(a), digits, mode).doubleValue() : a;
  }

  private static long rounded(long a, long digits, RoundingMode mode) {
    BigDecimal rounded = rounded(BigDecimal.valueOf(a), digits, mode);
    try {
      return rounded.longValueExact();
    } catch (ArithmeticException e) {
      throw OutOfRange.of(rounded.toPlainString(), "BIGINT");
    }
  }
}
