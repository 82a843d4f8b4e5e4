package io.gpdb.jdbc.value;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.session.ValueText;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.ScalarText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.UuidText;
import io.gpdb.sql.type.WideDecimal;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Date;
import java.sql.NClob;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.function.ToLongFunction;

/** Turns the value of a column that is not NULL into the Java type that a getter returns. */
public final class ColumnReader {
  private static final long MICROS_PER_SECOND = TemporalText.MICROS_PER_SECOND;
  private static final long MONTHS_PER_YEAR = 12;

  private ColumnReader() {}

  public static long whole(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> row.raw(column);
      case REAL, DOUBLE, DECIMAL, WIDE_DECIMAL, CHAR, VARCHAR -> {
        BigDecimal value = decimal(type, row, column);
        // Digits after the point are cut, as a cast of Java's does.
        if (TargetTypes.isHuge(value)) {
          throw outOfRange(value, "BIGINT");
        }
        BigInteger digits = TargetTypes.cut(value).toBigInteger();
        if (digits.bitLength() >= Long.SIZE) {
          throw outOfRange(value, "BIGINT");
        }
        yield digits.longValue();
      }
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS, VARBINARY, UUID ->
          throw noConversion(type, "a number");
    };
  }

  public static long tinyint(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return whole(type, row, column, Byte.MIN_VALUE, Byte.MAX_VALUE, "TINYINT");
  }

  public static long smallint(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return whole(type, row, column, Short.MIN_VALUE, Short.MAX_VALUE, "SMALLINT");
  }

  public static long integer(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return whole(type, row, column, Integer.MIN_VALUE, Integer.MAX_VALUE, "INTEGER");
  }

  private static long whole(
      SqlTypeSpec type, RowSet row, int column, long least, long most, String asked)
      throws SQLException {
    long value = whole(type, row, column);
    if (value < least || value > most) {
      throw outOfRange(value, asked);
    }
    return value;
  }

  public static boolean bool(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> row.raw(column) != 0;
      case WIDE_DECIMAL -> decimal(type, row, column).signum() != 0;
      case REAL, DOUBLE -> real(type, row, column) != 0;
      case CHAR, VARCHAR -> {
        String text = row.string(column);
        try {
          yield ScalarText.parseBoolean(text);
        } catch (NumberFormatException e) {
          throw notA(text, "BOOLEAN");
        }
      }
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS, VARBINARY, UUID ->
          throw noConversion(type, "a boolean");
    };
  }

  public static double real(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> row.raw(column);
      case REAL -> Float.intBitsToFloat((int) row.raw(column));
      case DOUBLE -> Double.longBitsToDouble(row.raw(column));
      case DECIMAL, WIDE_DECIMAL -> decimal(type, row, column).doubleValue();
      case CHAR, VARCHAR -> {
        String text = row.string(column).strip();
        try {
          yield ScalarText.parseDouble(text);
        } catch (NumberFormatException e) {
          throw notA(text, "DOUBLE");
        } catch (GpdbException e) {
          throw SqlErrors.translate(e);
        }
      }
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS, VARBINARY, UUID ->
          throw noConversion(type, "a number");
    };
  }

  public static BigDecimal decimal(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(row.raw(column));
      case DECIMAL -> BigDecimal.valueOf(row.raw(column), type.scale());
      case WIDE_DECIMAL -> WideDecimal.number(row.bytes(column), type.scale());
      case REAL -> finite(Float.toString(Float.intBitsToFloat((int) row.raw(column))));
      case DOUBLE -> finite(Double.toString(Double.longBitsToDouble(row.raw(column))));
      case CHAR, VARCHAR -> finite(row.string(column).strip());
      case DATE, TIME, TIMESTAMP, TIMESTAMP_TZ, INTERVAL_MONTHS, INTERVAL_MICROS, VARBINARY, UUID ->
          throw noConversion(type, "a number");
    };
  }

  private static BigDecimal finite(String text) throws SQLException {
    try {
      return ScalarText.parseNumber(text);
    } catch (NumberFormatException e) {
      throw notA(text, "DECIMAL");
    } catch (GpdbException e) {
      throw SqlErrors.translate(e);
    }
  }

  public static LocalDate date(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(row.raw(column));
      case TIMESTAMP_TZ -> timestamp(type, row, column).toLocalDate();
      case TIMESTAMP ->
          LocalDate.ofEpochDay(Math.floorDiv(row.raw(column), TemporalText.MICROS_PER_DAY));
      case CHAR, VARCHAR -> {
        String text = row.string(column).strip();
        String day = text.length() > 10 ? text.substring(0, 10) : text;
        yield LocalDate.ofEpochDay(parsed(TemporalText::parseDate, day));
      }
      default -> throw noConversion(type, "a date");
    };
  }

  public static LocalTime time(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return switch (type.kind()) {
      case TIME -> LocalTime.ofNanoOfDay(row.raw(column) * 1000);
      case TIMESTAMP_TZ -> timestamp(type, row, column).toLocalTime();
      case TIMESTAMP ->
          LocalTime.ofNanoOfDay(Math.floorMod(row.raw(column), TemporalText.MICROS_PER_DAY) * 1000);
      case CHAR, VARCHAR ->
          LocalTime.ofNanoOfDay(parsed(TemporalText::parseTime, row.string(column)) * 1000);
      default -> throw noConversion(type, "a time");
    };
  }

  public static LocalDateTime timestamp(SqlTypeSpec type, RowSet row, int column)
      throws SQLException {
    return switch (type.kind()) {
      case DATE -> date(type, row, column).atStartOfDay();
      case TIMESTAMP -> moment(row.raw(column));
      case TIMESTAMP_TZ -> moment(InstantText.toLocal(row.raw(column)));
      case CHAR, VARCHAR -> moment(parsed(TemporalText::parseTimestamp, row.string(column)));
      default -> throw noConversion(type, "a timestamp");
    };
  }

  /** As JDBC's table has it: a time is one of the first day of 1970. */
  public static Timestamp sqlTimestamp(SqlTypeSpec type, RowSet row, int column)
      throws SQLException {
    if (type.kind() == SqlTypeSpec.Kind.TIMESTAMP_TZ) {
      return Timestamp.from(zoned(type, row, column).toInstant());
    }
    return CivilDates.timestamp(
        type.kind() == SqlTypeSpec.Kind.TIME
            ? time(type, row, column).atDate(LocalDate.EPOCH)
            : timestamp(type, row, column));
  }

  private static LocalDateTime moment(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, TemporalText.MICROS_PER_SECOND),
        (int) Math.floorMod(micros, TemporalText.MICROS_PER_SECOND) * 1000,
        ZoneOffset.UTC);
  }

  private static long parsed(ToLongFunction<String> parser, String text) throws SQLException {
    try {
      return parser.applyAsLong(text);
    } catch (GpdbException e) {
      throw SqlErrors.translate(e);
    }
  }

  public static byte[] bytes(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return switch (type.kind()) {
      case CHAR, VARCHAR, VARBINARY, UUID -> row.bytes(column).clone();
      default -> throw noConversion(type, "bytes");
    };
  }

  /** The Java type that JDBC maps the column to. */
  public static Object natural(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    if (type.isLarge()) {
      return large(type, row, column);
    }
    return switch (type.kind()) {
      case BOOLEAN -> row.raw(column) != 0;
      case TINYINT, SMALLINT, INTEGER -> (int) row.raw(column);
      case BIGINT -> row.raw(column);
      case REAL -> Float.intBitsToFloat((int) row.raw(column));
      case DOUBLE -> Double.longBitsToDouble(row.raw(column));
      case DECIMAL, WIDE_DECIMAL -> decimal(type, row, column);
      case DATE -> CivilDates.date(date(type, row, column));
      case TIME -> Time.valueOf(time(type, row, column));
      case TIMESTAMP -> CivilDates.timestamp(timestamp(type, row, column));
      case TIMESTAMP_TZ -> zoned(type, row, column).toOffsetDateTime();
      case CHAR, VARCHAR -> row.string(column);
      case INTERVAL_MONTHS, INTERVAL_MICROS -> ValueText.of(type, row, column);
      case VARBINARY -> bytes(type, row, column);
      case UUID -> uuid(type, row, column);
    };
  }

  private static Object large(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    return type.kind().isCharacter()
        ? new TextObject(row.string(column))
        : new BytesObject(bytes(type, row, column));
  }

  /** The value as an object of the class asked for. */
  public static Object as(Class<?> asked, SqlTypeSpec type, RowSet row, int column)
      throws SQLException {
    Class<?> c = asked;
    if (c == Object.class) {
      return natural(type, row, column);
    } else if (c == String.class) {
      return ValueText.of(type, row, column);
    } else if (c == Integer.class || c == int.class) {
      return (int) integer(type, row, column);
    } else if (c == Long.class || c == long.class) {
      return whole(type, row, column);
    } else if (c == Short.class || c == short.class) {
      return (short) smallint(type, row, column);
    } else if (c == Byte.class || c == byte.class) {
      return (byte) tinyint(type, row, column);
    } else if (c == Boolean.class || c == boolean.class) {
      return bool(type, row, column);
    } else if (c == Double.class || c == double.class) {
      return real(type, row, column);
    } else if (c == Float.class || c == float.class) {
      return (float) real(type, row, column);
    } else if (c == BigDecimal.class) {
      return decimal(type, row, column);
    } else if (c == BigInteger.class) {
      return decimal(type, row, column).toBigInteger();
    } else if (c == byte[].class) {
      return bytes(type, row, column);
    } else if (c == UUID.class) {
      return uuid(type, row, column);
    } else if (c == Clob.class || c == NClob.class) {
      return new TextObject(ValueText.of(type, row, column));
    } else if (c == SQLXML.class) {
      return new XmlText(ValueText.of(type, row, column));
    } else if (c == Blob.class) {
      return new BytesObject(bytes(type, row, column));
    }
    return asTime(c, type, row, column);
  }

  private static Object asTime(Class<?> asked, SqlTypeSpec type, RowSet row, int column)
      throws SQLException {
    if (asked == LocalDate.class) {
      return date(type, row, column);
    } else if (asked == LocalTime.class) {
      return time(type, row, column);
    } else if (asked == LocalDateTime.class) {
      return timestamp(type, row, column);
    } else if (asked == Date.class) {
      return CivilDates.date(date(type, row, column));
    } else if (asked == Time.class) {
      return Time.valueOf(time(type, row, column));
    } else if (asked == Timestamp.class || asked == java.util.Date.class) {
      return sqlTimestamp(type, row, column);
    } else if (asked == OffsetDateTime.class) {
      return zoned(type, row, column).toOffsetDateTime();
    } else if (asked == ZonedDateTime.class) {
      return zoned(type, row, column);
    } else if (asked == Instant.class) {
      return zoned(type, row, column).toInstant();
    } else if (asked == Period.class && type.kind() == SqlTypeSpec.Kind.INTERVAL_MONTHS) {
      return period(row.raw(column));
    } else if (asked == Duration.class && type.kind() == SqlTypeSpec.Kind.INTERVAL_MICROS) {
      return Duration.of(row.raw(column), ChronoUnit.MICROS);
    }
    throw SqlErrors.notSupported("getObject of " + asked.getName() + " from " + type);
  }

  private static Period period(long months) throws SQLException {
    long years = months / MONTHS_PER_YEAR;
    if (years != (int) years) {
      throw outOfRange(years, "the years of a Period");
    }
    return Period.of((int) years, (int) (months % MONTHS_PER_YEAR), 0);
  }

  /** The instant in the zone of the JVM, of which a timestamp without a zone is taken to be. */
  private static ZonedDateTime zoned(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    long micros =
        switch (type.kind()) {
          case TIMESTAMP_TZ -> row.raw(column);
          case CHAR, VARCHAR -> parsed(InstantText::parse, row.string(column));
          default ->
              ChronoUnit.MICROS.between(
                  Instant.EPOCH,
                  timestamp(type, row, column).atZone(ZoneId.systemDefault()).toInstant());
        };
    return Instant.ofEpochSecond(
            Math.floorDiv(micros, MICROS_PER_SECOND),
            Math.floorMod(micros, MICROS_PER_SECOND) * 1000)
        .atZone(ZoneId.systemDefault());
  }

  private static UUID uuid(SqlTypeSpec type, RowSet row, int column) throws SQLException {
    if (type.kind() == SqlTypeSpec.Kind.UUID) {
      return UuidText.uuid(row.bytes(column));
    }
    String text = ValueText.of(type, row, column).strip();
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw notA(text, "UUID");
    }
  }

  private static SQLException notA(String text, String type) {
    return SqlErrors.of(SqlCondition.INVALID_CAST, "'" + text + "' is not a value of type " + type);
  }

  private static SQLException outOfRange(Object value, String type) {
    return SqlErrors.of(ErrorCode.NUMERIC_OUT_OF_RANGE, value + " is out of the range of " + type);
  }

  private static SQLException noConversion(SqlTypeSpec type, String asked) {
    return SqlErrors.of(SqlCondition.INVALID_CAST, "a " + type + " cannot be read as " + asked);
  }
}
