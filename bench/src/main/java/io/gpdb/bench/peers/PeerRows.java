package io.gpdb.bench.peers;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables that are queried, with values that are a function of the row's number. */
final class PeerRows {
  /** Of the rows of {@code t}, as many refer to one row of {@code k}. */
  private static final int ROWS_OF_A_KEY = 10;

  private static final int BATCH_ROWS = 50_000;
  private static final int TEXTS = 1000;
  private static final int GROUPS = 150;
  private static final int VALUES = 100_000;
  private static final int PERCENT = 100;

  private PeerRows() {}

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, m INTEGER, p INTEGER, v INTEGER,"
              + " r REAL, d DOUBLE PRECISION, s VARCHAR(20), b BIGINT, x INTEGER)");
      statement.execute("CREATE TABLE u (id INTEGER PRIMARY KEY, p INTEGER)");
      statement.execute("CREATE TABLE k (id INTEGER PRIMARY KEY, w INTEGER)");
    }
  }

  static void fill(Connection connection, int rows) throws SQLException {
    int keys = Math.max(rows / ROWS_OF_A_KEY, 1);
    connection.setAutoCommit(false);
    insert(
        connection,
        "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
        (insert, id) -> bind(insert, id, keys));
    insert(
        connection,
        "INSERT INTO u VALUES (?, ?)",
        rows,
        (insert, id) -> {
          insert.setInt(1, id);
          insert.setInt(2, below(mixed(id) >>> 23, PERCENT));
        });
    insert(
        connection,
        "INSERT INTO k VALUES (?, ?)",
        keys,
        (insert, id) -> {
          insert.setInt(1, id);
          insert.setInt(2, id % PERCENT);
        });
    connection.setAutoCommit(true);
  }

  private static void bind(PreparedStatement insert, int id, int keys) throws SQLException {
    long hash = mixed(id);
    int value = below(hash >>> 19, VALUES);
    insert.setInt(1, id);
    insert.setInt(2, below(hash, GROUPS));
    insert.setInt(3, below(hash >>> 7, keys));
    insert.setInt(4, below(hash >>> 13, PERCENT));
    insert.setInt(5, value);
    insert.setFloat(6, value / 8f);
    insert.setDouble(7, value / 3.0);
    insert.setString(8, "name" + below(hash >>> 11, TEXTS));
    insert.setLong(9, hash);
    insert.setInt(10, below(hash >>> 23, PERCENT));
  }

  /** What binds the row of that number. */
  @FunctionalInterface
  interface Binding {
    void bind(PreparedStatement insert, int id) throws SQLException;
  }

  private static void insert(Connection connection, String sql, int rows, Binding binding)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int id = 0; id < rows; id++) {
        binding.bind(insert, id);
        insert.addBatch();
        if ((id + 1) % BATCH_ROWS == 0 || id + 1 == rows) {
          insert.executeBatch();
          connection.commit();
        }
      }
    }
  }

  /** Spreads numbers that follow each other over all 64 bits (the finalizer of splitmix64). */
  static long mixed(long number) {
    long z = (number + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  private static int below(long hash, int bound) {
    return (int) Math.floorMod(hash, (long) bound);
  }
}
