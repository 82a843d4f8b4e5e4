package io.gpdb.bench.kill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The tables that the workers share, and how they begin. */
final class KillWorkload {
  static final int WORKERS = 4;

  /** The workers, and behind them those of the hot row. */
  static final int CONNECTIONS = WORKERS + HotRow.WORKERS;

  static final long OPENING_BALANCE = 100_000;

  /** Every transaction leaves both as they are. */
  static final String SUMS = "SELECT count(*), sum(balance) FROM accounts";

  private KillWorkload() {}

  /** Throws unless the row of {@link #SUMS} is as it was at the beginning. */
  static void requireSums(ResultSet row, String who) throws SQLException {
    if (row.getInt(1) != Work.ACCOUNTS || row.getLong(2) != Work.ACCOUNTS * OPENING_BALANCE) {
      throw new IllegalStateException(
          "%s saw %d accounts with %d".formatted(who, row.getInt(1), row.getLong(2)));
    }
  }

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE accounts (id INTEGER PRIMARY KEY, owner VARCHAR(20) NOT NULL,"
              + " balance BIGINT NOT NULL)");
      statement.execute(
          "CREATE TABLE journal (worker INTEGER, n BIGINT, part INTEGER, source INTEGER NOT NULL,"
              + " target INTEGER NOT NULL, amount BIGINT NOT NULL, PRIMARY KEY (worker, n, part),"
              + " FOREIGN KEY (source) REFERENCES accounts,"
              + " FOREIGN KEY (target) REFERENCES accounts DEFERRABLE INITIALLY DEFERRED)");
      statement.execute("CREATE SEQUENCE numbers CACHE 50");
      statement.execute(
          "CREATE TABLE items (id BIGINT PRIMARY KEY, worker INTEGER NOT NULL,"
              + " slot INTEGER NOT NULL, v BIGINT NOT NULL, note VARCHAR(40) UNIQUE,"
              + " price DECIMAL(12, 2), ratio DOUBLE,"
              + " number BIGINT DEFAULT NEXT VALUE FOR numbers UNIQUE,"
              + " CHECK (slot BETWEEN 0 AND 99))");
      statement.execute("CREATE INDEX items_by_price ON items (slot, price DESC, worker)");
      statement.execute(
          "CREATE TABLE wide (id INTEGER PRIMARY KEY, worker INTEGER NOT NULL, v BIGINT NOT NULL)");
      for (int worker = 0; worker < WORKERS; worker++) {
        statement.execute(
            "CREATE TABLE "
                + chunkTable(worker)
                + " (id INTEGER PRIMARY KEY, n BIGINT NOT NULL, note VARCHAR(40))");
      }
      statement.execute("CREATE TABLE progress (worker INTEGER PRIMARY KEY, n BIGINT NOT NULL)");
    }
    HotRow.create(connection);
    connection.setAutoCommit(false);
    fill(connection, "INSERT INTO accounts VALUES (?, ?, ?)", Work.ACCOUNTS, KillWorkload::account);
    int wide = WORKERS * WorkerModel.WIDE_ROWS;
    fill(connection, "INSERT INTO wide VALUES (?, ?, ?)", wide, KillWorkload::wideRow);
    fill(connection, "INSERT INTO progress VALUES (?, ?)", WORKERS, KillWorkload::progressRow);
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** What a checkpoint often finds empty, and a commit beside it fills. */
  static String chunkTable(int worker) {
    return "chunk_" + worker;
  }

  static String extraTable(int worker) {
    return "extra_" + worker;
  }

  static String extraColumn(int worker) {
    return "more_" + worker;
  }

  private interface RowBinder {
    void bind(PreparedStatement insert, int row) throws SQLException;
  }

  private static void fill(Connection connection, String sql, int rows, RowBinder binder)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(sql)) {
      for (int row = 0; row < rows; row++) {
        binder.bind(insert, row);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void account(PreparedStatement insert, int row) throws SQLException {
    insert.setInt(1, row);
    insert.setString(2, "owner " + row);
    insert.setLong(3, OPENING_BALANCE);
  }

  /** Neighbours belong to different workers, so that their updates meet in every tablet. */
  private static void wideRow(PreparedStatement insert, int row) throws SQLException {
    insert.setInt(1, row);
    insert.setInt(2, row % WORKERS);
    insert.setLong(3, 0);
  }

  private static void progressRow(PreparedStatement insert, int row) throws SQLException {
    insert.setInt(1, row);
    insert.setLong(2, 0);
  }
}
