package io.gpdb.bench.kill;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A schema of each worker with definitions of every sort. It is made, altered and dropped by steps
 * in a circle, a transaction each, so that the number of steps alone says what must be there: what
 * the same steps leave in a database in memory, which nobody kills.
 */
final class Structures {
  /** Statements of each step; {@code $} is the worker's number. */
  private static final List<List<String>> STEPS =
      List.of(
          List.of(
              "CREATE SCHEMA own_$",
              "CREATE TABLE own_$.t (id INTEGER GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                  + " a INTEGER, b VARCHAR(20), c DECIMAL(10, 2),"
                  + " twice INTEGER GENERATED ALWAYS AS (a * 2) STORED)",
              "INSERT INTO own_$.t (a, b, c) VALUES (1, 'x', 2.5), (2, 'y', 3.5), (3, NULL, 4)"),
          List.of(
              "CREATE VIEW own_$.v AS SELECT id, a FROM own_$.t WHERE a > 1 WITH CHECK OPTION",
              "COMMENT ON TABLE own_$.t IS 'rows of worker $'",
              "COMMENT ON COLUMN own_$.t.b IS 'a text'",
              "INSERT INTO own_$.v (a) VALUES (7)"),
          List.of(
              "CREATE DOMAIN own_$.d AS INTEGER DEFAULT 5 CHECK (VALUE < 100000)",
              "ALTER TABLE own_$.t ADD COLUMN d own_$.d",
              "ALTER DOMAIN own_$.d ADD CONSTRAINT positive CHECK (VALUE > 0)",
              "CREATE TYPE own_$.m AS DECIMAL(6, 2) FINAL CAST (DISTINCT AS SOURCE) WITH of_m",
              "ALTER TABLE own_$.t ADD COLUMN m own_$.m DEFAULT 1.5",
              "UPDATE own_$.t SET m = own_$.m(a) WHERE m < own_$.m(2)"),
          List.of(
              "CREATE FUNCTION own_$.f(x INTEGER) RETURNS INTEGER RETURN x + 1",
              "CREATE PROCEDURE own_$.p(x INTEGER)"
                  + " BEGIN ATOMIC UPDATE own_$.t SET d = own_$.f(x) WHERE a < 3; END",
              "CALL own_$.p(10)"),
          List.of(
              "CREATE SEQUENCE own_$.q START WITH 10", "ALTER SEQUENCE own_$.q RESTART WITH 40"),
          List.of(
              "ALTER TABLE own_$.t ALTER COLUMN b SET DATA TYPE VARCHAR(40)",
              "ALTER TABLE own_$.t ALTER COLUMN c SET DEFAULT 9",
              "ALTER TABLE own_$.t ALTER COLUMN d SET NOT NULL"),
          List.of(
              "ALTER TABLE own_$.t ADD CONSTRAINT some_a UNIQUE (a) DEFERRABLE INITIALLY DEFERRED",
              "ALTER TABLE own_$.t ADD CONSTRAINT few CHECK (c < 1000)",
              "ALTER TABLE own_$.t RENAME CONSTRAINT few TO fewer",
              "UPDATE own_$.t SET a = a + 1"),
          List.of(
              "CREATE UNIQUE INDEX i ON own_$.t (twice, id)",
              "CREATE INDEX j ON own_$.t USING HASH (b)"),
          List.of(
              "CREATE TABLE own_$.copied AS SELECT a, b FROM own_$.t",
              "ALTER TABLE own_$.copied RENAME TO kept",
              "ALTER TABLE own_$.kept RENAME COLUMN b TO text"),
          List.of(
              "DROP TABLE IF EXISTS passing_$",
              "CREATE TEMPORARY TABLE passing_$ (x INTEGER)",
              "INSERT INTO passing_$ SELECT a FROM own_$.t"),
          List.of("CREATE ROLE reader_$", "GRANT SELECT, UPDATE ON own_$.t TO reader_$"),
          List.of(
              "MERGE INTO own_$.t USING (VALUES (3, 'm'), (900, 'n')) AS s (a, b) ON t.a = s.a"
                  + " WHEN MATCHED THEN UPDATE SET b = s.b"
                  + " WHEN NOT MATCHED THEN INSERT (a, b) VALUES (s.a, s.b)"),
          List.of(
              "TRUNCATE TABLE own_$.t RESTART IDENTITY",
              "INSERT INTO own_$.t (a, b) VALUES (5, 'five'), (6, 'six')"),
          List.of(
              "ALTER TABLE own_$.t DROP CONSTRAINT fewer",
              "ALTER TABLE own_$.t ALTER COLUMN c DROP DEFAULT",
              "ALTER INDEX own_$.i RENAME TO k"),
          List.of(
              "DROP INDEX own_$.k",
              "CREATE OR REPLACE VIEW own_$.v AS SELECT id, a, b FROM own_$.t",
              "DROP FUNCTION own_$.f CASCADE",
              "REVOKE UPDATE ON own_$.t FROM reader_$"),
          List.of("DROP SCHEMA own_$ CASCADE", "DROP ROLE reader_$"));

