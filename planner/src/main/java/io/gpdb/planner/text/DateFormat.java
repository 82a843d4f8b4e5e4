package io.gpdb.planner.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A format of TO_CHAR, TO_DATE and TO_TIMESTAMP: fields by their letters, texts in double quotes,
 * and any other characters but letters as they are. Names of months and days are English and
 * written as their letters are: MON, Mon or mon.
 */
public final class DateFormat {
  /** The longest names come first. */
  private static final List<String> FIELDS =
      List.of(
          "MONTH", "YYYY", "IYYY", "HH24", "HH12", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "DDD",
          "DAY", "MON", "YY", "MM", "DD", "DY", "HH", "MI", "SS", "FF", "MS", "US", "AM", "PM",
          "IW", "WW", "Q", "D");

  private static final int NAME_LENGTH = 9; // Wednesday, September
  private static final int NANOS_DIGITS = 9;
  private static final int HALF_DAY = 12;

  /** A field, as it is written, or a text as it is. */
  private record Part(boolean isField, String written) {
    String field() {
      return written.toUpperCase(Locale.ROOT);
    }
  }

  private final String format;
  private final List<Part> parts = new ArrayList<>();

  /** Raises 22007 for what is no format. */
  public DateFormat(String format) {
    this.format = format;
    int at = 0;
    while (at < format.length()) {
      at = part(at);
    }
  }

  private int part(int at) {
    char first = format.charAt(at);
    if (first == '"') {
      int end = format.indexOf('"', at + 1);
      if (end < 0) {
        throw invalid("the format '" + format + "' has a text without end");
      }
      parts.add(new Part(false, format.substring(at + 1, end)));
      return end + 1;
    }
    for (String field : FIELDS) {
      if (format.regionMatches(true, at, field, 0, field.length())) {
        parts.add(new Part(true, format.substring(at, at + field.length())));
        return at + field.length();
      }
    }
    if (Character.isLetterOrDigit(first)) {
      throw invalid("the format '" + format + "' has no field at '" + format.substring(at) + "'");
    }
    parts.add(new Part(false, String.valueOf(first)));
    return at + 1;
  }

  public String format() {
    return format;
  }

