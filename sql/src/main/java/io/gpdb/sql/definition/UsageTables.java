package io.gpdb.sql.definition;

import static io.gpdb.sql.definition.HostColumns.maybe;
import static io.gpdb.sql.definition.HostColumns.table;
import static io.gpdb.sql.definition.HostColumns.text;

import java.util.ArrayList;
import java.util.List;

/** Tables of INFORMATION_SCHEMA about what constraints use, and what may be done by whom. */
final class UsageTables {
  private static final HostTable CONSTRAINT_TABLES =
      table(
          "CONSTRAINT_TABLE_USAGE",
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("CONSTRAINT_CATALOG"),
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"));

  private static final HostTable CONSTRAINT_COLUMNS =
      table(
          "CONSTRAINT_COLUMN_USAGE",
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          text("CONSTRAINT_CATALOG"),
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"));

  private static final HostTable TABLE_PRIVILEGES =
      table(
          "TABLE_PRIVILEGES",
          text("GRANTOR"),
          text("GRANTEE"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"),
          text("WITH_HIERARCHY"));

  private static final HostTable COLUMN_PRIVILEGES =
      table(
          "COLUMN_PRIVILEGES",
          text("GRANTOR"),
          text("GRANTEE"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"));

  private static final HostTable USAGE_PRIVILEGES =
      table(
          "USAGE_PRIVILEGES",
          text("GRANTOR"),
          text("GRANTEE"),
          text("OBJECT_CATALOG"),
          text("OBJECT_SCHEMA"),
          text("OBJECT_NAME"),
          text("OBJECT_TYPE"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"));

  private static final HostTable APPLICABLE_ROLES =
      table(
          "APPLICABLE_ROLES",
          text("GRANTEE"),
          text("ROLE_NAME"),
          text("IS_GRANTABLE"),
          maybe("GRANTOR"));

  /** What gpDB has none of. */
  static final List<HostTable> EMPTY = List.of(table("ENABLED_ROLES", text("ROLE_NAME")));

  static final List<HostTable> ALL = all();

  private UsageTables() {}

  private static List<HostTable> all() {
    List<HostTable> all = new ArrayList<>(EMPTY);
    all.addAll(
        List.of(
            CONSTRAINT_TABLES,
            CONSTRAINT_COLUMNS,
            TABLE_PRIVILEGES,
            COLUMN_PRIVILEGES,
            USAGE_PRIVILEGES,
            APPLICABLE_ROLES));
    return all;
  }
}
