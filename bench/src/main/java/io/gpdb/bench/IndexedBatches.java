package io.gpdb.bench;

import io.gpdb.bench.harness.MachineLimits;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Batches of 10 000 rows a transaction, by key, into a table with one secondary index or none;
 * binding of values included.
 */
final class IndexedBatches {
  /** What the index is. */
  static final List<String> KINDS = List.of("none", "BTREE", "HASH");

  private static final int BATCH_ROWS = 10_000;

  private final Path directory;
  private final String kind;
  private final int rows;

  IndexedBatches(Path directory, String kind, int rows) {
    this.directory = directory;
    this.kind = kind;
    this.rows = rows;
  }

  /** Rows a second of each kind of change. */
  Map<String, Double> run() throws SQLException {
    Map<String, Double> figures = new LinkedHashMap<>();
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + directory);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, k BIGINT, n INTEGER, v DOUBLE)");
      if (!kind.equals("none")) {
        statement.execute("CREATE INDEX t_k ON t (k) USING " + kind);
      }
      connection.setAutoCommit(false);
      insert(connection, 0);
      figures.put("INSERT", insert(connection, rows));
      figures.put(
          "UPDATE of another column",
          update(connection, "UPDATE t SET n = ?, v = v + 1 WHERE id = ?"));
      figures.put(
          "UPDATE of the indexed column", update(connection, "UPDATE t SET k = ? WHERE id = ?"));
      long start = System.nanoTime();
      statement.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, k BIGINT, n INTEGER, v DOUBLE)");
      if (!kind.equals("none")) {
        statement.execute("CREATE INDEX u_k ON u (k) USING " + kind);
      }
      statement.execute("INSERT INTO u SELECT * FROM t");
      connection.commit();
      figures.put("INSERT … SELECT", 2.0 * rows / MachineLimits.seconds(start));
    }
    return figures;
  }

  private double insert(Connection connection, int firstId) throws SQLException {
    SplittableRandom random = new SplittableRandom(firstId);
    long start = System.nanoTime();
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?)")) {
      for (int at = 0; at < rows; at += BATCH_ROWS) {
        for (int i = 0; i < BATCH_ROWS; i++) {
          insert.setInt(1, firstId + at + i);
          insert.setLong(2, random.nextLong());
          insert.setInt(3, i);
          insert.setDouble(4, i);
          insert.addBatch();
        }
        insert.executeBatch();
        connection.commit();
      }
    }
    return rows / MachineLimits.seconds(start);
  }

  private double update(Connection connection, String sql) throws SQLException {
    SplittableRandom random = new SplittableRandom(7);
    long start = System.nanoTime();
    try (PreparedStatement update = connection.prepareStatement(sql)) {
      for (int at = 0; at < rows; at += BATCH_ROWS) {
        for (int i = 0; i < BATCH_ROWS; i++) {
          update.setInt(1, random.nextInt());
          update.setInt(2, random.nextInt(2 * rows));
          update.addBatch();
        }
        update.executeBatch();
        connection.commit();
      }
    }
    return rows / MachineLimits.seconds(start);
  }
}
