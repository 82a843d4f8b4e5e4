package io.gpdb.jdbc.metadata;

import java.sql.Types;
import org.jspecify.annotations.Nullable;

/** Which types of JDBC a cast, and so {@code {fn CONVERT(…)}}, takes to which. */
public final class Conversions {
  private enum Kind {
    BOOLEAN,
    NUMBER,
    DATE,
    TIME,
    TIMESTAMP,
    TEXT,
    BYTES,
    UUID
  }

  private Conversions() {}

  public static boolean isSupported(int fromType, int toType) {
    Kind from = kind(fromType);
    Kind to = kind(toType);
    if (from == null || to == null) {
      return false;
    }
    return from == to
        || from == Kind.TEXT
        || to == Kind.TEXT
        || switch (from) {
          case NUMBER -> to == Kind.BOOLEAN;
          case DATE -> to == Kind.TIMESTAMP;
          case TIME -> toType == Types.TIMESTAMP;
          case TIMESTAMP -> to == Kind.DATE || to == Kind.TIME;
          case BOOLEAN, TEXT, BYTES, UUID -> false;
        };
  }

  private static @Nullable Kind kind(int type) {
    return switch (type) {
      case Types.BOOLEAN, Types.BIT -> Kind.BOOLEAN;
      case Types.TINYINT,
          Types.SMALLINT,
          Types.INTEGER,
          Types.BIGINT,
          Types.DECIMAL,
          Types.NUMERIC,
          Types.REAL,
          Types.FLOAT,
          Types.DOUBLE ->
          Kind.NUMBER;
      case Types.DATE -> Kind.DATE;
      case Types.TIME -> Kind.TIME;
      case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE -> Kind.TIMESTAMP;
      case Types.CHAR,
          Types.VARCHAR,
          Types.LONGVARCHAR,
          Types.NCHAR,
          Types.NVARCHAR,
          Types.LONGNVARCHAR,
          Types.CLOB,
          Types.NCLOB ->
          Kind.TEXT;
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> Kind.BYTES;
      case Types.OTHER -> Kind.UUID;
      default -> null;
    };
  }
}
