package io.gpdb.sql.type;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.time.DateTimeException;
import java.time.LocalDate;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * Dates and times as text: {@code 2001-01-31}, {@code 23:59:58.123456}, and both with a blank or a
 * T between. Days count from 1970-01-01; times and timestamps are microseconds.
 */
public final class TemporalText {
  public static final long MICROS_PER_SECOND = 1_000_000L;
  public static final long MICROS_PER_DAY = 86_400L * MICROS_PER_SECOND;

  /** The last year; the first is 1. */
  public static final int YEAR_MAX = 9999;

  /** The first day of year 1, since 1970-01-01. */
  public static final long DAY_MIN = LocalDate.of(1, 1, 1).toEpochDay();

  /** The last day of year {@link #YEAR_MAX}. */
  public static final long DAY_MAX = LocalDate.of(YEAR_MAX, 12, 31).toEpochDay();

  /** The first microsecond after the year 9999. */
  public static final long TIMESTAMP_END = (DAY_MAX + 1) * MICROS_PER_DAY;

  private TemporalText() {}

  /** The day, which must be of the years 1 to 9999. */
  public static int checkedDate(long day) {
    if (day < DAY_MIN || day > DAY_MAX) {
      throw overflow("DATE");
    }
    return (int) day;
  }

  /** The timestamp, which must be of the years 1 to 9999. */
  public static long checkedTimestamp(long micros) {
    if (micros < DAY_MIN * MICROS_PER_DAY || micros >= TIMESTAMP_END) {
      throw overflow("TIMESTAMP");
    }
    return micros;
  }

  /** The error of a date or time beyond the years that there are. */
  public static GpdbException overflow(String type) {
    return overflow(type, null);
  }

  /** The same, where something else was thrown first. */
  public static GpdbException overflow(String type, @Nullable Throwable cause) {
    return new GpdbException(
        SqlCondition.DATETIME_OVERFLOW, "a " + type + " beyond the years 1 to " + YEAR_MAX, cause);
  }

  /** Days since 1970-01-01; a timestamp at midnight is a date too, for spreadsheets write so. */
  public static int parseDate(String text) {
    String trimmed = text.strip();
    int split = split(trimmed);
    if (split < 0) {
      return day(trimmed, text);
    }
    if (time(trimmed.substring(split + 1).strip(), "DATE", text) != 0) {
      throw invalid("DATE", text);
    }
    return day(trimmed.substring(0, split), text);
  }

  /** Where the blank or T between day and time is, or -1. */
  private static int split(String trimmed) {
    int space = trimmed.indexOf(' ');
    return space < 0 ? trimmed.indexOf('T') : space;
  }

  private static int day(String trimmed, String text) {
    int first = trimmed.indexOf('-', 1);
    int second = first < 0 ? -1 : trimmed.indexOf('-', first + 1);
    if (second < 0) {
      throw invalid("DATE", text);
    }
    try {
      boolean negative = trimmed.charAt(0) == '-';
      int year = digits(trimmed, negative ? 1 : 0, first, 4, 9, "DATE", text);
      int month = digits(trimmed, first + 1, second, 1, 2, "DATE", text);
      int day = digits(trimmed, second + 1, trimmed.length(), 1, 2, "DATE", text);
      if (negative || year < 1 || year > YEAR_MAX) {
        throw new GpdbException(
            SqlCondition.DATETIME_OVERFLOW,
            "DATE value '" + text + "' is beyond the years 1 to " + YEAR_MAX);
      }
      return (int) LocalDate.of(year, month, day).toEpochDay();
    } catch (DateTimeException e) {
      throw invalid("DATE", text);
    }
  }

  /** Microseconds of the day. */
  public static long parseTime(String text) {
    long micros = time(text.strip(), "TIME", text);
    if (micros >= MICROS_PER_DAY) { // 23:59:59 and more than 999 999.5 microseconds
      throw invalid("TIME", text);
    }
    return micros;
  }

  /** Microseconds since 1970-01-01 00:00:00. */
  public static long parseTimestamp(String text) {
    String trimmed = text.strip();
    int split = split(trimmed);
    try {
      if (split < 0) {
        return day(trimmed, text) * MICROS_PER_DAY;
      }
      long day = day(trimmed.substring(0, split), text);
      return checkedTimestamp(
          day * MICROS_PER_DAY + time(trimmed.substring(split + 1).strip(), "TIMESTAMP", text));
    } catch (GpdbException e) {
      throw e.code() == SqlCondition.DATETIME_OVERFLOW ? e : invalid("TIMESTAMP", text);
    }
  }

  private static long time(String trimmed, String type, String text) {
    int first = trimmed.indexOf(':');
    int second = first < 0 ? -1 : trimmed.indexOf(':', first + 1);
    int secondsEnd = trimmed.indexOf('.');
    if (first < 0 || (second < 0 && secondsEnd >= 0)) {
      throw invalid(type, text);
    }
    int minutesEnd = second < 0 ? trimmed.length() : second;
    int end = secondsEnd < 0 ? trimmed.length() : secondsEnd;
    int hours = digits(trimmed, 0, first, 1, 2, type, text);
    int minutes = digits(trimmed, first + 1, minutesEnd, 1, 2, type, text);
    int seconds = second < 0 ? 0 : digits(trimmed, second + 1, end, 1, 2, type, text);
    if (hours > 23 || minutes > 59 || seconds > 59) {
      throw invalid(type, text);
    }
    long whole = (hours * 60L + minutes) * 60L + seconds;
    return whole * MICROS_PER_SECOND + (secondsEnd < 0 ? 0 : micros(trimmed, end + 1, type, text));
  }

