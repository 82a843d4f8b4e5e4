package io.gpdb.bench.kill;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** The process that is killed: opens the database, works on several connections, closes. */
public final class KillChild {
  /** The exit status after a failure of the database or a claim of the workload not met. */
  static final int FAILED = 3;

  private KillChild() {}

  /** Arguments: JDBC URL, ledger file, seed. */
  public static void main(String[] arguments) throws SQLException, IOException {
    Ledger ledger = new Ledger(Path.of(arguments[1]), KillWorkload.WORKERS);
    try {
      run(arguments[0], ledger, Long.parseLong(arguments[2]));
    } catch (SQLException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private static void run(String url, Ledger ledger, long seed) throws SQLException {
    ledger.enter(Ledger.Phase.OPENING);
    List<Connection> connections = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int worker = 0; worker < KillWorkload.WORKERS; worker++) {
      Connection connection = DriverManager.getConnection(url);
      connections.add(connection);
      KillWorker work = new KillWorker(connection, ledger, seed, worker);
      work.resume();
      threads.add(start(() -> work.run(Long.MAX_VALUE)));
    }
    Connection auditor = DriverManager.getConnection(url);
    connections.add(auditor);
    threads.add(start(() -> audit(auditor, ledger, seed)));
    ledger.enter(Ledger.Phase.WORKING);
    for (Thread thread : threads) {
      join(thread);
    }
    ledger.enter(Ledger.Phase.CLOSING);
    for (Connection connection : connections) {
      connection.close();
    }
  }

  private interface Body {
    void run() throws SQLException;
  }

  private static Thread start(Body body) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                body.run();
              } catch (SQLException | RuntimeException | Error e) {
                fail(e);
              }
            });
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      fail(e);
    }
  }

  /** Sums the balances in one snapshot after another, and asks for a checkpoint now and then. */
  private static void audit(Connection connection, Ledger ledger, long seed) throws SQLException {
    SplittableRandom random = new SplittableRandom(seed ^ System.nanoTime());
    try (Statement statement = connection.createStatement()) {
      while (!ledger.mustEnd()) {
        try (ResultSet row =
            statement.executeQuery("SELECT count(*), sum(balance) FROM accounts")) {
          row.next();
          if (row.getInt(1) != Work.ACCOUNTS
              || row.getLong(2) != Work.ACCOUNTS * KillWorkload.OPENING_BALANCE) {
            throw new IllegalStateException(
                "a snapshot saw %d accounts with %d".formatted(row.getInt(1), row.getLong(2)));
          }
        }
        if (random.nextInt(20) == 0) {
          statement.execute("CHECKPOINT");
        }
        LockSupport.parkNanos(random.nextInt(20_000_000));
      }
    }
  }

  /** Ends the process at once: nothing may go on, nor be acknowledged, after a failure. */
  private static void fail(Throwable failure) {
    failure.printStackTrace();
    System.err.flush();
    Runtime.getRuntime().halt(FAILED);
  }
}
