package io.gpdb.bench.peers;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Rows with a key added by the database's own appender, many in a transaction. */
final class AppendedWork {
  static final String SECTION = "appender, a million rows with a key a transaction";

  private static final int TRANSACTION_ROWS = 1_000_000;
  private static final int TRANSACTIONS = 5;

  private final Peer peer;
  private final Connection connection;
  private final PeerSizes sizes;

  AppendedWork(Peer peer, Connection connection, PeerSizes sizes) {
    this.peer = peer;
    this.connection = connection;
    this.sizes = sizes;
  }

  /** Does it, where the database has an appender. */
  void run(Consumer<Measured> found) throws SQLException {
    if (!RowAppender.isOf(peer)) {
      return;
    }
    create();
    connection.setAutoCommit(false);
    found.accept(new Measured(SECTION, "rows", "rows/s", true, rates(), null));
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE e");
    }
  }

  void create() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE e (id INTEGER PRIMARY KEY, b INTEGER, c BIGINT, d DOUBLE PRECISION,"
              + " s VARCHAR(20), n INTEGER, o INTEGER)");
    }
  }

  /** Of each transaction, from its first row to the end of its commit. */
  private List<Double> rates() throws SQLException {
    int rows = Math.min(TRANSACTION_ROWS, sizes.rows());
    List<Double> rates = new ArrayList<>();
    long end = System.nanoTime() + sizes.workSeconds() * 1_000_000_000L;
    while (rates.size() < TRANSACTIONS && (rates.isEmpty() || System.nanoTime() < end)) {
      int from = rates.size() * rows;
      long start = System.nanoTime();
      append(from, from + rows);
      connection.commit();
      rates.add(rows * 1e9 / (System.nanoTime() - start));
    }
    return rates;
  }

  void append(int from, int to) throws SQLException {
    try (RowAppender appender = RowAppender.of(peer, connection, "e")) {
      for (int i = from; i < to; i++) {
        long hash = PeerRows.mixed(i);
        appender.append(i);
        appender.append((int) (hash >>> 40));
        appender.append(hash);
        appender.append(hash / 3.0);
        appender.append("text " + (hash >>> 54));
        appender.append(0);
        appender.append(i % 7);
        appender.endRow();
      }
    }
  }
}