  /** The fraction in microseconds; digits beyond the sixth are rounded half up. */
  private static long micros(String text, int from, String type, String whole) {
    int places = SqlTypeSpec.FRACTION_DIGITS_MAX;
    int kept = Math.min(from + places, text.length());
    long micros = digits(text, from, kept, 1, places, type, whole);
    for (int i = kept - from; i < places; i++) {
      micros *= 10;
    }
    for (int i = kept; i < text.length(); i++) {
      int digit = digits(text, i, i + 1, 1, 1, type, whole);
      micros += i == kept && digit >= 5 ? 1 : 0;
    }
    return micros;
  }

  /** Microseconds rounded half up to that number of digits after the second. */
  public static long rounded(long micros, int digits) {
    long unit = 1;
    for (int i = digits; i < SqlTypeSpec.FRACTION_DIGITS_MAX; i++) {
      unit *= 10;
    }
    return Math.floorDiv(micros + unit / 2, unit) * unit;
  }

  private static int digits(
      String s, int from, int to, int lengthMin, int lengthMax, String type, String text) {
    if (to - from < lengthMin || to - from > lengthMax) {
      throw invalid(type, text);
    }
    int value = 0;
    for (int i = from; i < to; i++) {
      char c = s.charAt(i);
      if (c < '0' || c > '9') {
        throw invalid(type, text);
      }
      value = value * 10 + (c - '0');
    }
    return value;
  }

  private static GpdbException invalid(String type, String text) {
    return new GpdbException(
        SqlCondition.INVALID_DATETIME, "invalid " + type + " value '" + text + "'");
  }

  /** {@code 2001-01-31}. */
  public static String formatDate(int days) {
    LocalDate date = LocalDate.ofEpochDay(days);
    StringBuilder out = new StringBuilder(10);
    pad(out, date.getYear(), 4).append('-');
    pad(out, date.getMonthValue(), 2).append('-');
    return pad(out, date.getDayOfMonth(), 2).toString();
  }

  /** {@code 23:59:58}, with as many fractional digits as the value needs. */
  public static String formatTime(long micros) {
    StringBuilder out = new StringBuilder(15);
    long seconds = micros / MICROS_PER_SECOND;
    pad(out, seconds / 3600, 2).append(':');
    pad(out, seconds / 60 % 60, 2).append(':');
    pad(out, seconds % 60, 2);
    long fraction = micros % MICROS_PER_SECOND;
    if (fraction != 0) {
      pad(out.append('.'), fraction, 6);
      while (out.charAt(out.length() - 1) == '0') {
        out.setLength(out.length() - 1);
      }
    }
    return out.toString();
  }

  /** {@code 2001-01-31 23:59:58}, with as many fractional digits as the value needs. */
  public static String formatTimestamp(long micros) {
    long day = Math.floorDiv(micros, MICROS_PER_DAY);
    return formatDate((int) day) + ' ' + formatTime(Math.floorMod(micros, MICROS_PER_DAY));
  }

  private static StringBuilder pad(StringBuilder out, long value, int width) {
    if (value < 0) {
      return pad(out.append('-'), -value, width);
    }
    String text = Long.toString(value);
    for (int i = text.length(); i < width; i++) {
      out.append('0');
    }
    return out.append(text);
  }

  /** Replaces the cast of a character literal to a date or time by the literal that it yields. */
  public static RexNode folded(RexBuilder builder, RexNode node) {
    if (!(node instanceof RexCall call)
        || call.getKind() != SqlKind.CAST
        || !(call.getOperands().getFirst() instanceof RexLiteral literal)
        || !GpTypes.isCharacter(literal.getType())) {
      return node;
    }
    String text = literal.getValueAs(String.class);
    RexNode value = text == null ? null : literal(builder, call, text);
    return value == null ? node : value;
  }

  private static @Nullable RexNode literal(RexBuilder builder, RexCall call, String text) {
    int precision = call.getType().getPrecision();
    try {
      return switch (call.getType().getSqlTypeName()) {
        case DATE -> builder.makeDateLiteral(new DateString(formatDate(parseDate(text))));
        case TIMESTAMP_TZ ->
            builder.makeTimestampTzLiteral(
                InstantText.literal(
                    InstantText.checked(rounded(InstantText.parse(text), precision))),
                precision);
        case UUID -> builder.makeUuidLiteral(UuidText.uuid(UuidText.parse(text)));
        case TIME ->
            builder.makeTimeLiteral(
                new TimeString(formatTime(rounded(parseTime(text), precision) % MICROS_PER_DAY)),
                precision);
        case TIMESTAMP ->
            builder.makeTimestampLiteral(
                new TimestampString(
                    formatTimestamp(checkedTimestamp(rounded(parseTimestamp(text), precision)))),
                precision);
        default -> null;
      };
    } catch (GpdbException e) {
      return null; // the cast raises it where it runs
    }
  }
}
