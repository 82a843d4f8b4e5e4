package io.gpdb.planner.function;

import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.Locale;
import org.apache.calcite.avatica.util.DateTimeUtils;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.linq4j.function.Strict;

/**
 * Functions of dates and times: dates are days, times and timestamps microseconds, intervals months
 * or microseconds. No argument is NULL.
 */
@Strict
public final class TimeFunctions {
  private static final long DAY = TemporalText.MICROS_PER_DAY;

  private TimeFunctions() {}

  /** The number itself, under another type. */
  public static long micros(long micros) {
    return micros;
  }

  public static long roundedMicros(long micros, int digits) {
    return TemporalText.checkedTimestamp(TemporalText.rounded(micros, digits));
  }

  /** The end of the day is the beginning of the next. */
  public static long roundedTime(long micros, int digits) {
    return TemporalText.rounded(micros, digits) % DAY;
  }

  public static long dateToTimestamp(int days) {
    return days * DAY;
  }

  public static int timestampToDate(long micros) {
    return (int) Math.floorDiv(micros, DAY);
  }

  public static long timestampToTime(long micros) {
    return Math.floorMod(micros, DAY);
  }

  public static int datePlusMonths(int days, long months) {
    return TemporalText.checkedDate(plusMonths(days, months));
  }

  public static int datePlusMonthsBack(int days, long months) {
    return datePlusMonths(days, -months);
  }

  public static int datePlusMicros(int days, long micros) {
    return TemporalText.checkedDate(days + Math.floorDiv(micros, DAY));
  }

  public static int datePlusMicrosBack(int days, long micros) {
    return datePlusMicros(days, -micros);
  }

  public static long timePlusMicros(long time, long micros) {
    return Math.floorMod(time + micros % DAY, DAY);
  }

  public static long timePlusMicrosBack(long time, long micros) {
    return timePlusMicros(time, -micros);
  }

  public static long timestampPlusMonths(long micros, long months) {
    long day = Math.floorDiv(micros, DAY);
    int moved = TemporalText.checkedDate(plusMonths(day, months));
    return moved * DAY + Math.floorMod(micros, DAY);
  }

  public static long timestampPlusMonthsBack(long micros, long months) {
    return timestampPlusMonths(micros, -months);
  }

  public static long timestampPlusMicros(long timestamp, long micros) {
    try {
      return TemporalText.checkedTimestamp(Math.addExact(timestamp, micros));
    } catch (ArithmeticException e) {
      throw TemporalText.overflow("TIMESTAMP");
    }
  }

  public static long timestampPlusMicrosBack(long timestamp, long micros) {
    return timestampPlusMicros(timestamp, -micros);
  }

  /**
   * Complete months from one timestamp to another.
   *
   * @param unit of how many months the result is a multiple
   */
  public static long monthsBetween(long later, long earlier, int unit) {
    long months = later < earlier ? -wholeMonths(earlier, later) : wholeMonths(later, earlier);
    return months - months % unit;
  }

  private static long wholeMonths(long later, long earlier) {
    LocalDate from = LocalDate.ofEpochDay(Math.floorDiv(earlier, DAY));
    LocalDate to = LocalDate.ofEpochDay(Math.floorDiv(later, DAY));
    long months = (to.getYear() - from.getYear()) * 12L + to.getMonthValue() - from.getMonthValue();
    boolean complete =
        to.getDayOfMonth() > from.getDayOfMonth()
            || (to.getDayOfMonth() == from.getDayOfMonth()
                && Math.floorMod(later, DAY) >= Math.floorMod(earlier, DAY));
    return complete ? months : months - 1;
  }

  /**
   * The microseconds from one timestamp to another.
   *
   * @param unit of how many microseconds the result is a multiple
   */
  public static long microsBetween(long later, long earlier, long unit) {
    long micros = later - earlier;
    return micros - micros % unit;
  }

  /** EXTRACT from a timestamp. */
  public static long ofTimestamp(String unit, long micros) {
    TimeUnitRange range = TimeUnitRange.valueOf(unit);
    return switch (range) {
      case HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND, NANOSECOND ->
          ofTime(unit, Math.floorMod(micros, DAY));
      case EPOCH -> Math.floorDiv(micros, TemporalText.MICROS_PER_SECOND);
      default -> DateTimeUtils.unixDateExtract(range, Math.floorDiv(micros, DAY));
    };
  }

