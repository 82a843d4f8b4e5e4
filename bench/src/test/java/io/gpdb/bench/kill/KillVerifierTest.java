package io.gpdb.bench.kill;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KillVerifierTest {
  private static final long SEED = 5;
  private static final long TRANSACTIONS = 30;
  private static final long COUNTS = 10;

  private static Connection connection;
  private static Ledger ledger;

  @BeforeAll
  static void work(@TempDir Path folder) throws SQLException, IOException {
    connection = DriverManager.getConnection("jdbc:gpdb:mem:");
    ledger = new Ledger(folder.resolve("ledger"), KillWorkload.CONNECTIONS);
    KillWorkload.create(connection);
    for (int worker = 0; worker < KillWorkload.WORKERS; worker++) {
      connection.setAutoCommit(true);
      KillWorker work = new KillWorker(connection, ledger, SEED, worker);
      work.resume();
      work.run(TRANSACTIONS);
    }
    for (int worker = KillWorkload.WORKERS; worker < KillWorkload.CONNECTIONS; worker++) {
      connection.setAutoCommit(true);
      new HotRow(connection, ledger, SEED, worker).run(COUNTS);
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
    ledger.close();
  }

  /** What a test spoils is rolled back. */
  @AfterEach
  void rollBack() throws SQLException {
    connection.rollback();
    for (int worker = 0; worker < KillWorkload.WORKERS; worker++) {
      ledger.settle(worker, TRANSACTIONS);
    }
    for (int worker = KillWorkload.WORKERS; worker < KillWorkload.CONNECTIONS; worker++) {
      ledger.settle(worker, COUNTS);
      ledger.see(worker, 0);
    }
  }

  private List<String> problems() throws SQLException {
    List<WorkerModel> models = new ArrayList<>();
    for (int worker = 0; worker < KillWorkload.WORKERS; worker++) {
      models.add(new WorkerModel(SEED, worker));
    }
    long[] balances = new long[Work.ACCOUNTS];
    Arrays.fill(balances, KillWorkload.OPENING_BALANCE);
    SplittableRandom random = new SplittableRandom(SEED);
    return new KillVerifier(connection, ledger, models, balances, random).problems();
  }

  @Test
  void whatTheWorkersLeftIsWhatTheModelSays() throws SQLException {
    assertThat(problems()).isEmpty();
  }

  @Test
  void aTransactionAcknowledgedAndMissingIsFound() throws SQLException {
    ledger.begin(2, TRANSACTIONS + 1);
    ledger.acknowledge(2, TRANSACTIONS + 1);
    assertThat(problems()).anyMatch(p -> p.contains("worker 2: transaction 30 is the last found"));
  }

  @Test
  void aTransactionFoundAndNeverBegunIsFound() throws SQLException {
    execute("UPDATE progress SET n = n + 1 WHERE worker = 1");
    assertThat(problems()).anyMatch(p -> p.contains("worker 1: transaction 31 is the last found"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE accounts SET balance = balance + 1 WHERE id = 77",
        "UPDATE accounts SET owner = 'owner 3' WHERE id = 4",
        "DELETE FROM journal WHERE worker = 0 AND n = (SELECT max(n) FROM journal WHERE worker ="
            + " 0)",
        "UPDATE wide SET v = v + 1 WHERE id = 99999",
        "UPDATE items SET ratio = ratio + 1 WHERE id = (SELECT min(id) FROM items)",
        "UPDATE items SET note = 'x' WHERE id = (SELECT max(id) FROM items)",
        "DELETE FROM items WHERE id = (SELECT max(id) FROM items)",
        "INSERT INTO items VALUES (262143, 0, 0, 0, NULL, 0, 0, DEFAULT)",
        "DELETE FROM counted WHERE n = 5",
        "DELETE FROM counted WHERE n = (SELECT max(n) FROM counted)",
        "UPDATE counted SET n = n + 1 WHERE n = (SELECT max(n) FROM counted)",
        "UPDATE counted SET k = k + 1 WHERE k = (SELECT max(k) FROM counted)",
        "UPDATE hot SET n = n + 1"
      })
  void halfATransactionIsFound(String half) throws SQLException {
    execute(half);
    assertThat(problems()).isNotEmpty();
  }

  @Test
  void aCountAcknowledgedOrSeenAndMissingIsFound() throws SQLException {
    int worker = KillWorkload.WORKERS;
    ledger.see(worker, COUNTS * HotRow.WORKERS);
    assertThat(problems()).isEmpty();
    ledger.see(worker, COUNTS * HotRow.WORKERS + 1);
    assertThat(problems()).containsExactly("worker 4 saw count 41, and 40 are there");
    ledger.see(worker, 0);
    ledger.begin(worker, COUNTS + 1);
    ledger.acknowledge(worker, COUNTS + 1);
    assertThat(problems())
        .containsExactly(
            "worker 4: count 10 is the last found, 11 the last acknowledged, 11 the last begun");
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isPositive();
    }
  }
}
