package io.gpdb.bench.soak;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Writers that set new strings in random rows, each writer its own rows, and a reader that holds
 * snapshots. Each string names its row, and the reader looks that each row has its own string, and
 * the same one at the end of a snapshot as at its beginning.
 */
final class SoakLoad {
  private static final int WRITERS = 4;
  private static final int BATCH = 500;
  private static final int SNAPSHOT_SECONDS = 20;
  private static final String FILLING = "abcdefghijklmnopqrstuvwxyzabcdef";

  private final String url;
  private final int rows;
  private final boolean fresh;
  private final long seed;
  private final long rowsPerSecond;
  private final LongAdder changed = new LongAdder();
  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final List<Thread> threads = new ArrayList<>();

  /** A part of the load. */
  private interface Part {
    void run(Connection connection) throws SQLException, InterruptedException;
  }

  /**
   * @param fresh whether strings are always new; else each row has one of a few
   * @param rowsPerSecond how many rows all writers change at most; 0 for as many as they can
   */
  SoakLoad(String url, int rows, boolean fresh, long seed, long rowsPerSecond) {
    this.url = url;
    this.rows = rows;
    this.fresh = fresh;
    this.seed = seed;
    this.rowsPerSecond = rowsPerSecond;
  }

  /** What the live rows take: id, value, code, key, and a string with its entry. */
  static long liveBytes(int rows) {
    return rows * (8L + 8 + 4 + 8 + 8 + string(rows, 1_000_000).length());
  }

  private static String string(int id, long version) {
    return id + ":" + version + FILLING;
  }

  void create() throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v BIGINT, s VARCHAR)");
      try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?,?,?)")) {
        for (int id = 0; id < rows; id++) {
          insert.setInt(1, id);
          insert.setLong(2, 0);
          insert.setString(3, string(id, 0));
          insert.addBatch();
          if (id % 10_000 == 9_999 || id == rows - 1) {
            insert.executeBatch();
          }
        }
      }
    }
  }

  void start() {
    for (int w = 0; w < WRITERS; w++) {
      int writer = w;
      begin("writer-" + w, connection -> write(connection, writer));
    }
    begin("reader", this::read);
  }

  private void begin(String name, Part part) {
    threads.add(
        Thread.ofPlatform()
            .name(name)
            .start(
                () -> {
                  try (Connection connection = DriverManager.getConnection(url)) {
                    connection.setAutoCommit(false);
                    part.run(connection);
                  } catch (Exception | Error e) {
                    failure.compareAndSet(null, e);
                    end.countDown();
                  }
                }));
  }

  private boolean isRunning() {
    return end.getCount() > 0;
  }

  private void write(Connection connection, int writer) throws SQLException, InterruptedException {
    long start = System.nanoTime();
    Random random = new Random(seed + writer);
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE t SET v = ?, s = ? WHERE id = ?")) {
      for (long version = 1; isRunning(); version++) {
        for (int i = 0; i < BATCH; i++) {
          int id = random.nextInt(rows / WRITERS) * WRITERS + writer;
          long text = fresh ? version * BATCH + i : random.nextInt(2);
          update.setLong(1, version);
          update.setString(2, string(id, text));
          update.setInt(3, id);
          update.addBatch();
        }
        update.executeBatch();
        connection.commit();
        changed.add(BATCH);
        pace(version * BATCH * WRITERS, start);
      }
    }
  }

  /** Waits until that many rows are due, or until the load ends. */
  private void pace(long due, long start) throws InterruptedException {
    if (rowsPerSecond > 0) {
      long nanos = due * 1_000_000_000 / rowsPerSecond - (System.nanoTime() - start);
      end.await(nanos, TimeUnit.NANOSECONDS);
    }
  }

  private void read(Connection connection) throws SQLException, InterruptedException {
    while (isRunning()) {
      long before = look(connection);
      boolean ended = end.await(SNAPSHOT_SECONDS, TimeUnit.SECONDS);
      if (!ended && look(connection) != before) {
        throw new SQLException("a snapshot has changed");
      }
      connection.commit();
    }
  }

  /** A hash of all rows, each of which has a string of its own. */
  private static long look(Connection connection) throws SQLException {
    long hash = 0;
    try (Statement statement = connection.createStatement();
        ResultSet all = statement.executeQuery("SELECT id, v, s FROM t")) {
      while (all.next()) {
        String s = all.getString(3);
        if (!s.startsWith(all.getInt(1) + ":")) {
          throw new SQLException("row " + all.getInt(1) + " has the string " + s);
        }
        hash += s.hashCode() * 31L * all.getLong(2) + s.hashCode();
      }
    }
    return hash;
  }

  /** Rows changed so far. */
  long changed() {
    return changed.sum();
  }

  /** Waits; returns at once when a part has failed. */
  void await(long seconds) throws InterruptedException {
    end.await(seconds, TimeUnit.SECONDS);
  }

  void stop() throws InterruptedException, SQLException {
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    Throwable first = failure.get();
    if (first != null) {
      throw new SQLException("the load failed: " + first.getMessage(), first);
    }
  }
}
