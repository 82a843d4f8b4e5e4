package io.gpdb.planner.function;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.calcite.linq4j.function.Strict;

/**
 * Functions of intervals, which are months or microseconds. What leaves 64 bits raises 22015. No
 * argument is NULL.
 */
@Strict
public final class IntervalFunctions {
  private IntervalFunctions() {}

  private static GpdbException overflow() {
    return new GpdbException(
        SqlCondition.INTERVAL_OVERFLOW, "the result is out of range for INTERVAL");
  }

  public static long intervalPlus(long a, long b) {
    try {
      return Math.addExact(a, b);
    } catch (ArithmeticException e) {
      throw overflow();
    }
  }

  public static long intervalMinus(long a, long b) {
    try {
      return Math.subtractExact(a, b);
    } catch (ArithmeticException e) {
      throw overflow();
    }
  }

  public static long intervalNegated(long a) {
    return intervalMinus(0, a);
  }

  public static long intervalAbsolute(long a) {
    return a < 0 ? intervalNegated(a) : a;
  }

  /**
   * A multiple of an interval.
   *
   * @param unit of how many months or microseconds the result is a multiple; the rest is cut
   */
  public static long intervalTimes(long interval, BigDecimal number, long unit) {
    return whole(BigDecimal.valueOf(interval).multiply(number), unit);
  }

  public static long intervalTimesDouble(long interval, double number, long unit) {
    return intervalTimes(interval, finite(number), unit);
  }

  /** As {@link #intervalTimes}, of the quotient. */
  public static long intervalDivided(long interval, BigDecimal number, long unit) {
    if (number.signum() == 0) {
      throw new GpdbException(SqlCondition.DIVISION_BY_ZERO, "division by zero");
    }
    return whole(BigDecimal.valueOf(interval).divide(number, 0, RoundingMode.DOWN), unit);
  }

  public static long intervalDividedDouble(long interval, double number, long unit) {
    return intervalDivided(interval, finite(number), unit);
  }

  private static BigDecimal finite(double number) {
    if (!Double.isFinite(number)) {
      throw overflow();
    }
    return new BigDecimal(number);
  }

  private static long whole(BigDecimal value, long unit) {
    BigDecimal cut = value.setScale(0, RoundingMode.DOWN);
    if (cut.unscaledValue().bitLength() >= Long.SIZE) {
      throw overflow();
    }
    return cut.longValue() - cut.longValue() % unit;
  }

  /**
   * A field of an interval.
   *
   * @param unit months or microseconds of one
   * @param values how many values it has, 0 for the first field, which has any
   */
  public static long fieldOfInterval(long interval, long unit, long values) {
    long count = interval / unit;
    return values == 0 ? count : count % values;
  }

  /** The seconds of an interval with their fraction. */
  public static BigDecimal secondsOfInterval(long interval, long unit, long values) {
    long micros = values == 0 ? interval : interval % (unit * values);
    return BigDecimal.valueOf(micros, SqlTypeSpec.FRACTION_DIGITS_MAX);
  }

  public static String intervalToText(long interval, int precision, int scale) {
    return IntervalType.of(precision, scale).format(interval);
  }

  public static long textToInterval(String text, int precision, int scale) {
    return IntervalType.of(precision, scale).parse(text);
  }

  public static long numberToInterval(BigDecimal number, int precision, int scale) {
    return IntervalType.of(precision, scale).ofNumber(number);
  }

  /** The interval at the fields and digits of another type. */
  public static long fittedInterval(long interval, int precision, int scale) {
    return IntervalType.of(precision, scale).checked(interval);
  }

  public static BigDecimal intervalToNumber(long interval, int scale) {
    return IntervalType.of(IntervalType.LEADING_MAX, scale).number(interval);
  }
}
