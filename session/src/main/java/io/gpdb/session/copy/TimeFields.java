package io.gpdb.session.copy;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.storage.error.GpdbException;

/**
 * Dates and times from the bytes of a field: {@code 2001-01-31}, {@code 23:59[:58[.123456]]}, and
 * both with a blank or a T between them. Digits of a second beyond what the type keeps are rounded
 * half up.
 */
final class TimeFields {
  private static final long SECOND = 1_000_000L;
  private static final long DAY = 86_400 * SECOND;
  private static final int YEAR_DIGITS_MAX = 4;

  private TimeFields() {}

  /** Days since 1970-01-01. */
  static int date(byte[] b, int start, int end) {
    int at = NumberFields.firstNonBlank(b, start, end);
    int stop = NumberFields.endOfNonBlank(b, at, end);
    // A timestamp at midnight is a date too; spreadsheets write dates so.
    int space = stop - at > 10 ? at + 10 : stop;
    int days = dateOnly(b, at, space, start, end, "DATE");
    if (space < stop
        && (!isSeparator(b[space]) || time(b, space + 1, stop, start, end, "DATE") != 0)) {
      throw bad("DATE", b, start, end);
    }
    return days;
  }

  /** Microseconds of the day, to the nearest multiple of the unit, half up. */
  static long time(byte[] b, int start, int end, long unit) {
    int at = NumberFields.firstNonBlank(b, start, end);
    long micros = time(b, at, NumberFields.endOfNonBlank(b, at, end), start, end, "TIME");
    long value = rounded(micros, unit);
    if (value >= DAY) {
      throw bad("TIME", b, start, end);
    }
    return value;
  }

  /** Microseconds since 1970-01-01 00:00:00, in no zone; a date alone is its midnight. */
  static long timestamp(byte[] b, int start, int end, long unit) {
    int at = NumberFields.firstNonBlank(b, start, end);
    int stop = NumberFields.endOfNonBlank(b, at, end);
    int space = stop - at > 10 ? at + 10 : stop;
    long micros = dateOnly(b, at, space, start, end, "TIMESTAMP") * DAY;
    if (space == stop) {
      return micros;
    }
    if (!isSeparator(b[space])) {
      throw bad("TIMESTAMP", b, start, end);
    }
    long value = rounded(micros + time(b, space + 1, stop, start, end, "TIMESTAMP"), unit);
    if (value >= TemporalText.TIMESTAMP_END) {
      throw new FieldError(
          SqlCondition.DATETIME_OVERFLOW,
          "'" + FieldError.shown(b, start, end) + "' is beyond the years 1 to 9999");
    }
    return value;
  }

  /** Microseconds in the last place of a second that has this many fractional digits. */
  static long unitMicros(int fractionDigits) {
    long unit = 1;
    for (int i = fractionDigits; i < 6; i++) {
      unit *= 10;
    }
    return unit;
  }

  private static long rounded(long micros, long unit) {
    return unit == 1 ? micros : Math.floorDiv(micros + unit / 2, unit) * unit;
  }

  private static boolean isSeparator(byte b) {
    return b == ' ' || b == 'T';
  }

  private static int dateOnly(
      byte[] b, int at, int stop, int fieldStart, int fieldEnd, String type) {
    if (stop - at != 6 + YEAR_DIGITS_MAX || b[at + 4] != '-' || b[at + 7] != '-') {
      throw bad(type, b, fieldStart, fieldEnd);
    }
    int year = digits(b, at) * 100 + digits(b, at + 2);
    int month = digits(b, at + 5);
    int day = digits(b, at + 8);
    boolean notDigits = digits(b, at) < 0 || digits(b, at + 2) < 0;
    if (notDigits
        || year < 1
        || month < 1
        || month > 12
        || day < 1
        || (day > 28 && day > daysInMonth(year, month))) {
      throw bad(type, b, fieldStart, fieldEnd);
    }
    return daysSinceEpoch(year, month, day);
  }

  /** Two digits as a number, or below 0. */
  private static int digits(byte[] b, int at) {
    int tens = b[at] - '0';
    int ones = b[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9
        ? Integer.MIN_VALUE / 200
        : tens * 10 + ones;
  }

  private static int daysInMonth(int year, int month) {
    return switch (month) {
      case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  /** Counts in years that begin in March, so that the leap day is the last. */
  private static int daysSinceEpoch(int year, int month, int day) {
    int y = month <= 2 ? year - 1 : year;
    int dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return y * 365 + y / 4 - y / 100 + y / 400 + dayOfYear - 719_468;
  }

  private static long time(byte[] b, int at, int stop, int fieldStart, int fieldEnd, String type) {
    if (stop - at < 5 || b[at + 2] != ':') {
      throw bad(type, b, fieldStart, fieldEnd);
    }
    int hour = digits(b, at);
    int minute = digits(b, at + 3);
    int second = 0;
    long fraction = 0;
    if (stop - at > 5) {
      if (b[at + 5] != ':' || stop - at < 8) {
        throw bad(type, b, fieldStart, fieldEnd);
      }
      second = digits(b, at + 6);
      fraction = stop - at > 8 ? fraction(b, at + 8, stop, fieldStart, fieldEnd, type) : 0;
    }
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) {
      throw bad(type, b, fieldStart, fieldEnd);
    }
    return (hour * 3600 + minute * 60 + second) * SECOND + fraction;
  }

  private static long fraction(
      byte[] b, int dot, int stop, int fieldStart, int fieldEnd, String type) {
    if (b[dot] != '.' || dot + 1 == stop) {
      throw bad(type, b, fieldStart, fieldEnd);
    }
    long micros = 0;
    long place = SECOND / 10;
    for (int i = dot + 1; i < stop; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        throw bad(type, b, fieldStart, fieldEnd);
      }
      micros += digit * place;
      if (i == dot + 7 && digit >= 5) {
        micros++;
      }
      place /= 10;
    }
    return micros;
  }

  private static FieldError bad(String type, byte[] b, int start, int end) {
    return new FieldError(
        isBeyond(type, NumberFields.text(b, start, end))
            ? SqlCondition.DATETIME_OVERFLOW
            : SqlCondition.INVALID_DATETIME,
        "'" + FieldError.shown(b, start, end) + "' is not a value of " + type);
  }

  /** Whether the text is well formed but of a year that there is not. */
  private static boolean isBeyond(String type, String text) {
    try {
      if (!type.equals("TIME")) {
        TemporalText.parseTimestamp(text);
      }
      return false;
    } catch (GpdbException e) {
      return e.code() == SqlCondition.DATETIME_OVERFLOW;
    }
  }
}
