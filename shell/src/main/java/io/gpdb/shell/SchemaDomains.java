package io.gpdb.shell;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Domains and distinct types, and the columns that are declared with them. */
final class SchemaDomains {
  private SchemaDomains() {}

  /** The statements that create the domains of a schema. */
  static List<String> create(Connection connection, String schema) throws SQLException {
    Map<String, String> statements = new LinkedHashMap<>();
    try (PreparedStatement domains =
        connection.prepareStatement(
            "SELECT domain_name, data_type, character_maximum_length, numeric_precision,"
                + " numeric_scale, datetime_precision, interval_type, domain_default"
                + " FROM INFORMATION_SCHEMA.DOMAINS WHERE domain_schema = ? ORDER BY 1")) {
      domains.setString(1, schema);
      try (ResultSet rows = domains.executeQuery()) {
        while (rows.next()) {
          String value = rows.getString(8);
          statements.put(
              rows.getString(1),
              "CREATE DOMAIN "
                  + Words.readable(rows.getString(1))
                  + " AS "
                  + type(rows)
                  + (value == null ? "" : " DEFAULT " + value));
        }
      }
    }
    addConstraints(connection, schema, statements);
    List<String> all = new ArrayList<>(types(connection, schema));
    statements.values().forEach(each -> all.add(each + ";"));
    return all;
  }

  private static List<String> types(Connection connection, String schema) throws SQLException {
    List<String> statements = new ArrayList<>();
    try (PreparedStatement types =
        connection.prepareStatement(
            "SELECT user_defined_type_name, data_type, character_maximum_length,"
                + " numeric_precision, numeric_scale, datetime_precision, interval_type,"
                + " cast_to_distinct, cast_to_source FROM INFORMATION_SCHEMA.USER_DEFINED_TYPES"
                + " WHERE user_defined_type_schema = ? ORDER BY 1")) {
      types.setString(1, schema);
      try (ResultSet rows = types.executeQuery()) {
        while (rows.next()) {
          String name = rows.getString(1);
          String toDistinct = rows.getString(8);
          String toSource = rows.getString(9);
          statements.add(
              "CREATE TYPE "
                  + Words.readable(name)
                  + " AS "
                  + type(rows)
                  + " FINAL"
                  + (name.equals(toDistinct) ? "" : cast("SOURCE AS DISTINCT", toDistinct))
                  + (toSource == null ? "" : cast("DISTINCT AS SOURCE", toSource))
                  + ";");
        }
      }
    }
    return statements;
  }

  private static String cast(String direction, String function) {
    return "\n  CAST (" + direction + ") WITH " + Words.readable(function);
  }

  private static void addConstraints(
      Connection connection, String schema, Map<String, String> statements) throws SQLException {
    try (PreparedStatement checks =
        connection.prepareStatement(
            "SELECT domain_name, constraint_name, check_clause"
                + " FROM INFORMATION_SCHEMA.DOMAIN_CONSTRAINTS"
                + " WHERE domain_schema = ? ORDER BY 1, 2")) {
      checks.setString(1, schema);
      try (ResultSet rows = checks.executeQuery()) {
        while (rows.next()) {
          String condition = rows.getString(3);
          String constraint =
              "\n  CONSTRAINT "
                  + Words.readable(rows.getString(2))
                  + (condition.equals("VALUE IS NOT NULL")
                      ? " NOT NULL"
                      : " CHECK (" + condition + ")");
          statements.computeIfPresent(rows.getString(1), (_, text) -> text + constraint);
        }
      }
    }
  }

  /** The type that columns 2 to 7 of the row describe, as SQL writes it. */
  static String type(ResultSet rows) throws SQLException {
    String name = rows.getString(2);
    long length = rows.getLong(3);
    if (!rows.wasNull()) {
      return name + "(" + length + ")";
    }
    int digits = rows.getInt(6);
    return switch (name) {
      case "DECIMAL" -> name + "(" + rows.getInt(4) + ", " + rows.getInt(5) + ")";
      case "TIME", "TIMESTAMP" -> name + "(" + digits + ")";
      case "TIMESTAMP WITH TIME ZONE" -> "TIMESTAMP(" + digits + ") WITH TIME ZONE";
      case "INTERVAL" -> name + " " + rows.getString(7);
      default -> name;
    };
  }

  /** By column, the domain or distinct type that it is declared with. */
  static Map<String, String> ofColumns(Connection connection, String schema, String table)
      throws SQLException {
    Map<String, String> domains = new HashMap<>();
    try (PreparedStatement columns =
        connection.prepareStatement(
            "SELECT column_name, COALESCE(domain_schema, udt_schema), COALESCE(domain_name, udt_name)"
                + " FROM INFORMATION_SCHEMA.COLUMNS WHERE table_schema = ? AND table_name = ?"
                + " AND COALESCE(domain_name, udt_name) IS NOT NULL")) {
      columns.setString(1, schema);
      columns.setString(2, table);
      try (ResultSet rows = columns.executeQuery()) {
        while (rows.next()) {
          List<String> name = new ArrayList<>();
          if (!rows.getString(2).equals(schema)) {
            name.add(Words.readable(rows.getString(2)));
          }
          name.add(Words.readable(rows.getString(3)));
          domains.put(rows.getString(1), String.join(".", name));
        }
      }
    }
    return domains;
  }
}
