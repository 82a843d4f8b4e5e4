package io.gpdb.bench.isolation;

import io.gpdb.txn.api.IsolationLevel;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * One history: several connections run random transactions over few lists, each of appends and
 * reads, some rolled back on purpose; a last transaction reads all lists. The seed decides what the
 * transactions do, not how they interleave.
 */
final class ListAppendRun {
  private static final Set<String> REFUSALS = Set.of("40001", "23505", "40P01", "55P03");
  private static final int OPERATIONS_MAX = 5;
  private static final int PAUSE_NANOS_MAX = 300_000;
  private static final int PAUSES_PERCENT = 20;
  private static final int ROLLBACKS_PERCENT = 5;
  private static final int APPENDS_PERCENT = 50;

  private final String url;
  private final IsolationLevel level;
  private final ListStyle style;
  private final Shape shape;
  private final long seed;
  private final AtomicInteger lastElement = new AtomicInteger();
  private final ConcurrentLinkedQueue<Done> done = new ConcurrentLinkedQueue<>();

  /**
   * How large a history is.
   *
   * @param lockTimeoutMillis how long its writers wait for one another
   */
  record Shape(int threads, int transactionsPerThread, int keys, int lockTimeoutMillis) {}

  /** A transaction before it has its number. */
  private record Done(
      List<ListOperation> operations, boolean committed, long begunNanos, long endedNanos) {}

  ListAppendRun(String url, IsolationLevel level, ListStyle style, Shape shape, long seed) {
    this.url = url;
    this.level = level;
    this.style = style;
    this.shape = shape;
    this.seed = seed;
  }

  List<ListTransaction> history() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      style.create(connection, shape.keys());
      runThreads();
      connection.setAutoCommit(false);
      List<ListOperation> operations = new ArrayList<>();
      long begun = System.nanoTime();
      for (int key = 0; key < shape.keys(); key++) {
        operations.add(new ListOperation.Read(key, style.read(connection, key)));
      }
      connection.commit();
      done.add(new Done(operations, true, begun, System.nanoTime()));
    }
    List<ListTransaction> history = new ArrayList<>();
    for (Done d : done) {
      history.add(
          new ListTransaction(
              history.size(), d.operations, d.committed, d.begunNanos, d.endedNanos));
    }
    return history;
  }

  private void runThreads() throws SQLException {
    try (ExecutorService pool = Executors.newFixedThreadPool(shape.threads())) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < shape.threads(); i++) {
        Random random = new Random(seed * 31 + i);
        running.add(
            pool.submit(
                () -> {
                  runTransactions(random);
                  return null;
                }));
      }
      for (Future<?> thread : running) {
        try {
          thread.get();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException e) {
          throw new SQLException("a connection failed: " + e.getCause(), e.getCause());
        }
      }
    }
  }

  private void runTransactions(Random random) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(jdbcLevel(level));
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET lock_timeout = " + shape.lockTimeoutMillis());
      }
      connection.commit();
      for (int i = 0; i < shape.transactionsPerThread(); i++) {
        done.add(transaction(connection, random));
      }
    }
  }

  private static int jdbcLevel(IsolationLevel level) {
    return switch (level) {
      case READ_COMMITTED -> Connection.TRANSACTION_READ_COMMITTED;
      case SNAPSHOT -> Connection.TRANSACTION_REPEATABLE_READ;
      case SERIALIZABLE -> Connection.TRANSACTION_SERIALIZABLE;
    };
  }

  private Done transaction(Connection connection, Random random) throws SQLException {
    List<ListOperation> operations = new ArrayList<>();
    int count = 1 + random.nextInt(OPERATIONS_MAX);
    boolean undone = random.nextInt(100) < ROLLBACKS_PERCENT;
    long begun = System.nanoTime();
    boolean committed = false;
    try {
      for (int i = 0; i < count; i++) {
        operate(connection, random, operations);
        pause(random);
      }
      if (!undone) {
        connection.commit();
        committed = true;
      }
    } catch (SQLException e) {
      if (!isRefusal(e)) {
        throw e;
      }
    } finally {
      if (!committed) {
        connection.rollback();
      }
    }
    return new Done(operations, committed, begun, System.nanoTime());
  }

  /** Lets others run in between. */
  @SuppressWarnings(
      "ThreadPriorityCheck") // a shuffle of which thread runs next; nothing relies on it
  private static void pause(Random random) {
    if (random.nextInt(100) < PAUSES_PERCENT) {
      LockSupport.parkNanos(random.nextInt(PAUSE_NANOS_MAX));
    } else {
      Thread.onSpinWait();
    }
  }

  /** A conflict, a position that another has taken, or what ends waiting for another. */
  private static boolean isRefusal(SQLException e) {
    return REFUSALS.contains(String.valueOf(e.getSQLState()));
  }

  private void operate(Connection connection, Random random, List<ListOperation> operations)
      throws SQLException {
    int key = random.nextInt(shape.keys());
    if (random.nextInt(100) < APPENDS_PERCENT) {
      ListOperation.Append append = new ListOperation.Append(key, lastElement.incrementAndGet());
      operations.add(append);
      style.append(connection, key, append.element());
    } else {
      operations.add(new ListOperation.Read(key, style.read(connection, key)));
    }
  }
}
