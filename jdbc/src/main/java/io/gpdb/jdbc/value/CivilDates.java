package io.gpdb.jdbc.value;

import io.gpdb.sql.error.SqlCondition;
import java.sql.Date;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;

/**
 * Dates of java.sql and of java.time with the same year, month and day. Those of java.sql count by
 * the Julian calendar before 1582-10-15: they lack the ten days before it, and have leap days that
 * gpDB's calendar, the Gregorian for all years, lacks. Neither becomes another day.
 */
public final class CivilDates {
  private static final LocalDate GREGORIAN_FROM = LocalDate.of(1582, 10, 15);

  /** Makes a value of java.time, or throws as java.time does. */
  interface Conversion<T> {
    T get();
  }

  private CivilDates() {}

  public static Date date(LocalDate value) throws SQLException {
    Date date = Date.valueOf(value);
    if (value.isBefore(GREGORIAN_FROM)) {
      requireSame(value, date.toLocalDate(), Date.class);
    }
    return date;
  }

  public static Timestamp timestamp(LocalDateTime value) throws SQLException {
    Timestamp timestamp = Timestamp.valueOf(value);
    if (value.toLocalDate().isBefore(GREGORIAN_FROM)) {
      requireSame(value.toLocalDate(), timestamp.toLocalDateTime().toLocalDate(), Timestamp.class);
    }
    return timestamp;
  }

  public static void requireSame(LocalDate value, LocalDate made, Class<?> type)
      throws SQLException {
    if (!made.equals(value)) {
      throw SqlErrors.of(
          SqlCondition.DATETIME_OVERFLOW,
          type.getName() + " has no " + value + "; a class of java.time has, by getObject");
    }
  }

  public static LocalDate civil(Date value) throws SQLException {
    return civil(value::toLocalDate);
  }

  public static LocalDateTime civil(Timestamp value) throws SQLException {
    return civil(value::toLocalDateTime);
  }

  /** Refuses days that only the Julian calendar has. */
  public static <T> T civil(Conversion<T> conversion) throws SQLException {
    try {
      return conversion.get();
    } catch (DateTimeException e) {
      throw SqlErrors.of(
          SqlCondition.DATETIME_OVERFLOW,
          "a day that the Gregorian calendar lacks, or a year beyond it: " + e.getMessage(),
          e);
    }
  }
}
