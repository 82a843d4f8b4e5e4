package io.gpdb.sql.definition;

import static io.gpdb.sql.type.SqlTypeSpec.BIGINT;
import static io.gpdb.sql.type.SqlTypeSpec.INTEGER;
import static io.gpdb.sql.type.SqlTypeSpec.VARCHAR;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;

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
}
