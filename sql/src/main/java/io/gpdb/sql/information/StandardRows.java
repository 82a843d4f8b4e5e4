package io.gpdb.sql.information;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.type.SqlLimits;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of tables of INFORMATION_SCHEMA that say what gpDB has of the standard. */
final class StandardRows {
  /**
   * The features of Core SQL; those that begin with {@code -} are not there, or not all of them.
   */
  private static final List<String> CORE =
      List.of(
          "E011 Numeric data types",
          "E021 Character data types",
          "E031 Identifiers",
          "E051 Basic query specification",
          "E061 Basic predicates and search conditions",
          "E071 Basic query expressions",
          "-E081 Basic privileges",
          "E091 Set functions",
          "E101 Basic data manipulation",
          "-E111 Single row SELECT statement",
          "E121 Basic cursor support",
          "E131 Null value support",
          "E141 Basic integrity constraints",
          "E151 Transaction support",
          "E152 Basic SET TRANSACTION statement",
          "E153 Updatable queries with subqueries",
          "E161 SQL comments using leading double minus",
          "E171 SQLSTATE support",
          "-E182 Host language binding",
          "F021 Basic information schema",
          "F031 Basic schema manipulation",
          "F041 Basic joined table",
          "F051 Basic date and time",
          "F081 UNION and EXCEPT in views",
          "F131 Grouped operations",
          "-F181 Multiple module support",
          "F201 CAST function",
          "F221 Explicit defaults",
          "F261 CASE expression",
          "F311 Schema definition statement",
          "F471 Scalar subquery values",
          "F481 Expanded NULL predicate",
          "F501 Features and conformance views",
          "-F812 Basic flagging",
          "S011 Distinct data types",
          "T321 Basic SQL-invoked routines",
          "T631 IN predicate with one list element");

  private StandardRows() {}

  static List<@Nullable Object[]> of(HostTable table, CatalogSnapshot catalog) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    HostRow row = new HostRow(table, rows);
    switch (table.name()) {
      case "SQL_FEATURES" -> features(row);
      case "SQL_SIZING" -> sizing(row);
      case "SQL_IMPLEMENTATION_INFO" -> implementation(row);
      case "CHARACTER_SETS" ->
          row.begin()
              .put("CHARACTER_SET_NAME", "UTF8")
              .put("CHARACTER_REPERTOIRE", "UCS")
              .put("FORM_OF_USE", "UTF8");
      case "VIEW_TABLE_USAGE" -> viewTables(row, catalog);
      default -> throw new IllegalArgumentException(table.name());
    }
    return rows;
  }

  private static void features(HostRow row) {
    for (String feature : CORE) {
      boolean lacks = feature.startsWith("-");
      String text = lacks ? feature.substring(1) : feature;
      int blank = text.indexOf(' ');
      row.begin()
          .put("FEATURE_ID", text.substring(0, blank))
          .put("FEATURE_NAME", text.substring(blank + 1))
          .put("SUB_FEATURE_ID", "")
          .put("SUB_FEATURE_NAME", "")
          .yes("IS_SUPPORTED", !lacks);
    }
  }

  /** Zero means that there is no limit. */
  private static void sizing(HostRow row) {
    size(row, 30, "MAXIMUM COLUMN NAME LENGTH", SqlLimits.NAME_LENGTH_MAX);
    size(row, 32, "MAXIMUM SCHEMA NAME LENGTH", SqlLimits.NAME_LENGTH_MAX);
    size(row, 34, "MAXIMUM CATALOG NAME LENGTH", SqlLimits.NAME_LENGTH_MAX);
    size(row, 35, "MAXIMUM TABLE NAME LENGTH", SqlLimits.NAME_LENGTH_MAX);
    size(row, 97, "MAXIMUM COLUMNS IN GROUP BY", 0);
    size(row, 99, "MAXIMUM COLUMNS IN ORDER BY", 0);
    size(row, 100, "MAXIMUM COLUMNS IN SELECT", 0);
    size(row, 101, "MAXIMUM COLUMNS IN TABLE", SqlLimits.COLUMNS_MAX);
    size(row, 106, "MAXIMUM TABLES IN SELECT", 0);
    size(row, 10005, "MAXIMUM IDENTIFIER LENGTH", SqlLimits.NAME_LENGTH_MAX);
  }

  private static void size(HostRow row, int id, String name, int value) {
    row.begin()
        .put("SIZING_ID", (Integer) id)
        .put("SIZING_NAME", name)
        .put("SUPPORTED_VALUE", (Integer) value);
  }

  /** By the numbers that the standard's call-level interface has for them. */
  private static void implementation(HostRow row) {
    information(row, 17, "DBMS NAME", null, "gpDB");
    information(row, 23, "CURSOR COMMIT BEHAVIOR", 1, null);
    information(row, 28, "IDENTIFIER CASE", 1, null);
    information(row, 46, "TRANSACTION CAPABLE", 2, null);
    information(row, 85, "NULL COLLATION", 0, null);
    information(row, 94, "SPECIAL CHARACTERS", null, "_$");
    information(row, 10003, "CATALOG NAME", null, "Y");
    information(row, 10004, "COLLATING SEQUENCE", null, "UTF8");
  }

  private static void information(
      HostRow row, int id, String name, @Nullable Integer number, @Nullable String text) {
    row.begin()
        .put("IMPLEMENTATION_INFO_ID", Integer.toString(id))
        .put("IMPLEMENTATION_INFO_NAME", name)
        .put("INTEGER_VALUE", number)
        .put("CHARACTER_VALUE", text);
  }

  private static void viewTables(HostRow row, CatalogSnapshot catalog) {
    for (ViewDef view : catalog.views()) {
      for (ObjectName used : view.uses().stream().distinct().toList()) {
        row.begin()
            .name("VIEW", view.schema(), view.name())
            .name("TABLE", used.schema(), used.name());
      }
    }
  }
}
