package io.gpdb.sql.type;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.TimeZone;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.util.TimestampString;
import org.apache.calcite.util.TimestampWithTimeZoneString;

/**
 * Instants, which TIMESTAMP WITH TIME ZONE has, as texts with an offset and as timestamps of the
 * JVM's zone. An instant is microseconds since 1970-01-01 00:00:00 UTC. A timestamp that a change
 * of clocks leaves out is that long after it; of one that comes twice the first is meant.
 */
public final class InstantText {
  private static final Pattern OFFSET =
      Pattern.compile("(.*[0-9]) *(?:(Z|z|UTC)|([+-])([0-9]{1,2})(?::?([0-9]{2}))?)");

  /** An hour of one digit at the beginning of an offset. */
  private static final Pattern HOUR = Pattern.compile("^([+-])([0-9]):");

  private static final TimeZone UTC = TimeZone.getTimeZone("UTC");

  private InstantText() {}

  /** Whether a text has an offset behind a time of the day. */
  public static boolean hasOffset(String text) {
    Matcher matcher = OFFSET.matcher(text.strip());
    return matcher.matches() && matcher.group(1).indexOf(':') > 0;
  }

  /** The instant that a text spells; without an offset it is a timestamp of the JVM's zone. */
  public static long parse(String text) {
    Matcher matcher = OFFSET.matcher(text.strip());
    if (!matcher.matches() || matcher.group(1).indexOf(':') < 0) {
      return ofLocal(TemporalText.parseTimestamp(text));
    }
    long local;
    try {
      local = TemporalText.parseTimestamp(matcher.group(1));
    } catch (GpdbException e) {
      throw e.code() == SqlCondition.DATETIME_OVERFLOW ? e : invalid(text);
    }
    return checked(local - offset(matcher, text) * TemporalText.MICROS_PER_SECOND);
  }

  private static int offset(Matcher matcher, String text) {
    if (matcher.group(2) != null) {
      return 0;
    }
    int hours = Integer.parseInt(matcher.group(4));
    int minutes = matcher.group(5) == null ? 0 : Integer.parseInt(matcher.group(5));
    if (minutes > 59 || hours > 18 || (hours == 18 && minutes > 0)) {
      throw invalid(text);
    }
    int seconds = (hours * 60 + minutes) * 60;
    return matcher.group(3).equals("-") ? -seconds : seconds;
  }

  private static GpdbException invalid(String text) {
    return new GpdbException(
        SqlCondition.INVALID_DATETIME, "invalid TIMESTAMP WITH TIME ZONE value '" + text + "'");
  }

  /** The instant, which must be of the years 1 to 9999, here and in UTC. */
  public static long checked(long micros) {
    TemporalText.checkedTimestamp(micros);
    TemporalText.checkedTimestamp(micros + offsetSeconds(micros) * TemporalText.MICROS_PER_SECOND);
    return micros;
  }

  /** The instant of a timestamp of the JVM's zone. */
  public static long ofLocal(long timestamp) {
    LocalDateTime local =
        LocalDateTime.ofEpochSecond(
            Math.floorDiv(timestamp, TemporalText.MICROS_PER_SECOND), 0, ZoneOffset.UTC);
    long second = local.atZone(ZoneId.systemDefault()).toEpochSecond();
    return checked(
        second * TemporalText.MICROS_PER_SECOND
            + Math.floorMod(timestamp, TemporalText.MICROS_PER_SECOND));
  }

  /** The timestamp of an instant in the JVM's zone. */
  public static long toLocal(long micros) {
    return TemporalText.checkedTimestamp(
        micros + offsetSeconds(micros) * TemporalText.MICROS_PER_SECOND);
  }

  /** The timestamp of an instant in the zone of that name. */
  public static long toZone(long micros, String zone) {
    Instant instant = Instant.ofEpochSecond(Math.floorDiv(micros, TemporalText.MICROS_PER_SECOND));
    long seconds = zone(zone).getRules().getOffset(instant).getTotalSeconds();
    return TemporalText.checkedTimestamp(micros + seconds * TemporalText.MICROS_PER_SECOND);
  }

  /** The zone of a name, or of an offset to the east: {@code Europe/Berlin}, {@code +5:30}. */
  public static ZoneId zone(String name) {
    String id = name.strip();
    if (id.equalsIgnoreCase("LOCAL")) {
      return ZoneId.systemDefault();
    }
    try {
      return ZoneId.of(HOUR.matcher(id).replaceFirst("$10$2:"));
    } catch (DateTimeException e) {
      throw new GpdbException(ErrorCode.INVALID_ARGUMENT, "'" + name + "' is not a time zone", e);
    }
  }

  private static int offsetSeconds(long micros) {
    Instant instant = Instant.ofEpochSecond(Math.floorDiv(micros, TemporalText.MICROS_PER_SECOND));
    return ZoneId.systemDefault().getRules().getOffset(instant).getTotalSeconds();
  }

  /**
   * {@code 2001-01-31 23:59:58+01:00}, with the offset of the JVM's zone then. The seconds that
   * zones had before there were railways are cut from the offset, and from the time.
   */
  public static String format(long micros) {
    int seconds = offsetSeconds(micros) / 60 * 60;
    String sign = seconds < 0 ? "-" : "+";
    int minutes = Math.abs(seconds) / 60;
    return TemporalText.formatTimestamp(micros + seconds * TemporalText.MICROS_PER_SECOND)
        + "%s%02d:%02d".formatted(sign, minutes / 60, minutes % 60);
  }

  /** The instant as Calcite's literals have it, in UTC. */
  public static TimestampWithTimeZoneString literal(long micros) {
    return new TimestampWithTimeZoneString(
        new TimestampString(TemporalText.formatTimestamp(micros)), UTC);
  }

  /** The instant of a literal that {@link #literal} made. */
  public static long ofLiteral(TimestampWithTimeZoneString literal) {
    try {
      ZoneOffset offset =
          literal.getTimeZone().toZoneId().getRules().getStandardOffset(Instant.EPOCH);
      return TemporalText.parseTimestamp(literal.getLocalTimestampString().toString())
          - offset.getTotalSeconds() * TemporalText.MICROS_PER_SECOND;
    } catch (DateTimeException e) {
      throw invalid(literal.toString());
    }
  }
}
