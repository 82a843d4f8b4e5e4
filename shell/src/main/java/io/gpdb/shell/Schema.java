package io.gpdb.shell;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Tables and views as the driver's metadata shows them. */
final class Schema {
  static final String USER_SCHEMA = "PUBLIC";

  private Schema() {}

  /** Names of tables, then of views. */
  static List<String> tables(Connection connection) throws SQLException {
    List<String> tables = new ArrayList<>();
    try (ResultSet rows =
        connection
            .getMetaData()
            .getTables(null, USER_SCHEMA, "%", new String[] {"TABLE", "VIEW"})) {
      while (rows.next()) {
        tables.add(rows.getString("TABLE_NAME"));
      }
    }
    return tables;
  }

  /** Names of all columns by table. */
  static Map<String, List<String>> columns(Connection connection) throws SQLException {
    Map<String, List<String>> columns = new TreeMap<>();
    try (ResultSet rows = connection.getMetaData().getColumns(null, "%", "%", "%")) {
      while (rows.next()) {
        columns
            .computeIfAbsent(rows.getString("TABLE_NAME"), table -> new ArrayList<>())
            .add(rows.getString("COLUMN_NAME"));
      }
    }
    return columns;
  }

  static boolean exists(Connection connection, String table) throws SQLException {
    return tables(connection).contains(table);
  }

  /** The table that the word means. */
  static String require(Connection connection, String word) throws SQLException {
    String table = Words.nameOf(word);
    if (!exists(connection, table)) {
      throw new ShellError("there is no table " + Words.readable(table));
    }
    return table;
  }

  /**
   * The statements that create all of the user's objects, in an order in which they can be run:
   * foreign keys after all tables, views and routines after those that they use.
   */
  static List<String> create(Connection connection) throws SQLException {
    List<String> statements = new ArrayList<>(SchemaPrivileges.roles(connection));
    statements.addAll(SchemaDomains.create(connection, USER_SCHEMA));
    statements.addAll(SchemaPrivileges.onDomains(connection, USER_SCHEMA));
    statements.addAll(sequences(connection));
    List<String> views = viewsAndRoutines(connection);
    List<String> tables = new ArrayList<>(tables(connection));
    tables.removeAll(views);
    for (String table : tables) {
      statements.add(createTable(connection, table));
      statements.addAll(indexes(connection, table));
    }
    for (String table : tables) {
      statements.addAll(SchemaConstraints.foreignKeys(connection, table));
    }
    for (String table : tables) {
      statements.addAll(SchemaComments.of(connection, USER_SCHEMA, table, false));
      statements.addAll(SchemaPrivileges.of(connection, USER_SCHEMA, table));
    }
    for (String view : views) {
      statements.addAll(
          SchemaRoutines.isRoutine(view)
              ? SchemaRoutines.create(connection, USER_SCHEMA, view)
              : viewWithComments(connection, view));
    }
    return statements;
  }

  /** An invalid view is written as a comment, for the statement that creates it would fail. */
  private static List<String> viewWithComments(Connection connection, String view)
      throws SQLException {
    List<String> statements = new ArrayList<>(List.of(createView(connection, view)));
    statements.addAll(SchemaComments.of(connection, USER_SCHEMA, view, true));
    statements.addAll(SchemaPrivileges.of(connection, USER_SCHEMA, view));
    try (PreparedStatement read =
        connection.prepareStatement("SELECT * FROM " + Words.readable(view))) {
      var _ = read.getMetaData();
      return statements;
    } catch (SQLException e) {
      statements.addFirst(e.getMessage());
      return List.of(String.join("\n", statements).replaceAll("(?m)^", "-- "));
    }
  }

  /** The statements that create the table or view. */
  static List<String> create(Connection connection, String name) throws SQLException {
    boolean view = viewsAndRoutines(connection).contains(name);
    List<String> statements = new ArrayList<>();
    if (view) {
      statements.addAll(viewWithComments(connection, name));
    } else {
      statements.add(createTable(connection, name));
      statements.addAll(indexes(connection, name));
      statements.addAll(SchemaConstraints.foreignKeys(connection, name));
      statements.addAll(SchemaComments.of(connection, USER_SCHEMA, name, false));
      statements.addAll(SchemaPrivileges.of(connection, USER_SCHEMA, name));
    }
    return statements;
  }

