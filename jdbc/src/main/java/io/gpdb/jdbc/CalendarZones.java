package io.gpdb.jdbc;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.Calendar;

/** Times without a zone to and from moments, in the zone of a calendar that JDBC was given. */
final class CalendarZones {
  private CalendarZones() {}

  static long millis(LocalDateTime value, Calendar calendar) {
    return value.atZone(calendar.getTimeZone().toZoneId()).toInstant().toEpochMilli();
  }

  static LocalDateTime local(long millis, Calendar calendar) {
    return LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), calendar.getTimeZone().toZoneId());
  }
}
