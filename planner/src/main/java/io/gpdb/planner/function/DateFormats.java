package io.gpdb.planner.function;

import io.gpdb.planner.text.DateFormat;
import io.gpdb.sql.type.TemporalText;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import org.apache.calcite.linq4j.function.Strict;

/** TO_CHAR, TO_DATE and TO_TIMESTAMP; no argument is NULL. */
@Strict
public final class DateFormats {
  private static final int MICROS = 1_000_000;
  private static final int NANOS_PER_MICRO = 1000;

  /** A format is nearly always the same for every row. */
  private static volatile DateFormat last = new DateFormat("");

  private DateFormats() {}

  public static String toChar(long micros, String format) {
    int nanos = (int) Math.floorMod(micros, (long) MICROS) * NANOS_PER_MICRO;
    return format(format)
        .text(LocalDateTime.ofEpochSecond(Math.floorDiv(micros, MICROS), nanos, ZoneOffset.UTC));
  }

  public static int toDate(String text, String format) {
    return TemporalText.checkedDate(format(format).date(text).toEpochDay());
  }

  public static long toTimestamp(String text, String format) {
    LocalDateTime time = format(format).time(text);
    return TemporalText.checkedTimestamp(
        ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time));
  }

  private static DateFormat format(String format) {
    DateFormat known = last;
    if (!known.format().equals(format)) {
      known = new DateFormat(format);
      last = known;
    }
    return known;
  }
}
