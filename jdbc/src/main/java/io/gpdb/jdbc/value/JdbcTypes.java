package io.gpdb.jdbc.value;

import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.UuidText;
import java.sql.Blob;
import java.sql.Clob;
import java.sql.Types;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** How JDBC calls and measures the types of SQL. */
public final class JdbcTypes {
  private static final int REAL_DIGITS = 7;
  private static final int DOUBLE_DIGITS = 15;
  private static final int DATE_LENGTH = "2001-01-31".length();
  private static final int TIME_LENGTH = "23:59:59".length();
  private static final int OFFSET_LENGTH = "+01:00".length();

  private JdbcTypes() {}

  public static int code(SqlTypeSpec type) {
    if (type.isLarge()) {
      return type.kind() == Kind.VARBINARY ? Types.BLOB : Types.CLOB;
    }
    return switch (type.kind()) {
      case BOOLEAN -> Types.BOOLEAN;
      case TINYINT -> Types.TINYINT;
      case SMALLINT -> Types.SMALLINT;
      case INTEGER -> Types.INTEGER;
      case BIGINT -> Types.BIGINT;
      case REAL -> Types.REAL;
      case DOUBLE -> Types.DOUBLE;
      case DECIMAL, WIDE_DECIMAL -> Types.DECIMAL;
      case DATE -> Types.DATE;
      case TIME -> Types.TIME;
      case TIMESTAMP -> Types.TIMESTAMP;
      case TIMESTAMP_TZ -> Types.TIMESTAMP_WITH_TIMEZONE;
      case CHAR -> Types.CHAR;
      case VARCHAR -> Types.VARCHAR;
      case VARBINARY -> Types.VARBINARY;
      case UUID, INTERVAL_MONTHS, INTERVAL_MICROS -> Types.OTHER;
    };
  }

  /** The type that a number of JDBC names, without length; null for those that say nothing. */
  public static @Nullable SqlTypeSpec named(int code) {
    return switch (code) {
      case Types.BIT, Types.BOOLEAN -> SqlTypeSpec.BOOLEAN;
      case Types.TINYINT -> SqlTypeSpec.TINYINT;
      case Types.SMALLINT -> SqlTypeSpec.SMALLINT;
      case Types.INTEGER -> SqlTypeSpec.INTEGER;
      case Types.BIGINT -> SqlTypeSpec.BIGINT;
      case Types.REAL -> SqlTypeSpec.REAL;
      case Types.FLOAT, Types.DOUBLE -> SqlTypeSpec.DOUBLE;
      case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.NCHAR, Types.NVARCHAR ->
          SqlTypeSpec.VARCHAR;
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY -> SqlTypeSpec.VARBINARY;
      case Types.DATE -> SqlTypeSpec.DATE;
      case Types.TIME -> SqlTypeSpec.TIME;
      case Types.TIMESTAMP -> SqlTypeSpec.TIMESTAMP;
      case Types.TIMESTAMP_WITH_TIMEZONE -> SqlTypeSpec.TIMESTAMP_TZ;
      default -> null;
    };
  }

  public static String name(SqlTypeSpec type) {
    return type.name();
  }

  public static String className(SqlTypeSpec type) {
    if (type.isLarge()) {
      return (type.kind() == Kind.VARBINARY ? Blob.class : Clob.class).getName();
    }
    return switch (type.kind()) {
      case BOOLEAN -> Boolean.class.getName();
      case TINYINT, SMALLINT, INTEGER -> Integer.class.getName();
      case BIGINT -> Long.class.getName();
      case REAL -> Float.class.getName();
      case DOUBLE -> Double.class.getName();
      case DECIMAL, WIDE_DECIMAL -> java.math.BigDecimal.class.getName();
      case DATE -> java.sql.Date.class.getName();
      case TIME -> java.sql.Time.class.getName();
      case TIMESTAMP -> java.sql.Timestamp.class.getName();
      case TIMESTAMP_TZ -> java.time.OffsetDateTime.class.getName();
      case CHAR, VARCHAR, INTERVAL_MONTHS, INTERVAL_MICROS -> String.class.getName();
      case VARBINARY -> byte[].class.getName();
      case UUID -> UUID.class.getName();
    };
  }

  /** Decimal digits of a number, characters of a string or of a time as text. */
  public static int precision(SqlTypeSpec type) {
    return switch (type.kind()) {
      case BOOLEAN -> 1;
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case REAL -> REAL_DIGITS;
      case DOUBLE -> DOUBLE_DIGITS;
      case DECIMAL, WIDE_DECIMAL -> type.precision();
      case DATE -> DATE_LENGTH;
      case TIME -> TIME_LENGTH + fraction(type);
      case TIMESTAMP -> DATE_LENGTH + 1 + TIME_LENGTH + fraction(type);
      case TIMESTAMP_TZ -> DATE_LENGTH + 1 + TIME_LENGTH + fraction(type) + OFFSET_LENGTH;
      case UUID -> UuidText.LENGTH;
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(type).lengthMax();
      case CHAR, VARCHAR, VARBINARY ->
          type.precision() == SqlTypeSpec.UNBOUNDED ? Integer.MAX_VALUE : type.precision();
    };
  }

  private static int fraction(SqlTypeSpec type) {
    return type.precision() == 0 ? 0 : 1 + type.precision();
  }

  /** Digits after the point, of a number or of a second. */
  public static int scale(SqlTypeSpec type) {
    return switch (type.kind()) {
      case DECIMAL, WIDE_DECIMAL -> type.scale();
      case TIME, TIMESTAMP, TIMESTAMP_TZ -> type.precision();
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(type).fraction();
      default -> 0;
    };
  }

  public static int displaySize(SqlTypeSpec type) {
    int precision = precision(type);
    return switch (type.kind()) {
      case BOOLEAN -> "FALSE".length();
      case TINYINT, SMALLINT, INTEGER, BIGINT -> precision + 1;
      case REAL -> "-1.1754944E-38".length();
      case DOUBLE -> "-2.2250738585072014E-308".length();
      case DECIMAL, WIDE_DECIMAL -> precision + 2 + (type.scale() == precision ? 1 : 0);
      case VARBINARY -> precision > Integer.MAX_VALUE / 2 ? Integer.MAX_VALUE : precision * 2;
      case DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_TZ,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          CHAR,
          VARCHAR,
          UUID ->
          precision;
    };
  }

  public static boolean isSigned(Kind kind) {
    return kind.isNumeric();
  }
}
