package io.gpdb.shell;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Functions and procedures, as INFORMATION_SCHEMA shows them. */
final class SchemaRoutines {
  /** What a routine is called among the names of views. */
  private static final String MARK = "routine ";

  private SchemaRoutines() {}

  static boolean isRoutine(String name) {
    return name.startsWith(MARK);
  }

  /** Adds the routines to the views with what each of them uses, and what views use of them. */
  static void addUses(Connection connection, String schema, Map<String, List<String>> uses)
      throws SQLException {
    add(
        connection,
        schema,
        uses,
        "SELECT '%1$s' || r.routine_name, u.table_name FROM INFORMATION_SCHEMA.ROUTINES r"
            + " LEFT JOIN INFORMATION_SCHEMA.ROUTINE_TABLE_USAGE u"
            + " ON u.specific_schema = r.specific_schema AND u.specific_name = r.specific_name"
            + " AND u.table_schema = r.routine_schema WHERE r.routine_schema = ?");
    add(
        connection,
        schema,
        uses,
        "SELECT '%1$s' || r.routine_name, '%1$s' || u.routine_name"
            + " FROM INFORMATION_SCHEMA.ROUTINES r"
            + " JOIN INFORMATION_SCHEMA.ROUTINE_ROUTINE_USAGE u"
            + " ON u.specific_schema = r.specific_schema AND u.specific_name = r.specific_name"
            + " AND u.routine_schema = r.routine_schema WHERE r.routine_schema = ?");
    add(
        connection,
        schema,
        uses,
        "SELECT v.table_name, '%1$s' || r.routine_name FROM INFORMATION_SCHEMA.VIEW_ROUTINE_USAGE v"
            + " JOIN INFORMATION_SCHEMA.ROUTINES r"
            + " ON v.specific_schema = r.specific_schema AND v.specific_name = r.specific_name"
            + " AND v.table_schema = r.routine_schema WHERE r.routine_schema = ?");
  }

  private static void add(
      Connection connection, String schema, Map<String, List<String>> uses, String query)
      throws SQLException {
    try (PreparedStatement usage = connection.prepareStatement(query.formatted(MARK))) {
      usage.setString(1, schema);
      try (ResultSet rows = usage.executeQuery()) {
        while (rows.next()) {
          List<String> of = uses.computeIfAbsent(rows.getString(1), _ -> new ArrayList<>());
          if (rows.getString(2) != null) {
            of.add(rows.getString(2));
          }
        }
      }
    }
  }

  /** The statements that create the routine of that marked name and grant what was granted. */
  static List<String> create(Connection connection, String schema, String marked)
      throws SQLException {
    String name = marked.substring(MARK.length());
    List<String> statements = new ArrayList<>();
    try (PreparedStatement routine =
        connection.prepareStatement(
            "SELECT specific_name, data_type, character_maximum_length, numeric_precision,"
                + " numeric_scale, datetime_precision, interval_type, routine_type,"
                + " is_deterministic, sql_data_access, is_null_call, routine_definition"
                + " FROM INFORMATION_SCHEMA.ROUTINES WHERE routine_schema = ?"
                + " AND routine_name = ?")) {
      routine.setString(1, schema);
      routine.setString(2, name);
      try (ResultSet rows = routine.executeQuery()) {
        while (rows.next()) {
          statements.add(create(connection, schema, name, rows));
          statements.addAll(grants(connection, schema, name, rows.getString(8)));
        }
      }
    }
    return statements;
  }

  private static String create(Connection connection, String schema, String name, ResultSet routine)
      throws SQLException {
    String specific = routine.getString(1);
    boolean function = routine.getString(8).equals("FUNCTION");
    return "CREATE "
        + routine.getString(8)
        + " "
        + Words.readable(name)
        + " ("
        + String.join(", ", parameters(connection, schema, specific, function))
        + ")"
        + (function ? " RETURNS " + SchemaDomains.type(routine) : "")
        + (specific.equals(name) ? "" : " SPECIFIC " + Words.readable(specific))
        + (routine.getString(9).equals("YES") ? " DETERMINISTIC" : "")
        + access(routine.getString(10))
        + ("YES".equals(routine.getString(11)) ? " RETURNS NULL ON NULL INPUT" : "")
        + "\n"
        + routine.getString(12)
        + ";";
  }

  private static String access(String access) {
    return switch (access) {
      case "READS" -> " READS SQL DATA";
      case "MODIFIES" -> " MODIFIES SQL DATA";
      default -> " CONTAINS SQL";
    };
  }

  private static List<String> parameters(
      Connection connection, String schema, String specific, boolean function) throws SQLException {
    List<String> parameters = new ArrayList<>();
    try (PreparedStatement all =
        connection.prepareStatement(
            "SELECT parameter_name, data_type, character_maximum_length, numeric_precision,"
                + " numeric_scale, datetime_precision, interval_type, parameter_mode"
                + " FROM INFORMATION_SCHEMA.PARAMETERS WHERE specific_schema = ?"
                + " AND specific_name = ? ORDER BY ordinal_position")) {
      all.setString(1, schema);
      all.setString(2, specific);
      try (ResultSet rows = all.executeQuery()) {
        while (rows.next()) {
          parameters.add(
              (function ? "" : rows.getString(8) + " ")
                  + Words.readable(rows.getString(1))
                  + " "
                  + SchemaDomains.type(rows));
        }
      }
    }
    return parameters;
  }

  private static List<String> grants(Connection connection, String schema, String name, String kind)
      throws SQLException {
    List<String> grants = new ArrayList<>();
    try (PreparedStatement granted =
        connection.prepareStatement(
            "SELECT grantee, is_grantable FROM INFORMATION_SCHEMA.ROUTINE_PRIVILEGES"
                + " WHERE routine_schema = ? AND routine_name = ? AND grantor <> '_SYSTEM'")) {
      granted.setString(1, schema);
      granted.setString(2, name);
      try (ResultSet rows = granted.executeQuery()) {
        while (rows.next()) {
          grants.add(
              "GRANT EXECUTE ON "
                  + kind
                  + " "
                  + Words.readable(name)
                  + SchemaPrivileges.to(rows.getString(1))
                  + (rows.getString(2).equals("YES") ? " WITH GRANT OPTION;" : ";"));
        }
      }
    }
    return grants;
  }
}
