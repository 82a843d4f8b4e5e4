package io.gpdb.shell;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Roles, and what was granted to them and to everybody. */
final class SchemaPrivileges {
  private static final String GRANTED =
      "SELECT grantee, privilege_type, is_grantable, %s FROM INFORMATION_SCHEMA.%s"
          + " WHERE grantor <> '_SYSTEM' AND table_schema = ? AND table_name = ? ORDER BY 1, 2, 4";

  private SchemaPrivileges() {}

  /** The statements that create the roles and grant them to each other. */
  static List<String> roles(Connection connection) throws SQLException {
    List<String> created = new ArrayList<>();
    List<String> granted = new ArrayList<>();
    try (PreparedStatement roles =
            connection.prepareStatement(
                "SELECT role_name, grantee, is_grantable, grantor"
                    + " FROM INFORMATION_SCHEMA.APPLICABLE_ROLES ORDER BY 1, 2");
        ResultSet rows = roles.executeQuery()) {
      while (rows.next()) {
        String role = Words.readable(rows.getString(1));
        if (rows.getString(4).equals("_SYSTEM")) {
          created.add("CREATE ROLE " + role + ";");
        } else {
          granted.add(
              "GRANT "
                  + role
                  + to(rows.getString(2))
                  + (rows.getString(3).equals("YES") ? " WITH ADMIN OPTION;" : ";"));
        }
      }
    }
    created.addAll(granted);
    return created;
  }

  /** One privilege on a table, or on the column that is named. */
  private record Granted(String grantee, String action, boolean grantable, String column) {
    /** Whether one on the table says this of its column. */
    boolean isIn(List<Granted> onTable) {
      return onTable.contains(new Granted(grantee, action, true, ""))
          || (!grantable && onTable.contains(new Granted(grantee, action, false, "")));
    }

    String statement(String table) {
      return "GRANT "
          + action
          + (column.isEmpty() ? "" : " (" + Words.readable(column) + ")")
          + " ON "
          + Words.readable(table)
          + to(grantee)
          + (grantable ? " WITH GRANT OPTION;" : ";");
    }
  }

  /** The statements that grant what was granted on a table or view. */
  static List<String> of(Connection connection, String schema, String name) throws SQLException {
    List<Granted> all =
        granted(connection, GRANTED.formatted("''", "TABLE_PRIVILEGES"), schema, name);
    List<Granted> onColumns =
        granted(connection, GRANTED.formatted("column_name", "COLUMN_PRIVILEGES"), schema, name);
    onColumns.removeIf(each -> each.isIn(all));
    all.addAll(onColumns);
    return all.stream().map(each -> each.statement(name)).toList();
  }

  /** The statements that grant what was granted on the domains of a schema. */
  static List<String> onDomains(Connection connection, String schema) throws SQLException {
    List<String> granted = new ArrayList<>();
    try (PreparedStatement privileges =
        connection.prepareStatement(
            "SELECT object_name, grantee, is_grantable FROM INFORMATION_SCHEMA.USAGE_PRIVILEGES"
                + " WHERE grantor <> '_SYSTEM' AND object_type = 'DOMAIN' AND object_schema = ?"
                + " ORDER BY 1, 2")) {
      privileges.setString(1, schema);
      try (ResultSet rows = privileges.executeQuery()) {
        while (rows.next()) {
          granted.add(
              "GRANT USAGE ON DOMAIN "
                  + Words.readable(rows.getString(1))
                  + to(rows.getString(2))
                  + (rows.getString(3).equals("YES") ? " WITH GRANT OPTION;" : ";"));
        }
      }
    }
    return granted;
  }

  private static List<Granted> granted(
      Connection connection, String query, String schema, String name) throws SQLException {
    List<Granted> granted = new ArrayList<>();
    try (PreparedStatement privileges = connection.prepareStatement(query)) {
      privileges.setString(1, schema);
      privileges.setString(2, name);
      try (ResultSet rows = privileges.executeQuery()) {
        while (rows.next()) {
          granted.add(
              new Granted(
                  rows.getString(1),
                  rows.getString(2),
                  rows.getString(3).equals("YES"),
                  rows.getString(4)));
        }
      }
    }
    return granted;
  }

  static String to(String grantee) {
    return " TO " + (grantee.equals("PUBLIC") ? grantee : Words.readable(grantee));
  }
}
