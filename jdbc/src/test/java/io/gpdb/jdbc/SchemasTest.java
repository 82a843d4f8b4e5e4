package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Schemas over JDBC: the connection's own, metadata, reopening, and names resolved at random. */
class SchemasTest {
  @TempDir private Path directory;

  private static Connection memory(String name) throws SQLException {
    return DriverManager.getConnection("jdbc:gpdb:mem:schemas-" + name);
  }

  private static void run(Connection connection, String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static String one(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static List<String> texts(ResultSet rows, String... columns) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (String column : columns) {
          row.add(rows.getString(column));
        }
        texts.add(String.join(".", row));
      }
    }
    return texts;
  }

  @Test
  void eachConnectionHasACurrentSchema() throws SQLException {
    try (Connection one = memory("current");
        Connection other = memory("current")) {
      run(one, "CREATE SCHEMA a", "CREATE TABLE a.t (x INTEGER)", "CREATE TABLE t (y INTEGER)");
      assertThat(one.getSchema()).isEqualTo("PUBLIC");
      one.setSchema("a");
      assertThat(one.getSchema()).isEqualTo("A");
      assertThat(other.getSchema()).isEqualTo("PUBLIC");
      run(one, "INSERT INTO t (x) VALUES (1)");
      run(other, "INSERT INTO t (y) VALUES (2)");
      assertThat(one(one, "SELECT * FROM t")).isEqualTo("1");
      assertThat(one(other, "SELECT * FROM t")).isEqualTo("2");
      assertThatThrownBy(() -> one.setSchema("nowhere"))
          .isInstanceOf(SQLException.class)
          .extracting(e -> ((SQLException) e).getSQLState())
          .isEqualTo("3F000");
      assertThat(one.getSchema()).isEqualTo("A");
    }
  }

  @Test
  void aPreparedStatementFollowsTheCurrentSchema() throws SQLException {
    try (Connection connection = memory("prepared")) {
      run(
          connection,
          "CREATE SCHEMA a",
          "CREATE TABLE a.t (x INTEGER PRIMARY KEY)",
          "CREATE TABLE t (x INTEGER PRIMARY KEY)",
          "INSERT INTO t VALUES (7)");
      try (PreparedStatement find = connection.prepareStatement("SELECT x FROM t WHERE x = ?")) {
        find.setInt(1, 7);
        assertThat(texts(find.executeQuery(), "X")).containsExactly("7");
        connection.setSchema("A");
        assertThat(texts(find.executeQuery(), "X")).isEmpty();
        connection.setSchema("PUBLIC");
        assertThat(texts(find.executeQuery(), "X")).containsExactly("7");
      }
    }
  }

  @Test
  void metadataFiltersBySchema() throws SQLException {
    try (Connection connection = memory("metadata")) {
      run(
          connection,
          "CREATE SCHEMA a",
          "CREATE TABLE a.t (x INTEGER PRIMARY KEY)",
          "CREATE TABLE t (y INTEGER)",
          "CREATE VIEW a.v AS SELECT x FROM a.t");
      var meta = connection.getMetaData();
      assertThat(texts(meta.getSchemas(), "TABLE_SCHEM"))
          .containsExactly("A", "INFORMATION_SCHEMA", "PUBLIC");
      assertThat(texts(meta.getSchemas(null, "A%"), "TABLE_SCHEM")).containsExactly("A");
      assertThat(texts(meta.getTables(null, "A", null, null), "TABLE_SCHEM", "TABLE_NAME"))
          .containsExactly("A.T", "A.V");
      assertThat(texts(meta.getColumns(null, "PUBLIC", "T", null), "TABLE_SCHEM", "COLUMN_NAME"))
          .containsExactly("PUBLIC.Y");
      assertThat(texts(meta.getPrimaryKeys(null, "A", "T"), "TABLE_SCHEM", "COLUMN_NAME"))
          .containsExactly("A.X");
      assertThat(texts(meta.getPrimaryKeys(null, "PUBLIC", "T"), "COLUMN_NAME")).isEmpty();
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT x, 1 AS one FROM a.t")) {
        assertThat(rows.getMetaData().getSchemaName(1)).isEqualTo("A");
        assertThat(rows.getMetaData().getTableName(1)).isEqualTo("T");
        assertThat(rows.getMetaData().getSchemaName(2)).isEmpty();
      }
    }
  }

  @Test
  void schemasSurviveReopening() throws SQLException {
    String url = "jdbc:gpdb:" + directory.resolve("db");
    try (Connection connection = DriverManager.getConnection(url)) {
      run(
          connection,
          "CREATE SCHEMA a",
          "CREATE SCHEMA b",
          "CREATE TABLE a.t (x INTEGER PRIMARY KEY)",
          "INSERT INTO a.t VALUES (5)",
          "CREATE TABLE t (x INTEGER)",
          "SET SCHEMA a",
          "CREATE VIEW b.v AS SELECT x FROM t",
          "DROP SCHEMA IF EXISTS c");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(connection.getSchema()).isEqualTo("PUBLIC");
      assertThat(one(connection, "SELECT x FROM b.v")).isEqualTo("5");
      run(connection, "DROP SCHEMA a CASCADE");
    }
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(texts(connection.getMetaData().getSchemas(), "TABLE_SCHEM"))
          .containsExactly("B", "INFORMATION_SCHEMA", "PUBLIC");
      assertThat(texts(connection.getMetaData().getTables(null, "B", null, null), "TABLE_NAME"))
          .isEmpty();
    }
  }

  /** Random schemas and tables against a map of names: each row says in which table it is. */
  @Test
  void namesMeanWhatAModelOfThemSays() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    Map<String, String> tables = new TreeMap<>();
    List<String> schemas = new ArrayList<>(List.of("PUBLIC"));
    String current = "PUBLIC";
    try (Connection connection = memory("model" + seed)) {
      for (int step = 0; step < 200; step++) {
        String schema = "S" + random.nextInt(4);
        String table = "T" + random.nextInt(3);
        boolean there = schemas.contains(schema);
        String place = "seed " + seed + ", step " + step;
        switch (random.nextInt(7)) {
          case 0 -> {
            assertThat(succeeds(connection, "CREATE SCHEMA " + schema))
                .as(place)
                .isNotEqualTo(there);
            if (!there) {
              schemas.add(schema);
            }
          }
          case 1 -> {
            boolean cascade = random.nextBoolean();
            boolean empty = tables.keySet().stream().noneMatch(n -> n.startsWith(schema + "."));
            assertThat(succeeds(connection, "DROP SCHEMA " + schema + (cascade ? " CASCADE" : "")))
                .as(place)
                .isEqualTo(there && (empty || cascade));
            if (there && (empty || cascade)) {
              schemas.remove(schema);
              tables.keySet().removeIf(name -> name.startsWith(schema + "."));
            }
          }
          case 2 -> {
            assertThat(succeeds(connection, "SET SCHEMA " + schema)).as(place).isEqualTo(there);
            current = there ? schema : current;
          }
          case 3, 4 -> {
            String name = (random.nextBoolean() ? current : schema) + "." + table;
            String written = name.startsWith(current + ".") ? table : name;
            boolean free =
                schemas.contains(name.substring(0, name.indexOf('.'))) && !tables.containsKey(name);
            String text = "'" + name + step + "' AS place";
            assertThat(succeeds(connection, "CREATE TABLE " + written + " AS SELECT " + text))
                .as(place)
                .isEqualTo(free);
            if (free) {
              tables.put(name, name + step);
            }
          }
          case 5 -> {
            String name = schema + "." + table;
            assertThat(succeeds(connection, "DROP TABLE " + name))
                .as(place)
                .isEqualTo(tables.remove(name) != null);
          }
          default -> {
            String name = random.nextBoolean() ? table : schema + "." + table;
            String expected = tables.get(name.contains(".") ? name : current + "." + name);
            if (expected == null) {
              assertThat(succeeds(connection, "SELECT place FROM " + name)).as(place).isFalse();
            } else {
              assertThat(one(connection, "SELECT place FROM " + name))
                  .as(place)
                  .isEqualTo(expected);
            }
          }
        }
      }
    }
  }

  /** Random foreign keys, of columns and of tables, written in any order of the tables. */
  @Test
  void tablesOfOneCreateSchemaMayReferToEachOther() throws SQLException {
    Random random = new Random(Long.getLong("gpdb.seed", 1));
    try (Connection connection = memory("circles")) {
      for (int round = 0; round < 6; round++) {
        List<String> expected = new ArrayList<>();
        StringBuilder create = new StringBuilder("CREATE SCHEMA c" + round);
        for (int t = 0; t < 4; t++) {
          StringBuilder clauses = new StringBuilder();
          create.append(" CREATE TABLE t").append(t).append(" (a INTEGER PRIMARY KEY");
          for (int k = 0; k < 3; k++) {
            int parent = random.nextInt(4);
            String name = "F" + t + k;
            boolean ofColumn = random.nextBoolean();
            boolean refers = random.nextInt(3) > 0;
            String references = " REFERENCES t" + parent + (random.nextBoolean() ? " (a)" : "");
            create.append(", b").append(k).append(" INTEGER");
            if (refers && ofColumn) {
              create.append(" CONSTRAINT ").append(name).append(references);
            } else if (refers) {
              clauses.append(", CONSTRAINT ").append(name);
              clauses.append(" FOREIGN KEY (b").append(k).append(")").append(references);
            }
            if (refers) {
              expected.add(name + ".T" + t + ".T" + parent + "_PKEY");
            }
          }
          create.append(clauses).append(")");
        }
        run(connection, create.toString());
        try (Statement statement = connection.createStatement()) {
          assertThat(
                  texts(
                      statement.executeQuery(
                          "SELECT constraint_name, table_name, unique_constraint_name FROM"
                              + " INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS"
                              + " WHERE constraint_schema = 'C"
                              + round
                              + "'"),
                      "CONSTRAINT_NAME",
                      "TABLE_NAME",
                      "UNIQUE_CONSTRAINT_NAME"))
              .as(create.toString())
              .containsExactlyInAnyOrderElementsOf(expected);
        }
      }
    }
  }

  private static boolean succeeds(Connection connection, String sql) throws SQLException {
    try {
      run(connection, sql);
      return true;
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(sql).isIn("42P06", "3F000", "2BP01", "42S01", "42S02");
      return false;
    }
  }
}
