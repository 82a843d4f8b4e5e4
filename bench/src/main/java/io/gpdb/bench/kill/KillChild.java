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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** The process that is killed: opens the database, works on several connections, closes. */
public final class KillChild {
  /** The exit status after a failure of the database or a claim of the workload not met. */
  static final int FAILED = 3;

  private static final long WANTED_NANOS = 200_000;
  private static final long BEGIN_NANOS = 50_000_000;
  private static final long BESIDE_NANOS = 3_000_000;

  private static final List<String> VACUUMED = List.of("items", "wide", "journal", "accounts");

  private KillChild() {}

  /** Arguments: JDBC URL, the folder of ledger and backups, seed. */
  public static void main(String[] arguments) throws SQLException, IOException {
    Path folder = Path.of(arguments[1]);
    Ledger ledger = new Ledger(folder.resolve(Ledger.FILE_NAME), KillWorkload.CONNECTIONS);
    try {
      KillBackup backup = new KillBackup(folder);
      run(arguments[0], ledger, Long.parseLong(arguments[2]), backup);
    } catch (SQLException | RuntimeException | Error e) {
      fail(e);
    }
  }

  private static void run(String url, Ledger ledger, long seed, KillBackup backup)
      throws SQLException {
    ledger.enter(Ledger.Phase.OPENING);
    List<Connection> connections = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    AtomicBoolean checkpointWanted = new AtomicBoolean();
    for (int worker = 0; worker < KillWorkload.WORKERS; worker++) {
      Connection connection = DriverManager.getConnection(url);
      connections.add(connection);
      KillWorker work =
          new KillWorker(connection, ledger, seed, worker, () -> beginCheckpoint(checkpointWanted));
      work.resume();
      threads.add(start(() -> work.run(Long.MAX_VALUE)));
    }
    for (int worker = KillWorkload.WORKERS; worker < KillWorkload.CONNECTIONS; worker++) {
      Connection connection = DriverManager.getConnection(url);
      connections.add(connection);
      HotRow counting = new HotRow(connection, ledger, seed, worker);
      threads.add(start(() -> counting.run(Long.MAX_VALUE)));
    }
    Connection auditor = DriverManager.getConnection(url);
    connections.add(auditor);
    threads.add(start(() -> audit(auditor, ledger, seed, backup, checkpointWanted)));
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
    void run() throws SQLException, IOException;
  }

  private static Thread start(Body body) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                body.run();
              } catch (SQLException | IOException | RuntimeException | Error e) {
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

  /**
   * Sums the balances in one snapshot after another, and now and then asks for a checkpoint, has a
   * table rewritten, or backs the database up. A checkpoint begins, too, right before a transaction
   * commits that has filled an empty table, so that the commit falls into it.
   */
  private static void audit(
      Connection connection,
      Ledger ledger,
      long seed,
      KillBackup backup,
      AtomicBoolean checkpointWanted)
      throws SQLException, IOException {
    SplittableRandom random = new SplittableRandom(seed ^ System.nanoTime());
    try (Statement statement = connection.createStatement()) {
      while (!ledger.mustEnd()) {
        try (ResultSet row = statement.executeQuery(KillWorkload.SUMS)) {
          row.next();
          KillWorkload.requireSums(row, "a snapshot");
        }
        switch (random.nextInt(60)) {
          case 0, 1, 2 -> statement.execute("CHECKPOINT");
          case 3 -> vacuum(statement, VACUUMED.get(random.nextInt(VACUUMED.size())));
          case 4 -> backup.write(statement);
          default -> {}
        }
        long end = System.nanoTime() + random.nextInt(20_000_000);
        while (System.nanoTime() < end && !checkpointWanted.get()) {
          LockSupport.parkNanos(WANTED_NANOS);
        }
        if (checkpointWanted.getAndSet(false)) {
          statement.execute("CHECKPOINT");
        }
      }
    }
  }

  /** Returns some time after a checkpoint has begun, or when none begins. */
  private static void beginCheckpoint(AtomicBoolean wanted) {
    wanted.set(true);
    long end = System.nanoTime() + BEGIN_NANOS;
    while (wanted.get() && System.nanoTime() < end) {
      LockSupport.parkNanos(WANTED_NANOS);
    }
    LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(BESIDE_NANOS));
  }

  /** Gives way to the transactions that have written to the table. */
  private static void vacuum(Statement statement, String table) throws SQLException {
    try {
      statement.execute("VACUUM " + table);
    } catch (SQLException e) {
      if (!KillWorker.CONFLICT.equals(e.getSQLState())) {
        throw e;
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
