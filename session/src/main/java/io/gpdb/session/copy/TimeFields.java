package io.gpdb.session.copy;

import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.TextValues;

/**
 * Dates and timestamps from the bytes of a field: {@code 2001-01-31} and {@code 2001-01-31
 * 23:59:58.123456} are read in place, all else as {@link TextValues} reads it.
 */
final class TimeFields {
  private static final int DATE_BYTES = 10;
  private static final int TIMESTAMP_BYTES = 19;
  private static final int NONE = Integer.MIN_VALUE;

  private TimeFields() {}

  /** Days since 1970-01-01. */
  static int date(byte[] b, int start, int end) {
    int days = end - start == DATE_BYTES ? days(b, start) : NONE;
    return days != NONE ? days : (int) NumberFields.parsed(SqlTypeSpec.DATE, b, start, end);
  }

  /** Microseconds since 1970-01-01 00:00:00, in no zone; a date alone is its midnight. */
  static long timestamp(SqlTypeSpec type, byte[] b, int start, int end) {
    int length = end - start;
    int days = length >= TIMESTAMP_BYTES ? days(b, start) : NONE;
    int seconds = days == NONE ? NONE : secondsOfDay(b, start + DATE_BYTES);
    int micros =
        length == TIMESTAMP_BYTES ? 0 : seconds == NONE ? NONE : micros(type, b, start, end);
    return seconds == NONE || micros == NONE
        ? NumberFields.parsed(type, b, start, end)
        : days * TemporalText.MICROS_PER_DAY + seconds * TemporalText.MICROS_PER_SECOND + micros;
  }

  /** A fraction that needs no rounding. */
  private static int micros(SqlTypeSpec type, byte[] b, int start, int end) {
    int first = start + TIMESTAMP_BYTES + 1;
    int digits = end - first;
    if (b[first - 1] != '.' || digits < 1 || digits > type.precision()) {
      return NONE;
    }
    int micros = 0;
    for (int i = first; i < end; i++) {
      int digit = b[i] - '0';
      if (digit < 0 || digit > 9) {
        return NONE;
      }
      micros = micros * 10 + digit;
    }
    for (int i = digits; i < SqlTypeSpec.FRACTION_DIGITS_MAX; i++) {
      micros *= 10;
    }
    return micros;
  }

  private static int days(byte[] b, int at) {
    if (b[at + 4] != '-' || b[at + 7] != '-') {
      return NONE;
    }
    int century = digits(b, at);
    int ofCentury = digits(b, at + 2);
    int year = century * 100 + ofCentury;
    int month = digits(b, at + 5);
    int day = digits(b, at + 8);
    boolean exists =
        century >= 0
            && ofCentury >= 0
            && year >= 1
            && month >= 1
            && month <= 12
            && day >= 1
            && (day <= 28 || day <= daysInMonth(year, month));
    return exists ? daysSinceEpoch(year, month, day) : NONE;
  }

  private static int secondsOfDay(byte[] b, int at) {
    if ((b[at] != ' ' && b[at] != 'T') || b[at + 3] != ':' || b[at + 6] != ':') {
      return NONE;
    }
    int hour = digits(b, at + 1);
    int minute = digits(b, at + 4);
    int second = digits(b, at + 7);
    boolean exists =
        hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 59;
    return exists ? (hour * 60 + minute) * 60 + second : NONE;
  }

  /** Two digits as a number, or -1. */
  private static int digits(byte[] b, int at) {
    int tens = b[at] - '0';
    int ones = b[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
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
}
