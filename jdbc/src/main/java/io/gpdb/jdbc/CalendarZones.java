package io.gpdb.jdbc;

import java.sql.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Calendar;

/** Times without a zone to and from moments, in the zone of a calendar that JDBC was given. */
final class CalendarZones {
  private CalendarZones() {}

  static long millis(LocalDateTime value, Calendar calendar) {
    return value.atZone(zone(calendar)).toInstant().toEpochMilli();
  }

  static Timestamp timestamp(LocalDateTime value, Calendar calendar) {
    Timestamp timestamp = new Timestamp(millis(value, calendar));
    timestamp.setNanos(value.get(ChronoField.NANO_OF_SECOND));
    return timestamp;
  }

  static LocalDateTime local(long millis, Calendar calendar) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), zone(calendar));
  }

  /** A zone that the caller made up may have no name that is known; its offset is. */
  private static ZoneId zone(Calendar calendar) {
    try {
      return calendar.getTimeZone().toZoneId();
    } catch (DateTimeException e) {
      return ZoneOffset.ofTotalSeconds(calendar.getTimeZone().getRawOffset() / 1000);
    }
  }
}
