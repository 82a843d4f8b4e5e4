package io.gpdb.bench.device;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The table and the statements whose times on a device are measured. */
final class TriedStatements {
  /**
   * One statement.
   *
   * @param protocol the commit protocol of a change; empty for the database's own
   */
  record Tried(String name, String sql, String protocol) {
    static Tried of(String name, String sql) {
      return new Tried(name, sql, "");
    }

    boolean isQuery() {
      return sql.startsWith("SELECT");
    }
  }

  private static final String FIVE_PERCENT = "UPDATE t SET a = a + 1 WHERE b < 50";

  static final List<Tried> ALL =
      List.of(
          Tried.of(
              "count and sum with a filter of 0.5%", "SELECT count(*), sum(a) FROM t WHERE b < 5"),
          Tried.of(
              "count, sum and avg of REAL, 50% pass",
              "SELECT count(*), sum(f), avg(f) FROM t WHERE b < 500"),
          Tried.of(
              "sum of an expression, min, max, two filters",
              "SELECT sum(a * 2 + b), min(c), max(c) FROM t WHERE b > 3 AND a < 60000"),
          Tried.of("GROUP BY INT, 150 groups", "SELECT g, count(*), sum(a) FROM t GROUP BY g"),
          Tried.of(
              "GROUP BY VARCHAR, 1 000 groups, top 5",
              "SELECT s, count(*) c FROM t GROUP BY s ORDER BY c DESC, s LIMIT 5"),
          Tried.of("ORDER BY … LIMIT 10", "SELECT k, a FROM t ORDER BY a DESC, k LIMIT 10"),
          Tried.of("count(DISTINCT) of 65 536 values", "SELECT count(DISTINCT a) FROM t"),
          Tried.of(
              "join by key, 0.1% of one side",
              "SELECT x.k, y.a FROM t x JOIN t y ON x.a = y.k WHERE x.b = 7"),
          Tried.of(
              "LIKE '%7%' on 1 000 distinct strings", "SELECT count(*) FROM t WHERE s LIKE '%7%'"),
          Tried.of("SELECT by key", "SELECT a FROM t WHERE k = 77"),
          Tried.of("UPDATE of 5%, one column", FIVE_PERCENT),
          Tried.of("UPDATE of 50%, one column", "UPDATE t SET f = f + 1 WHERE b < 500"),
          Tried.of("UPDATE by key", "UPDATE t SET a = a - 1 WHERE k = 5"),
          new Tried("UPDATE of 5% by undo", FIVE_PERCENT, "undo"),
          new Tried("UPDATE of 5% by versioned", FIVE_PERCENT, "versioned"));

  private static final int BATCH_ROWS = 100_000;

  private TriedStatements() {}

  /** The same rows wherever it is called. */
  static void load(Connection connection, int rows) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER, b INTEGER, c BIGINT, f REAL,"
              + " g INTEGER, s VARCHAR(10))");
    }
    connection.setAutoCommit(false);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)")) {
      for (int i = 0; i < rows; i++) {
        add(insert, i);
        if (i % BATCH_ROWS == BATCH_ROWS - 1) {
          var _ = insert.executeBatch();
        }
      }
      var _ = insert.executeBatch();
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private static void add(PreparedStatement insert, int i) throws SQLException {
    insert.setInt(1, i);
    insert.setInt(2, (int) ((i * 2_654_435_761L) >>> 8) & 0xffff); // spread over 16 bits
    insert.setInt(3, i % 1000);
    insert.setLong(4, i * 7L);
    insert.setFloat(5, (i % 977) * 0.5f);
    insert.setInt(6, i % 150);
    insert.setString(7, "s" + i % 1000);
    insert.addBatch();
  }
}