  /** What INFORMATION_SCHEMA says of definitions. */
  private static final List<String> DESCRIPTIONS =
      List.of(
          "CHECK_CONSTRAINTS",
          "COLUMNS",
          "COLUMN_DOMAIN_USAGE",
          "COLUMN_STATISTICS",
          "DOMAINS",
          "DOMAIN_CONSTRAINTS",
          "INDEXES",
          "INDEX_COLUMNS",
          "KEY_COLUMN_USAGE",
          "PARAMETERS",
          "ROLE_TABLE_GRANTS",
          "ROUTINES",
          "ROUTINE_TABLE_USAGE",
          "SCHEMATA",
          "SEQUENCES",
          "TABLES",
          "TABLE_CONSTRAINTS",
          "USER_DEFINED_TYPES",
          "VIEWS",
          "VIEW_TABLE_USAGE");

  private static final Map<Integer, List<List<String>>> WANTED = new ConcurrentHashMap<>();

  private Structures() {}

  /** The number of steps after which the schema is gone again. */
  static int circle() {
    return STEPS.size();
  }

  /** Carries out the step that follows that number of steps. */
  static void step(Statement statement, int worker, long before) throws SQLException {
    for (String sql : STEPS.get((int) (before % STEPS.size()))) {
      statement.execute(sql.replace("$", Integer.toString(worker)));
    }
  }

  /** What is wrong with a worker's schema after that number of steps. */
  static List<String> problems(Connection connection, int worker, long steps) throws SQLException {
    List<String> found = description(connection, worker);
    List<String> wanted = wanted(worker, (int) (steps % STEPS.size()));
    List<String> missing = new ArrayList<>(wanted);
    missing.removeAll(found);
    found.removeAll(wanted);
    List<String> problems = new ArrayList<>();
    missing.forEach(text -> problems.add("not there after step " + steps + ": " + text));
    found.forEach(text -> problems.add("there after step " + steps + ": " + text));
    return problems;
  }

  /** What the steps of a circle leave where nothing is killed. */
  private static List<String> wanted(int worker, int steps) throws SQLException {
    List<List<String>> known = WANTED.get(worker);
    if (known == null) {
      known = byNumberOfSteps(worker);
      WANTED.put(worker, known);
    }
    return known.get(steps);
  }

  /** What each number of steps leaves, of less than a circle. */
  private static List<List<String>> byNumberOfSteps(int worker) throws SQLException {
    List<List<String>> left = new ArrayList<>();
    try (Connection twin = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = twin.createStatement()) {
      for (int steps = 0; steps < STEPS.size(); steps++) {
        statement.execute("DROP TABLE IF EXISTS passing_" + worker);
        left.add(List.copyOf(description(twin, worker)));
        step(statement, worker, steps);
      }
    }
    return left;
  }

  /** Its definitions, a line each, and the rows of its tables without their identities. */
  private static List<String> description(Connection connection, int worker) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      for (String table : DESCRIPTIONS) {
        lines(statement, "SELECT * FROM INFORMATION_SCHEMA." + table, table).stream()
            .filter(line -> isOf(worker, line))
            .forEach(lines::add);
      }
      String schema = "OWN_" + worker;
      for (String name : List.of("T", "KEPT", "V")) {
        if (lines.stream().anyMatch(line -> line.startsWith("TABLES") && line.contains(name))) {
          String columns = name.equals("V") ? "a" : name.equals("T") ? "a, b, c, twice" : "*";
          String sql = "SELECT " + columns + " FROM " + schema + "." + name;
          lines.addAll(lines(statement, sql, name));
        }
      }
    }
    return lines;
  }

  private static boolean isOf(int worker, String line) {
    return line.contains("OWN_" + worker)
        || line.contains("READER_" + worker)
        || line.contains("PASSING_" + worker);
  }

  private static List<String> lines(Statement statement, String sql, String name)
      throws SQLException {
    List<String> lines = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(sql)) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder line = new StringBuilder(name);
        for (int c = 1; c <= columns; c++) {
          line.append(c == 1 ? ": " : ", ").append(rows.getString(c));
        }
        lines.add(line.toString());
      }
    }
    return lines;
  }
}