  /** Names of views and marked ones of routines, each after those that it uses. */
  private static List<String> viewsAndRoutines(Connection connection) throws SQLException {
    Map<String, List<String>> reads = new TreeMap<>();
    try (PreparedStatement usage =
        connection.prepareStatement(
            "SELECT v.table_name, u.table_name FROM INFORMATION_SCHEMA.VIEWS v"
                + " LEFT JOIN INFORMATION_SCHEMA.VIEW_TABLE_USAGE u"
                + " ON u.view_schema = v.table_schema AND u.view_name = v.table_name"
                + " AND u.table_schema = v.table_schema WHERE v.table_schema = ?")) {
      usage.setString(1, USER_SCHEMA);
      try (ResultSet rows = usage.executeQuery()) {
        while (rows.next()) {
          List<String> of = reads.computeIfAbsent(rows.getString(1), _ -> new ArrayList<>());
          String used = rows.getString(2);
          if (used != null) {
            of.add(used);
          }
        }
      }
    }
    SchemaRoutines.addUses(connection, USER_SCHEMA, reads);
    Set<String> ordered = new LinkedHashSet<>();
    reads.keySet().forEach(view -> addAfterItsOwn(view, reads, ordered));
    return List.copyOf(ordered);
  }

  private static void addAfterItsOwn(
      String name, Map<String, List<String>> reads, Set<String> ordered) {
    List<String> read = reads.get(name);
    if (read != null && !ordered.contains(name)) {
      read.forEach(other -> addAfterItsOwn(other, reads, ordered));
      ordered.add(name);
    }
  }

  private static String createView(Connection connection, String name) throws SQLException {
    List<String> columns = columnsOf(connection, name).stream().map(Words::readable).toList();
    try (PreparedStatement view =
        connection.prepareStatement(
            "SELECT view_definition, check_option FROM INFORMATION_SCHEMA.VIEWS"
                + " WHERE table_schema = ? AND table_name = ?")) {
      view.setString(1, USER_SCHEMA);
      view.setString(2, name);
      try (ResultSet rows = view.executeQuery()) {
        rows.next();
        String option = rows.getString(2);
        return "CREATE VIEW "
            + Words.readable(name)
            + " ("
            + String.join(", ", columns)
            + ") AS\n"
            + rows.getString(1)
            + (option.equals("NONE") ? "" : "\nWITH " + option + " CHECK OPTION")
            + ";";
      }
    }
  }

