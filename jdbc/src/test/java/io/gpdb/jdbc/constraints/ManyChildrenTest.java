package io.gpdb.jdbc.constraints;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Foreign keys of so many rows that kernels look for rows without a parent, against the same query
 * asked in SQL before the change is made.
 */
class ManyChildrenTest {
  private static final long SEED = Long.getLong("gpdb.seed", System.nanoTime());
  private static final int PARENTS = 9000;

  /** So many are judged by look-ups before a plan is made. */
  private static final int FIRST_ROWS = 320_000;

  private final Random random = new Random(SEED);

  private static void execute(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  private static List<String> rows(Connection c, String sql) throws SQLException {
    try (Statement s = c.createStatement();
        ResultSet found = s.executeQuery(sql)) {
      List<String> rows = new ArrayList<>();
      while (found.next()) {
        rows.add(found.getString(1));
      }
      return rows;
    }
  }

  /** The state of the error, or none; the message has to name a row that has no parent. */
  private static String outcome(Connection c, String sql) throws SQLException {
    try {
      execute(c, sql);
      return "";
    } catch (SQLException e) {
      if (e.getSQLState().equals("23503")) {
        assertThat(e.getMessage()).contains("is violated by the row");
      }
      return e.getSQLState();
    }
  }

  /** A key of the type for a number; distinct for distinct numbers. */
  private static String key(String type, String number) {
    return switch (type) {
      case "DECIMAL(12,2)" -> "CAST(" + number + " AS DECIMAL(12,2)) / 4";
      default -> "CAST(" + number + " AS " + type + ")";
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"INTEGER", "DECIMAL(12,2)", "SMALLINT", "VARCHAR(9)"})
  void theyHoldWhereNoRowIsWithoutParent(String type) throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:gpdb:mem:many");
        Connection other = DriverManager.getConnection("jdbc:gpdb:mem:many")) {
      execute(c, "SET auto_vacuum = off"); // a rewritten table has a plan of its own
      String series = " FROM GENERATE_SERIES(1, " + PARENTS + ") AS g(i)";
      execute(c, "CREATE TABLE p (b INTEGER, a " + type + ", UNIQUE (a, b), UNIQUE (a))");
      execute(c, "INSERT INTO p SELECT MOD(i, 3), " + key(type, "i") + series);
      execute(c, "CREATE TABLE src (n INTEGER, a " + type + ", b INTEGER)");
      execute(
          c,
          "CREATE TABLE c (n INTEGER, a %s REFERENCES p (a), b INTEGER,".formatted(type)
              + " FOREIGN KEY (b, a) REFERENCES p (b, a))");
      fill(c, type, FIRST_ROWS, 0);
      execute(c, "INSERT INTO c SELECT * FROM src");
      execute(c, "DELETE FROM c WHERE n > 12000");
      for (int round = 0; round < Integer.getInteger("gpdb.fuzz", 6); round++) {
        round(c, other, type, round % 3, "seed=" + SEED + ", round=" + round);
      }
      addLater(c, type, 0);
      addLater(c, type, 1);
    }
  }

  /** Rows of which about so many have no parent, and some no key. */
  private void fill(Connection c, String type, int rows, int orphans) throws SQLException {
    execute(c, "DELETE FROM src");
    execute(
        c,
        "INSERT INTO src SELECT i, CASE WHEN MOD(i, 97) = 0 THEN NULL ELSE "
            + key(type, "1 + MOD(i, " + PARENTS + ")")
            + " END, MOD(1 + MOD(i, "
            + PARENTS
            + "), 3) FROM GENERATE_SERIES(1, "
            + rows
            + ") AS g(i)");
    for (int i = 0; i < orphans; i++) {
      String wrong =
          random.nextBoolean()
              ? "a = " + key(type, String.valueOf(PARENTS + 1 + random.nextInt(900)))
              : "b = b + 1";
      execute(c, "UPDATE src SET " + wrong + " WHERE n = " + withKey(rows));
    }
  }

  /** The number of a row that has a key. */
  private int withKey(int rows) {
    int n = 1 + random.nextInt(rows);
    return n % 97 == 0 ? n - 1 : n;
  }

  /** Others take a parent away meanwhile where the turn is 0; rows have none where it is 1. */
  private void round(Connection c, Connection other, String type, int turn, String name)
      throws SQLException {
    fill(c, type, 10_000 + random.nextInt(3000), turn == 1 ? 1 + random.nextInt(2) : 0);
    String orphans =
        "SELECT count(*) FROM %s WHERE a IS NOT NULL AND (a NOT IN (SELECT a FROM p)"
            + " OR b IS NOT NULL AND NOT EXISTS (SELECT 1 FROM p WHERE p.a = %s.a AND p.b = %s.b))";
    boolean taken = turn == 0;
    if (taken) {
      execute(
          c, "DELETE FROM c WHERE a IN (%s, %s)".formatted(key(type, "8998"), key(type, "8999")));
      execute(other, "BEGIN");
      execute(
          other,
          random.nextBoolean()
              ? "DELETE FROM p WHERE a = " + key(type, "8999")
              : "UPDATE p SET b = b + 3 WHERE a = " + key(type, "8998"));
    }
    boolean holds = rows(c, orphans.formatted("src", "src", "src")).equals(List.of("0"));
    long before = Long.parseLong(rows(c, "SELECT count(*) FROM c").getFirst());
    String sql =
        random.nextBoolean()
            ? "INSERT INTO c SELECT * FROM src"
            : "MERGE INTO c USING src ON c.n = src.n AND 1 = 0"
                + " WHEN NOT MATCHED THEN INSERT (n, a, b) VALUES (src.n, src.a, src.b)";
    String state = outcome(c, sql);
    long after = Long.parseLong(rows(c, "SELECT count(*) FROM c").getFirst());
    if (!holds) {
      assertThat(state).as(name).isIn("23503", taken ? "40001" : "23503");
    } else {
      assertThat(state).as(name).isEqualTo(taken ? "40001" : "");
    }
    assertThat(after > before).as(name).isEqualTo(state.isEmpty());
    if (taken) {
      execute(other, "ROLLBACK");
    }
    assertThat(outcome(c, "UPDATE c SET a = a, b = b")).as(name).isEmpty();
    assertThat(rows(c, orphans.formatted("c", "c", "c"))).as(name).containsExactly("0");
    execute(c, "DELETE FROM c WHERE n > 12000 OR MOD(n, 2) = " + random.nextInt(2));
  }

  /** ADD FOREIGN KEY judges all rows of a table. */
  private void addLater(Connection c, String type, int orphans) throws SQLException {
    fill(c, type, FIRST_ROWS, orphans);
    execute(c, "CREATE TABLE d AS SELECT * FROM src");
    String state = outcome(c, "ALTER TABLE d ADD FOREIGN KEY (a, b) REFERENCES p (a, b)");
    assertThat(state).as("seed=" + SEED).isEqualTo(orphans == 0 ? "" : "23503");
    execute(c, "DROP TABLE d");
  }

  /** Of more parents than are read together. */
  @ParameterizedTest
  @ValueSource(strings = {"CASCADE", "SET NULL"})
  void actionsReachTheChildrenOfAllParents(String action) throws SQLException {
    try (Connection c = DriverManager.getConnection("jdbc:gpdb:mem:")) {
      execute(c, "CREATE TABLE p (a INTEGER PRIMARY KEY)");
      execute(c, "INSERT INTO p SELECT i FROM GENERATE_SERIES(0, 39999) AS g(i)");
      execute(
          c,
          "CREATE TABLE c (n INTEGER, a INTEGER REFERENCES p ON DELETE %s ON UPDATE %s)"
              .formatted(action, action));
      execute(c, "INSERT INTO c SELECT a, a FROM p UNION ALL SELECT a, a FROM p");
      execute(c, "DELETE FROM p WHERE MOD(a, 2) = 0");
      execute(c, "UPDATE p SET a = a + 100000 WHERE a < 39000");
      boolean cascades = action.equals("CASCADE");
      assertThat(rows(c, "SELECT count(*) FROM c")).containsExactly(cascades ? "40000" : "80000");
      assertThat(rows(c, "SELECT count(*) FROM c WHERE a = n + 100000"))
          .containsExactly(cascades ? "39000" : "0");
      assertThat(rows(c, "SELECT count(*) FROM c WHERE a = n")).containsExactly("1000");
      assertThat(rows(c, "SELECT count(*) FROM c WHERE a NOT IN (SELECT a FROM p)"))
          .containsExactly("0");
    }
  }
}
