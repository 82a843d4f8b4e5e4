package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;

/** Accounts between which several threads move money, through connections of a pool. */
final class PooledApplication {
  private static final int ACCOUNTS = 8;
  private static final int THREADS = 4;
  private static final int TRANSFERS = 25;

  private PooledApplication() {}

  static void run(DataSource pool) throws Exception {
    create(pool);
    List<Future<Integer>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      for (int i = 0; i < THREADS; i++) {
        int first = i;
        running.add(threads.submit(() -> transfer(pool, first)));
      }
      for (Future<Integer> done : running) {
        assertThat(done.get()).isEqualTo(TRANSFERS);
      }
    }
    assertThat(total(pool)).isEqualTo(100L * ACCOUNTS);
    aTransactionLeftOpenIsRolledBack(pool);
    anErrorLeavesTheConnectionUsable(pool);
  }

  private static void create(DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE account (id INTEGER PRIMARY KEY, balance BIGINT NOT NULL)");
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO account VALUES (?, ?)")) {
        for (int i = 0; i < ACCOUNTS; i++) {
          insert.setInt(1, i);
          insert.setLong(2, 100);
          insert.addBatch();
        }
        assertThat(insert.executeBatch()).hasSize(ACCOUNTS).containsOnly(1);
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  private static int transfer(DataSource pool, int thread) throws SQLException {
    int done = 0;
    while (done < TRANSFERS) {
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        try (PreparedStatement move =
            connection.prepareStatement("UPDATE account SET balance = balance + ? WHERE id = ?")) {
          move(move, -1, (thread + done) % ACCOUNTS);
          move(move, 1, (thread + done + 1) % ACCOUNTS);
          connection.commit();
          done++;
        } catch (SQLException e) {
          connection.rollback();
          assertThat(e.getSQLState()).isEqualTo("40001");
        }
      }
    }
    return done;
  }

  private static void move(PreparedStatement move, long amount, int account) throws SQLException {
    move.setLong(1, amount);
    move.setInt(2, account);
    assertThat(move.executeUpdate()).isOne();
  }

  private static long total(DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet sum = statement.executeQuery("SELECT sum(balance) FROM account")) {
      assertThat(sum.next()).isTrue();
      return sum.getLong(1);
    }
  }

  private static void aTransactionLeftOpenIsRolledBack(DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.executeUpdate("DELETE FROM account");
    }
    assertThat(total(pool)).isEqualTo(100L * ACCOUNTS);
  }

  private static void anErrorLeavesTheConnectionUsable(DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      assertThatThrownBy(() -> statement.executeUpdate("INSERT INTO account VALUES (1, 1)"))
          .hasFieldOrPropertyWithValue("SQLState", "23505");
      assertThat(statement.executeUpdate("UPDATE account SET balance = 100")).isEqualTo(ACCOUNTS);
    }
  }

  /** A pool whose connections are read only by default. */
  static void readOnly(DataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      assertThat(connection.isReadOnly()).isTrue();
      assertThatThrownBy(() -> statement.executeUpdate("DELETE FROM account"))
          .hasFieldOrPropertyWithValue("SQLState", "25006");
      try (ResultSet rows = statement.executeQuery("SELECT count(*) FROM account")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(ACCOUNTS);
      }
    }
  }
}