  public String text(LocalDateTime time) {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(part.isField ? text(part, time) : part.written);
    }
    return text.toString();
  }

  private static String text(Part part, LocalDateTime time) {
    String field = part.field();
    return switch (field) {
      case "YYYY" -> number(time.getYear(), 4);
      case "YY" -> number(time.getYear() % 100, 2);
      case "IYYY" -> number(time.get(IsoFields.WEEK_BASED_YEAR), 4);
      case "Q" -> number(time.get(IsoFields.QUARTER_OF_YEAR), 1);
      case "MM" -> number(time.getMonthValue(), 2);
      case "MONTH" -> padded(cased(part, name(time.getMonth(), TextStyle.FULL)));
      case "MON" -> cased(part, name(time.getMonth(), TextStyle.SHORT));
      case "IW" -> number(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2);
      case "WW" -> number((time.getDayOfYear() - 1) / DayOfWeek.values().length + 1, 2);
      case "DDD" -> number(time.getDayOfYear(), 3);
      case "DD" -> number(time.getDayOfMonth(), 2);
      case "DAY" -> padded(cased(part, name(time.getDayOfWeek(), TextStyle.FULL)));
      case "DY" -> cased(part, name(time.getDayOfWeek(), TextStyle.SHORT));
      case "D" -> number(time.getDayOfWeek().getValue() % DayOfWeek.values().length + 1, 1);
      case "HH24" -> number(time.getHour(), 2);
      case "HH12", "HH" -> number(time.get(ChronoField.CLOCK_HOUR_OF_AMPM), 2);
      case "MI" -> number(time.getMinute(), 2);
      case "SS" -> number(time.getSecond(), 2);
      case "AM", "PM" -> cased(part, time.getHour() < HALF_DAY ? "Am" : "Pm");
      default -> number(time.getNano(), NANOS_DIGITS).substring(0, fractionDigits(field));
    };
  }

  private static int fractionDigits(String field) {
    return switch (field) {
      case "FF", "US" -> 6;
      case "MS" -> 3;
      default -> field.charAt(2) - '0';
    };
  }

  private static String number(int value, int digits) {
    String text = Integer.toString(value);
    return "0".repeat(Math.max(0, digits - text.length())) + text;
  }

  private static String name(Month month, TextStyle style) {
    return month.getDisplayName(style, Locale.ENGLISH);
  }

  private static String name(DayOfWeek day, TextStyle style) {
    return day.getDisplayName(style, Locale.ENGLISH);
  }

  private static String padded(String name) {
    return name + " ".repeat(NAME_LENGTH - name.length());
  }

  private static String cased(Part part, String name) {
    if (Character.isLowerCase(part.written.charAt(0))) {
      return name.toLowerCase(Locale.ROOT);
    }
    return Character.isLowerCase(part.written.charAt(1)) ? name : name.toUpperCase(Locale.ROOT);
  }

  /** The date that a text of this format is; 0A000 where the format has a time. */
  public LocalDate date(String text) {
    LocalDateTime time = time(text);
    for (Part part : parts) {
      if (part.isField
          && !List.of("YYYY", "MONTH", "MON", "MM", "DD", "DDD").contains(part.field())) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "TO_DATE with " + part.written + ": a DATE has no time; use TO_TIMESTAMP");
      }
    }
    return time.toLocalDate();
  }

  /**
   * The time that a text of this format is. The year must be there; months and days are the first,
   * and times midnight, where the format does not have them.
   */
  public LocalDateTime time(String text) {
    Map<String, Integer> values = new HashMap<>();
    int at = 0;
    for (Part part : parts) {
      if (part.isField) {
        at = value(part.field(), text, at, values);
      } else if (text.startsWith(part.written, at)) {
        at += part.written.length();
      } else {
        throw different(text);
      }
    }
    if (at < text.length() || !values.containsKey("YYYY")) {
      throw different(text);
    }
    try {
      return LocalDateTime.of(date(values), time(values));
    } catch (DateTimeException e) {
      throw different(text);
    }
  }

  private static LocalDate date(Map<String, Integer> values) {
    int year = values.getOrDefault("YYYY", 1);
    Integer day = values.get("DDD");
    return day != null
        ? LocalDate.ofYearDay(year, day)
        : LocalDate.of(year, values.getOrDefault("MM", 1), values.getOrDefault("DD", 1));
  }

  private static LocalTime time(Map<String, Integer> values) {
    int hour = values.getOrDefault("HH24", 0);
    Integer half = values.get("HH");
    if (half != null) {
      ChronoField.CLOCK_HOUR_OF_AMPM.checkValidValue(half);
      hour = half % HALF_DAY + values.getOrDefault("AM", 0) * HALF_DAY;
    }
    return LocalTime.of(
        hour,
        values.getOrDefault("MI", 0),
        values.getOrDefault("SS", 0),
        values.getOrDefault("FF", 0));
  }

  /** Reads a field from a place on, and returns where what follows begins. */
  private int value(String field, String text, int at, Map<String, Integer> values) {
    return switch (field) {
      case "MONTH" -> month(TextStyle.FULL, text, at, values);
      case "MON" -> month(TextStyle.SHORT, text, at, values);
      case "AM", "PM" -> {
        String half = text.substring(at, Math.min(text.length(), at + 2)).toUpperCase(Locale.ROOT);
        if (!half.equals("AM") && !half.equals("PM")) {
          throw different(text);
        }
        values.put("AM", half.equals("PM") ? 1 : 0);
        yield at + 2;
      }
      case "YYYY" -> digits(field, 4, text, at, values);
      case "DDD" -> digits(field, 3, text, at, values);
      case "MM", "DD", "MI", "SS", "HH24" -> digits(field, 2, text, at, values);
      case "HH", "HH12" -> digits("HH", 2, text, at, values);
      case "YY", "IYYY", "Q", "IW", "WW", "DAY", "DY", "D" ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED, field + " in a format that a text is read by");
      default -> fraction(fractionDigits(field), text, at, values);
    };
  }

  private int month(TextStyle style, String text, int at, Map<String, Integer> values) {
    for (Month month : Month.values()) {
      String name = name(month, style);
      if (text.regionMatches(true, at, name, 0, name.length())) {
        values.put("MM", month.getValue());
        return at + name.length();
      }
    }
    throw different(text);
  }

  private int digits(String key, int most, String text, int at, Map<String, Integer> values) {
    int end = endOfDigits(most, text, at);
    values.put(key, Integer.valueOf(text.substring(at, end)));
    return end;
  }

  private int fraction(int most, String text, int at, Map<String, Integer> values) {
    int end = endOfDigits(most, text, at);
    String digits = text.substring(at, end);
    values.put("FF", Integer.valueOf(digits + "0".repeat(NANOS_DIGITS - digits.length())));
    return end;
  }

  private int endOfDigits(int most, String text, int at) {
    int end = at;
    while (end < text.length() && end < at + most && isDigit(text.charAt(end))) {
      end++;
    }
    if (end == at) {
      throw different(text);
    }
    return end;
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }

  private GpdbException different(String text) {
    return invalid("'" + text + "' is no date or time of the format '" + format + "'");
  }

  private static GpdbException invalid(String message) {
    return new GpdbException(SqlCondition.INVALID_DATETIME, message);
  }
}