  private static List<String> columnsOf(Connection connection, String name) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (PreparedStatement names =
        connection.prepareStatement(
            "SELECT column_name FROM INFORMATION_SCHEMA.COLUMNS"
                + " WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position")) {
      names.setString(1, USER_SCHEMA);
      names.setString(2, name);
      try (ResultSet rows = names.executeQuery()) {
        while (rows.next()) {
          columns.add(rows.getString(1));
        }
      }
    }
    return columns;
  }

  private static String createTable(Connection connection, String table) throws SQLException {
    DatabaseMetaData metaData = connection.getMetaData();
    List<String> lines = new ArrayList<>();
    String escape = metaData.getSearchStringEscape();
    String pattern =
        table
            .replace(escape, escape + escape)
            .replace("_", escape + "_")
            .replace("%", escape + "%");
    Map<String, String> generations = generations(connection, table);
    Map<String, String> domains = SchemaDomains.ofColumns(connection, USER_SCHEMA, table);
    try (ResultSet rows = metaData.getColumns(null, USER_SCHEMA, pattern, "%")) {
      while (rows.next()) {
        lines.add(column(rows, generations, domains));
      }
    }
    lines.addAll(SchemaConstraints.inTable(connection, USER_SCHEMA, table));
    return "CREATE TABLE "
        + Words.readable(table)
        + " (\n  "
        + String.join(",\n  ", lines)
        + "\n);";
  }

  /** The statements that create the table's indexes, but for those of keys. */
  static List<String> indexes(Connection connection, String table) throws SQLException {
    Map<String, String> starts = new LinkedHashMap<>();
    Map<String, List<String>> columns = new LinkedHashMap<>();
    try (PreparedStatement indexes =
        connection.prepareStatement(
            "SELECT i.index_name, i.is_unique, i.index_type, c.column_name,"
                + " c.ordering_specification FROM INFORMATION_SCHEMA.INDEXES i"
                + " JOIN INFORMATION_SCHEMA.INDEX_COLUMNS c"
                + " ON i.table_name = c.table_name AND i.index_name = c.index_name"
                + " AND i.table_schema = c.table_schema"
                + " WHERE i.table_name = ? AND i.table_schema = ? AND i.constraint_name IS NULL"
                + " ORDER BY i.index_name, c.ordinal_position")) {
      indexes.setString(1, table);
      indexes.setString(2, USER_SCHEMA);
      try (ResultSet rows = indexes.executeQuery()) {
        while (rows.next()) {
          String name = rows.getString(1);
          starts.put(
              name,
              (rows.getString(2).equals("YES") ? "CREATE UNIQUE INDEX " : "CREATE INDEX ")
                  + Words.readable(name)
                  + " ON "
                  + Words.readable(table)
                  + (rows.getString(3).equals("HASH") ? " USING HASH (" : " ("));
          columns
              .computeIfAbsent(name, n -> new ArrayList<>())
              .add(
                  Words.readable(rows.getString(4))
                      + (rows.getString(5).equals("DESC") ? " DESC" : ""));
        }
      }
    }
    List<String> statements = new ArrayList<>();
    starts.forEach(
        (name, start) -> statements.add(start + String.join(", ", columns.get(name)) + ");"));
    return statements;
  }

  /** By column, how it is numbered or computed, as CREATE TABLE writes it. */
  private static Map<String, String> generations(Connection connection, String table)
      throws SQLException {
    Map<String, String> generations = new TreeMap<>();
    try (PreparedStatement columns =
        connection.prepareStatement(
            "SELECT column_name, generation_expression, identity_generation, identity_start,"
                + " identity_increment, identity_minimum, identity_maximum, identity_cycle,"
                + " identity_cache FROM INFORMATION_SCHEMA.COLUMNS WHERE table_name = ?"
                + " AND table_schema = ? AND (is_identity = 'YES' OR is_generated = 'ALWAYS')")) {
      columns.setString(1, table);
      columns.setString(2, USER_SCHEMA);
      try (ResultSet rows = columns.executeQuery()) {
        while (rows.next()) {
          String expression = rows.getString(2);
          generations.put(
              rows.getString(1),
              expression != null
                  ? " GENERATED ALWAYS AS (" + expression + ")"
                  : " GENERATED " + rows.getString(3) + " AS IDENTITY (" + options(rows, 4) + ")");
        }
      }
    }
    return generations;
  }

  /** The options of a sequence in the columns from one on. */
  private static String options(ResultSet rows, int first) throws SQLException {
    return "START WITH "
        + rows.getLong(first)
        + " INCREMENT BY "
        + rows.getLong(first + 1)
        + " MINVALUE "
        + rows.getLong(first + 2)
        + " MAXVALUE "
        + rows.getLong(first + 3)
        + (rows.getString(first + 4).equals("YES") ? " CYCLE" : " NO CYCLE")
        + " CACHE "
        + rows.getLong(first + 5);
  }

  /** The statements that create the sequences that have a name. */
  static List<String> sequences(Connection connection) throws SQLException {
    List<String> statements = new ArrayList<>();
    try (PreparedStatement sequences =
        connection.prepareStatement(
            "SELECT sequence_name, data_type, start_value, increment, minimum_value,"
                + " maximum_value, cycle_option, cache FROM INFORMATION_SCHEMA.SEQUENCES"
                + " WHERE sequence_schema = ? ORDER BY sequence_name")) {
      sequences.setString(1, USER_SCHEMA);
      try (ResultSet rows = sequences.executeQuery()) {
        while (rows.next()) {
          statements.add(
              "CREATE SEQUENCE "
                  + Words.readable(rows.getString(1))
                  + " AS "
                  + rows.getString(2)
                  + " "
                  + options(rows, 3)
                  + ";");
        }
      }
    }
    return statements;
  }

  private static String column(
      ResultSet rows, Map<String, String> generations, Map<String, String> domains)
      throws SQLException {
    String name = rows.getString("COLUMN_NAME");
    String line = Words.readable(name) + " " + domains.getOrDefault(name, type(rows));
    String defaultSql = rows.getString("COLUMN_DEF");
    String generation = generations.get(name);
    if (generation != null) {
      line += generation;
    } else if (defaultSql != null) {
      line += " DEFAULT " + defaultSql;
    }
    return rows.getInt("NULLABLE") == DatabaseMetaData.columnNoNulls ? line + " NOT NULL" : line;
  }

  private static String type(ResultSet rows) throws SQLException {
    String name = rows.getString("TYPE_NAME");
    int size = rows.getInt("COLUMN_SIZE");
    int digits = rows.getInt("DECIMAL_DIGITS");
    return switch (rows.getInt("DATA_TYPE")) {
      case Types.DECIMAL -> name + "(" + size + ", " + digits + ")";
      case Types.CHAR, Types.VARCHAR, Types.VARBINARY ->
          size == Integer.MAX_VALUE ? name : name + "(" + size + ")";
      case Types.TIME, Types.TIMESTAMP -> digits == 6 ? name : name + "(" + digits + ")";
      case Types.TIMESTAMP_WITH_TIMEZONE ->
          digits == 6 ? name : "TIMESTAMP(" + digits + ") WITH TIME ZONE";
      default -> name;
    };
  }
}
