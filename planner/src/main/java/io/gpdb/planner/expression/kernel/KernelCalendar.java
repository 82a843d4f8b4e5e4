package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;

/**
 * Days since 1970-01-01 and civil dates in kernels, by eras of 400 years, as the Gregorian calendar
 * has: in an era's years that begin with March the leap day is the last.
 */
final class KernelCalendar {
  private static final long DAYS_PER_ERA = 146_097;
  private static final long DAYS_FROM_MARCH_0000_TO_1970 = 719_468;

  /**
   * A day as its civil date; all i64.
   *
   * @param sinceMarch days since the first of March before
   * @param isLate whether the month is January or February
   */
  record Civil(Reg year, Reg month, Reg day, Reg sinceMarch, Reg isLate) {}

  private KernelCalendar() {}

  static Reg floorDiv(KernelBuilder b, Reg x, long divisor) {
    Reg by = b.integer(x.type(), divisor);
    Reg quotient = b.div(x, by);
    Reg below = b.lt(b.rem(x, by), 0);
    return b.sub(quotient, b.convert(below, x.type()));
  }

  static Reg floorMod(KernelBuilder b, Reg x, long divisor) {
    return b.sub(x, b.mul(floorDiv(b, x, divisor), divisor));
  }

  static Civil civil(KernelBuilder b, Reg epochDay) {
    Reg day = b.add(epochDay, DAYS_FROM_MARCH_0000_TO_1970);
    Reg era = floorDiv(b, day, DAYS_PER_ERA);
    Reg dayOfEra = b.sub(day, b.mul(era, DAYS_PER_ERA));
    Reg yearOfEra =
        b.div(
            b.sub(
                b.add(b.sub(dayOfEra, b.div(dayOfEra, b.i64(1460))), b.div(dayOfEra, b.i64(36524))),
                b.div(dayOfEra, b.i64(146096))),
            b.i64(365));
    Reg sinceMarch = b.sub(dayOfEra, firstOfYear(b, yearOfEra));
    Reg shifted = b.div(b.add(b.mul(sinceMarch, 5), 2), b.i64(153));
    Reg isLate = b.ge(shifted, b.i64(10));
    Reg month = b.select(isLate, b.sub(shifted, 9), b.add(shifted, 3));
    Reg year = b.add(b.add(yearOfEra, b.mul(era, 400)), b.convert(isLate, Type.I64));
    Reg dayOfMonth = b.add(b.sub(sinceMarch, firstOfMonth(b, shifted)), 1);
    return new Civil(year, month, dayOfMonth, sinceMarch, isLate);
  }

  /** Days of an era before one of its years. */
  private static Reg firstOfYear(KernelBuilder b, Reg yearOfEra) {
    return b.sub(
        b.add(b.mul(yearOfEra, 365), b.div(yearOfEra, b.i64(4))), b.div(yearOfEra, b.i64(100)));
  }

  /**
   * Days of a year before one of its months.
   *
   * @param shifted 0 for March
   */
  private static Reg firstOfMonth(KernelBuilder b, Reg shifted) {
    return b.div(b.add(b.mul(shifted, 153), 2), b.i64(5));
  }

  static Reg isLeap(KernelBuilder b, Reg year) {
    Reg fourth = b.eq(floorMod(b, year, 4), 0);
    Reg century = b.eq(floorMod(b, year, 100), 0);
    Reg fourthCentury = b.eq(floorMod(b, year, 400), 0);
    return b.or(b.and(fourth, b.not(century)), fourthCentury);
  }

  /** Days since 1970-01-01. */
  private static Reg epochDay(KernelBuilder b, Reg year, Reg month, Reg day) {
    Reg isLate = b.lt(month, 3);
    Reg fromMarch = b.sub(year, b.convert(isLate, Type.I64));
    Reg era = floorDiv(b, fromMarch, 400);
    Reg yearOfEra = b.sub(fromMarch, b.mul(era, 400));
    Reg shifted = b.select(isLate, b.add(month, 9), b.sub(month, 3));
    Reg sinceMarch = b.add(firstOfMonth(b, shifted), b.sub(day, 1));
    Reg dayOfEra = b.add(firstOfYear(b, yearOfEra), sinceMarch);
    return b.sub(b.add(b.mul(era, DAYS_PER_ERA), dayOfEra), DAYS_FROM_MARCH_0000_TO_1970);
  }

  /** The same day of another month, or that month's last. */
  static Reg plusMonths(KernelBuilder b, Reg epochDay, Reg months) {
    Civil from = civil(b, epochDay);
    Reg all = b.add(b.add(b.mul(from.year, 12), b.sub(from.month, 1)), months);
    Reg year = floorDiv(b, all, 12);
    Reg month = b.add(b.sub(all, b.mul(year, 12)), 1);
    // Up to July odd months are long, later even ones.
    Reg long31 = b.and(b.add(month, b.div(month, b.i64(8))), 1);
    Reg february = b.add(b.convert(isLeap(b, year), Type.I64), 28);
    Reg days = b.select(b.eq(month, 2), february, b.add(long31, 30));
    return epochDay(b, year, month, b.min(from.day, days));
  }
}
