package io.gpdb.bench.peers;

import io.gpdb.bench.harness.RowSink;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import java.util.function.IntFunction;

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

  /**
   * Fills the three tables.
   *
   * @param told how far it is
   */
  static void fill(Connection connection, int rows, Consumer<String> told) throws SQLException {
    int keys = Math.max(rows / ROWS_OF_A_KEY, 1);
    connection.setAutoCommit(false);
    insert(connection, "t", 10, 0, rows, id -> row(id, keys), told);
    insert(connection, "u", 2, 0, rows, id -> values(id, below(mixed(id) >>> 23, PERCENT)), told);
    insert(connection, "k", 2, 0, keys, id -> values(id, id % PERCENT), told);
    connection.setAutoCommit(true);
  }

  private static Object[] row(int id, int keys) {
    long hash = mixed(id);
    int value = below(hash >>> 19, VALUES);
    return values(
        id,
        below(hash, GROUPS),
        below(hash >>> 7, keys),
        below(hash >>> 13, PERCENT),
        value,
        value / 8f,
        value / 3.0,
        "name" + below(hash >>> 11, TEXTS),
        hash,
        below(hash >>> 23, PERCENT));
  }

  static Object[] values(Object... values) {
    return values;
  }

  /** Inserts the rows with these numbers, and commits every now and then. */
  static void insert(
      Connection connection,
      String table,
      int columns,
      int from,
      int to,
      IntFunction<Object[]> row,
      Consumer<String> told)
      throws SQLException {
    try (RowSink sink = RowSink.of(connection, table, columns, BATCH_ROWS)) {
      for (int id = from; id < to; id++) {
        sink.add(row.apply(id));
        if ((id + 1) % BATCH_ROWS == 0) {
          told.accept("filling %s, %,d of %,d rows".formatted(table, id + 1, to));
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
