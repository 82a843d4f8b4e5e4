package io.gpdb.jdbc.value;

import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.util.Calendar;
import java.util.GregorianCalendar;

/**
 * Times without a zone to and from moments, in the zone of a calendar that is passed to JDBC: by
 * their fields, as java.sql's classes show them.
 */
public final class CalendarZones {
  private static final int NANOS_PER_MILLI = 1_000_000;

  private CalendarZones() {}

  public static long millis(LocalDateTime value, Calendar calendar) throws SQLException {
    GregorianCalendar fields = gregorian(calendar);
    fields.clear();
    fields.set(
        value.getYear(),
        value.getMonthValue() - 1,
        value.getDayOfMonth(),
        value.getHour(),
        value.getMinute(),
        value.getSecond());
    fields.set(Calendar.MILLISECOND, value.getNano() / NANOS_PER_MILLI);
    long millis = fields.getTimeInMillis();
    if (fields.get(Calendar.DAY_OF_MONTH) != value.getDayOfMonth()) {
      CivilDates.requireSame(
          value.toLocalDate(),
          CivilDates.civil(() -> fields(fields)).toLocalDate(),
          GregorianCalendar.class);
    }
    return millis;
  }

  public static Timestamp timestamp(LocalDateTime value, Calendar calendar) throws SQLException {
    Timestamp timestamp = new Timestamp(millis(value, calendar));
    timestamp.setNanos(value.get(ChronoField.NANO_OF_SECOND));
    return timestamp;
  }

  public static LocalDateTime local(long millis, Calendar calendar) throws SQLException {
    GregorianCalendar fields = gregorian(calendar);
    fields.setTimeInMillis(millis);
    return CivilDates.civil(() -> fields(fields));
  }

  private static LocalDateTime fields(GregorianCalendar from) {
    int year = from.get(Calendar.YEAR);
    return LocalDateTime.of(
        from.get(Calendar.ERA) == GregorianCalendar.BC ? 1 - year : year,
        from.get(Calendar.MONTH) + 1,
        from.get(Calendar.DAY_OF_MONTH),
        from.get(Calendar.HOUR_OF_DAY),
        from.get(Calendar.MINUTE),
        from.get(Calendar.SECOND),
        from.get(Calendar.MILLISECOND) * NANOS_PER_MILLI);
  }

  /**
   * The caller's own where it counts years as the Gregorian calendar does; days are checked here.
   */
  private static GregorianCalendar gregorian(Calendar calendar) {
    GregorianCalendar own =
        calendar instanceof GregorianCalendar given
            ? (GregorianCalendar) given.clone()
            : new GregorianCalendar(calendar.getTimeZone());
    own.setLenient(true);
    return own;
  }
}
