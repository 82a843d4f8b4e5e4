package io.gpdb.shell;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The constraints of tables as statements write them. */
final class SchemaConstraints {
  private SchemaConstraints() {}

  /** Those within CREATE TABLE: the keys, then CHECK. */
  static List<String> inTable(Connection connection, String schema, String table)
      throws SQLException {
    List<String> lines = new ArrayList<>();
    Map<String, List<String>> columns = new LinkedHashMap<>();
    Map<String, String> deferral = new HashMap<>();
    try (PreparedStatement keys =
        connection.prepareStatement(
            "SELECT c.constraint_name, c.constraint_type, k.column_name, c.is_deferrable,"
                + " c.initially_deferred"
                + " FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS c"
                + " JOIN INFORMATION_SCHEMA.KEY_COLUMN_USAGE k"
                + " ON k.constraint_schema = c.constraint_schema AND k.table_name = c.table_name"
                + " AND k.constraint_name = c.constraint_name"
                + " WHERE c.table_schema = ? AND c.table_name = ?"
                + " AND c.constraint_type IN ('PRIMARY KEY', 'UNIQUE')"
                + " ORDER BY c.constraint_name, k.ordinal_position")) {
      keys.setString(1, schema);
      keys.setString(2, table);
      try (ResultSet rows = keys.executeQuery()) {
        while (rows.next()) {
          String key = named(rows.getString(1)) + rows.getString(2);
          deferral.put(key, deferral(rows));
          columns
              .computeIfAbsent(key, _ -> new ArrayList<>())
              .add(Words.readable(rows.getString(3)));
        }
      }
    }
    columns.forEach((key, of) -> lines.add(key + list(of) + deferral.get(key)));
    lines.addAll(checks(connection, schema, table));
    return lines;
  }

  private static String deferral(ResultSet rows) throws SQLException {
    if (rows.getString("IS_DEFERRABLE").equals("NO")) {
      return "";
    }
    boolean deferred = rows.getString("INITIALLY_DEFERRED").equals("YES");
    return deferred ? " DEFERRABLE INITIALLY DEFERRED" : " DEFERRABLE";
  }

  private static String named(String name) {
    return "CONSTRAINT " + Words.readable(name) + " ";
  }

  private static String list(List<String> columns) {
    return " (" + String.join(", ", columns) + ")";
  }

  private static List<String> checks(Connection connection, String schema, String table)
      throws SQLException {
    List<String> lines = new ArrayList<>();
    try (PreparedStatement checks =
        connection.prepareStatement(
            "SELECT c.constraint_name, k.check_clause, c.is_deferrable, c.initially_deferred"
                + " FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS c"
                + " JOIN INFORMATION_SCHEMA.CHECK_CONSTRAINTS k"
                + " ON k.constraint_schema = c.constraint_schema"
                + " AND k.constraint_name = c.constraint_name AND k.table_name = c.table_name"
                + " WHERE c.table_schema = ? AND c.table_name = ?"
                + " AND c.constraint_type = 'CHECK' ORDER BY c.constraint_name")) {
      checks.setString(1, schema);
      checks.setString(2, table);
      try (ResultSet rows = checks.executeQuery()) {
        while (rows.next()) {
          String condition = rows.getString(2);
          // A comment would hide the parenthesis.
          boolean open = condition.contains("--") && !condition.endsWith("\n");
          lines.add(
              named(rows.getString(1))
                  + "CHECK ("
                  + condition
                  + (open ? "\n)" : ")")
                  + deferral(rows));
        }
      }
    }
    return lines;
  }

  /** The statements that add the table's foreign keys, whose parents may come after the table. */
  static List<String> foreignKeys(Connection connection, String table) throws SQLException {
    Map<String, ForeignKey> keys = new LinkedHashMap<>();
    Set<String> full = matchingFull(connection, table);
    try (ResultSet rows =
        connection.getMetaData().getImportedKeys(null, Schema.USER_SCHEMA, table)) {
      while (rows.next()) {
        String name = rows.getString("FK_NAME");
        ForeignKey key = keys.get(name);
        if (key == null) {
          String match = full.contains(name) ? " MATCH FULL" : "";
          key = new ForeignKey(name, parent(rows), match + rules(rows));
          keys.put(name, key);
        }
        key.columns.add(Words.readable(rows.getString("FKCOLUMN_NAME")));
        key.parentColumns.add(Words.readable(rows.getString("PKCOLUMN_NAME")));
      }
    }
    return keys.values().stream().map(key -> key.addedTo(table)).toList();
  }

  private static Set<String> matchingFull(Connection connection, String table) throws SQLException {
    Set<String> names = new HashSet<>();
    try (PreparedStatement keys =
        connection.prepareStatement(
            "SELECT constraint_name FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS"
                + " WHERE constraint_schema = ? AND table_name = ? AND match_option = 'FULL'")) {
      keys.setString(1, Schema.USER_SCHEMA);
      keys.setString(2, table);
      try (ResultSet rows = keys.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
    }
    return names;
  }

  private static String parent(ResultSet rows) throws SQLException {
    String schema = rows.getString("PKTABLE_SCHEM");
    return (schema.equals(Schema.USER_SCHEMA) ? "" : Words.readable(schema) + ".")
        + Words.readable(rows.getString("PKTABLE_NAME"));
  }

  private record ForeignKey(
      String name, String parent, String rules, List<String> columns, List<String> parentColumns) {
    ForeignKey(String name, String parent, String rules) {
      this(name, parent, rules, new ArrayList<>(), new ArrayList<>());
    }

    String addedTo(String table) {
      return "ALTER TABLE "
          + Words.readable(table)
          + " ADD "
          + named(name)
          + "FOREIGN KEY"
          + list(columns)
          + " REFERENCES "
          + parent
          + list(parentColumns)
          + rules
          + ";";
    }
  }

  private static String rules(ResultSet rows) throws SQLException {
    String deferral =
        switch (rows.getInt("DEFERRABILITY")) {
          case DatabaseMetaData.importedKeyInitiallyDeferred -> " DEFERRABLE INITIALLY DEFERRED";
          case DatabaseMetaData.importedKeyInitiallyImmediate -> " DEFERRABLE";
          default -> "";
        };
    return action(" ON DELETE ", rows.getInt("DELETE_RULE"))
        + action(" ON UPDATE ", rows.getInt("UPDATE_RULE"))
        + deferral;
  }

  private static String action(String event, int rule) {
    return switch (rule) {
      case DatabaseMetaData.importedKeyCascade -> event + "CASCADE";
      case DatabaseMetaData.importedKeyRestrict -> event + "RESTRICT";
      case DatabaseMetaData.importedKeySetNull -> event + "SET NULL";
      case DatabaseMetaData.importedKeySetDefault -> event + "SET DEFAULT";
      default -> "";
    };
  }
}