  /** EXTRACT from a time of the day; fractions of the second count from the minute's start. */
  public static long ofTime(String unit, long micros) {
    long second = TemporalText.MICROS_PER_SECOND;
    return switch (TimeUnitRange.valueOf(unit)) {
      case HOUR -> micros / (3600 * second);
      case MINUTE -> micros / (60 * second) % 60;
      case SECOND -> micros / second % 60;
      case MILLISECOND -> micros / 1000 % 60_000;
      case MICROSECOND -> micros % (60 * second);
      case NANOSECOND -> micros % (60 * second) * 1000;
      case EPOCH -> micros / second;
      default -> throw new GpdbException(ErrorCode.INVALID_ARGUMENT, "a TIME has no " + unit);
    };
  }

  public static long timestampFloor(String unit, long micros) {
    return TemporalText.checkedTimestamp(floor(unit, micros));
  }

  private static long floor(String unit, long micros) {
    TimeUnitRange range = TimeUnitRange.valueOf(unit);
    return switch (range) {
      case MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR ->
          Math.floorDiv(micros, timeUnit(unit)) * timeUnit(unit);
      case DAY -> Math.floorDiv(micros, DAY) * DAY;
      default -> DateTimeUtils.unixDateFloor(range, Math.floorDiv(micros, DAY)) * DAY;
    };
  }

  /** The floor, and one unit more where that is before the time. */
  public static long timestampCeil(String unit, long micros) {
    return TemporalText.checkedTimestamp(ceil(unit, micros));
  }

  private static long ceil(String unit, long micros) {
    long floor = floor(unit, micros);
    if (floor == micros) {
      return micros;
    }
    return switch (TimeUnitRange.valueOf(unit)) {
      case MICROSECOND, MILLISECOND, SECOND, MINUTE, HOUR -> floor + timeUnit(unit);
      case DAY -> floor + DAY;
      case WEEK -> floor + 7 * DAY;
      case MONTH -> timestampPlusMonths(floor, 1);
      case QUARTER -> timestampPlusMonths(floor, 3);
      case YEAR -> timestampPlusMonths(floor, 12);
      case DECADE -> timestampPlusMonths(floor, 120);
      case CENTURY -> timestampPlusMonths(floor, 1200);
      case MILLENNIUM -> timestampPlusMonths(floor, 12_000);
      default -> throw new GpdbException(ErrorCode.NOT_SUPPORTED, "CEIL of a timestamp to " + unit);
    };
  }

  public static int dateFloor(String unit, int days) {
    return TemporalText.checkedDate(Math.floorDiv(floor(unit, dateToTimestamp(days)), DAY));
  }

  public static int dateCeil(String unit, int days) {
    return TemporalText.checkedDate(Math.floorDiv(timestampCeil(unit, dateToTimestamp(days)), DAY));
  }

  public static long timeFloor(String unit, long micros) {
    return micros - micros % timeUnit(unit);
  }

  public static long timeCeil(String unit, long micros) {
    long size = timeUnit(unit);
    return (micros + size - 1) / size * size % DAY;
  }

  private static long timeUnit(String unit) {
    return switch (TimeUnitRange.valueOf(unit)) {
      case HOUR -> 3600 * TemporalText.MICROS_PER_SECOND;
      case MINUTE -> 60 * TemporalText.MICROS_PER_SECOND;
      case SECOND -> TemporalText.MICROS_PER_SECOND;
      case MILLISECOND -> 1000;
      case MICROSECOND -> 1;
      default -> throw new GpdbException(ErrorCode.INVALID_ARGUMENT, "a TIME has no " + unit);
    };
  }

  /** What clocks of a zone show at an instant. */
  public static long atTimeZone(long instant, String zone) {
    return InstantText.toZone(instant, zone);
  }

  public static int lastDay(long micros) {
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(micros, DAY));
    return (int) YearMonth.from(day).atEndOfMonth().toEpochDay();
  }

  public static String dayName(long micros) {
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(micros, DAY));
    return day.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  public static String monthName(long micros) {
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(micros, DAY));
    return day.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
  }

  /** The same day of another month, or that month's last. */
  private static long plusMonths(long day, long months) {
    try {
      return LocalDate.ofEpochDay(day).plusMonths(months).toEpochDay();
    } catch (DateTimeException | ArithmeticException e) {
      throw TemporalText.overflow("DATE");
    }
  }

  /** EXTRACT(SECOND …) with its fraction. */
  public static BigDecimal secondOf(long micros) {
    return BigDecimal.valueOf(
        Math.floorMod(micros, 60 * TemporalText.MICROS_PER_SECOND),
        SqlTypeSpec.FRACTION_DIGITS_MAX);
  }
}
