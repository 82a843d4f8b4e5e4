package io.gpdb.sql.definition;

import static io.gpdb.sql.definition.HostColumns.maybe;
import static io.gpdb.sql.definition.HostColumns.table;
import static io.gpdb.sql.definition.HostColumns.text;

import java.util.List;

/**
 * Tables of INFORMATION_SCHEMA about what roles were granted, and what columns are declared with.
 */
final class GrantTables {
  private static final HostTable TABLES =
      table(
          "ROLE_TABLE_GRANTS",
          text("GRANTOR"),
          text("GRANTEE"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"),
          text("WITH_HIERARCHY"));

  private static final HostTable COLUMNS =
      table(
          "ROLE_COLUMN_GRANTS",
          text("GRANTOR"),
          text("GRANTEE"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"));

  private static final HostTable ROUTINES =
      table(
          "ROLE_ROUTINE_GRANTS",
          text("GRANTOR"),
          text("GRANTEE"),
          text("SPECIFIC_CATALOG"),
          text("SPECIFIC_SCHEMA"),
          text("SPECIFIC_NAME"),
          text("ROUTINE_CATALOG"),
          text("ROUTINE_SCHEMA"),
          text("ROUTINE_NAME"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"));

  private static final HostTable DOMAIN_USAGE =
      table(
          "COLUMN_DOMAIN_USAGE",
          text("DOMAIN_CATALOG"),
          text("DOMAIN_SCHEMA"),
          text("DOMAIN_NAME"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"));

  private static final HostTable USAGE_GRANTS =
      table(
          "ROLE_USAGE_GRANTS",
          text("GRANTOR"),
          text("GRANTEE"),
          text("OBJECT_CATALOG"),
          text("OBJECT_SCHEMA"),
          text("OBJECT_NAME"),
          text("OBJECT_TYPE"),
          text("PRIVILEGE_TYPE"),
          text("IS_GRANTABLE"));

  /** What gpDB has none of. */
  static final List<HostTable> EMPTY =
      List.of(
          table(
              "SQL_LANGUAGES",
              text("SQL_LANGUAGE_SOURCE"),
              maybe("SQL_LANGUAGE_YEAR"),
              maybe("SQL_LANGUAGE_CONFORMANCE"),
              maybe("SQL_LANGUAGE_INTEGRITY"),
              maybe("SQL_LANGUAGE_IMPLEMENTATION"),
              maybe("SQL_LANGUAGE_BINDING_STYLE"),
              maybe("SQL_LANGUAGE_PROGRAMMING_LANGUAGE")),
          table(
              "CHECK_CONSTRAINT_ROUTINE_USAGE",
              text("CONSTRAINT_CATALOG"),
              text("CONSTRAINT_SCHEMA"),
              text("CONSTRAINT_NAME"),
              text("SPECIFIC_CATALOG"),
              text("SPECIFIC_SCHEMA"),
              text("SPECIFIC_NAME")));

  static final List<HostTable> FILLED =
      List.of(TABLES, COLUMNS, ROUTINES, DOMAIN_USAGE, USAGE_GRANTS);

  private GrantTables() {}
}
