package io.gpdb.sql.catalog;

import static io.gpdb.sql.type.SqlTypeSpec.BIGINT;
import static io.gpdb.sql.type.SqlTypeSpec.INTEGER;
import static io.gpdb.sql.type.SqlTypeSpec.VARCHAR;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tables of INFORMATION_SCHEMA and their columns, in few words. */
final class HostColumns {
  private HostColumns() {}

  static HostTable table(String name, ColumnDef... columns) {
    return new HostTable(SchemaNames.INFORMATION_SCHEMA, name, List.of(columns));
  }

  static ColumnDef text(String name) {
    return new ColumnDef(name, VARCHAR, false, null);
  }

  /** A text that may be NULL. */
  static ColumnDef maybe(String name) {
    return new ColumnDef(name, VARCHAR, true, null);
  }

  static ColumnDef number(String name) {
    return new ColumnDef(name, INTEGER, false, null);
  }

  static ColumnDef big(String name) {
    return new ColumnDef(name, BIGINT, false, null);
  }

  static ColumnDef optional(String name, SqlTypeSpec type) {
    return new ColumnDef(name, type, true, null);
  }

  /** Decimal digits of an exact type, binary digits of a floating one. */
  static @Nullable Integer numericPrecision(SqlTypeSpec type) {
    return switch (type.kind()) {
      case TINYINT -> 3;
      case SMALLINT -> 5;
      case INTEGER -> 10;
      case BIGINT -> 19;
      case REAL -> 24;
      case DOUBLE -> 53;
      case DECIMAL, WIDE_DECIMAL -> type.precision();
      case BOOLEAN,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMP_TZ,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          CHAR,
          VARCHAR,
          VARBINARY,
          UUID ->
          null;
    };
  }
}
