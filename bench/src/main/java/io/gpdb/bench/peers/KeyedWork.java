package io.gpdb.bench.peers;

import java.math.BigInteger;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Batches, commits of one row, and look-ups, all by key. */
final class KeyedWork {
  static final String BATCHES = "batches of 10 000 by key, a transaction each";
  static final String COMMITS = "one-row commits";
  static final String LOOKUPS = "SELECT by key, prepared";

  private static final int BATCH_ROWS = 10_000;
  private static final int PART_ROWS = 100;
  private static final int WINDOWS = 6;
  private static final double GOLDEN_SECTION = 0.6180339887498949;
  private static final String COMMITTED = "UPDATE a SET n = n + 1 WHERE id = ?";
  private static final String LOOKED_UP = "SELECT b, c, s FROM a WHERE id = ?";

  private final Peer peer;
  private final Connection connection;
  private final Path directory;
  private final int workers;
  private final PeerSizes sizes;
  private final int keyStep;

  KeyedWork(Peer peer, Connection connection, Path directory, int workers, PeerSizes sizes) {
    this.peer = peer;
    this.connection = connection;
    this.directory = directory;
    this.workers = workers;
    this.sizes = sizes;
    this.keyStep = keyStep(sizes.keyedRows());
  }

  /**
   * Does all of it.
   *
   * @param told what is done besides
   */
  void run(Consumer<Measured> found, Consumer<String> told) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE a (id INTEGER PRIMARY KEY, b INTEGER, c BIGINT, d DOUBLE PRECISION,"
              + " s VARCHAR(20), n INTEGER, o INTEGER)");
    }
    int present =
        batches("INSERT", "INSERT INTO a VALUES (?, ?, ?, ?, ?, ?, ?)", this::bindRow, found);
    PeerRows.insert(connection, "a", 7, present, sizes.keyedRows(), KeyedWork::row, told);
    batches("UPDATE", "UPDATE a SET b = ?, c = ? WHERE id = ?", this::bindUpdate, found);
    windows(COMMITS, "commits/s", COMMITTED, true, 1, found);
    windows(COMMITS, "commits/s", COMMITTED, true, sizes.connections(), found);
    windows(LOOKUPS, "rows/s", LOOKED_UP, false, 1, found);
    windows(LOOKUPS, "rows/s", LOOKED_UP, false, sizes.connections(), found);
    batches("DELETE", "DELETE FROM a WHERE id = ?", (d, i) -> d.setInt(1, shuffled(i)), found);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE a");
    }
  }

  private static Object[] row(int i) {
    long hash = PeerRows.mixed(i);
    return PeerRows.values(
        i, (int) (hash >>> 40), hash, hash / 3.0, "text " + (hash >>> 54), 0, i % 7);
  }

  private void bindRow(PreparedStatement insert, int i) throws SQLException {
    long hash = PeerRows.mixed(i);
    insert.setInt(1, i);
    insert.setInt(2, (int) (hash >>> 40));
    insert.setLong(3, hash);
    insert.setDouble(4, hash / 3.0);
    insert.setString(5, "text " + (hash >>> 54));
    insert.setInt(6, 0);
    insert.setInt(7, i % 7);
  }

  private void bindUpdate(PreparedStatement update, int i) throws SQLException {
    update.setInt(1, i);
    update.setLong(2, PeerRows.mixed(i));
    update.setInt(3, shuffled(i));
  }

  /** All keys, each once, in an order in which neighbours are far from each other. */
  private int shuffled(int i) {
    return (int) ((long) i * keyStep % sizes.keyedRows());
  }

  /**
   * The golden section of the keys, or a little more: what has no factor in common with their
   * number, so that its multiples are all keys.
   */
  static int keyStep(int keys) {
    int step = (int) (keys * GOLDEN_SECTION);
    while (!BigInteger.valueOf(step).gcd(BigInteger.valueOf(keys)).equals(BigInteger.ONE)) {
      step++;
    }
    return step;
  }

  /** What binds the values of the row of that number. */
  @FunctionalInterface
  private interface Binding {
    void bind(PreparedStatement change, int i) throws SQLException;
  }

  /** Batches until all rows are done or the time is up; returns how many rows were. */
  private int batches(String name, String sql, Binding binding, Consumer<Measured> found) {
    List<Double> rates = new ArrayList<>();
    int done = 0;
    try {
      connection.setAutoCommit(false);
      long end = System.nanoTime() + sizes.workSeconds() * 1_000_000_000L;
      try (PreparedStatement change = connection.prepareStatement(sql)) {
        while (done < sizes.keyedRows() && System.nanoTime() < end) {
          long start = System.nanoTime();
          int rows = batch(change, binding, done, end);
          rates.add(rows * 1e9 / (System.nanoTime() - start));
          done += rows;
        }
      } finally {
        connection.setAutoCommit(true);
      }
      found.accept(new Measured(BATCHES, name, "rows/s", true, rates, null));
    } catch (SQLException e) {
      found.accept(Measured.refused(BATCHES, name, "rows/s", true, String.valueOf(e.getMessage())));
    }
    return done;
  }

  /**
   * One transaction. Where a batch is no more than its statements one after another, it is sent in
   * parts, and ends early when the time is up.
   */
  private int batch(PreparedStatement change, Binding binding, int from, long end)
      throws SQLException {
    int all = Math.min(BATCH_ROWS, sizes.keyedRows() - from);
    int part = peer.runsBatchesByRow() ? PART_ROWS : all;
    int done = 0;
    while (done < all && (done == 0 || System.nanoTime() < end)) {
      int rows = Math.min(part, all - done);
      for (int i = 0; i < rows; i++) {
        binding.bind(change, from + done + i);
        change.addBatch();
      }
      change.executeBatch();
      done += rows;
    }
    connection.commit();
    return done;
  }

  /** What all connections together do in each of a few windows of time. */
  private void windows(
      String section,
      String unit,
      String sql,
      boolean changes,
      int connections,
      Consumer<Measured> found) {
    String name = connections == 1 ? "1 connection" : connections + " connections";
    List<Double> rates = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      List<Connection> opened = new ArrayList<>();
      try {
        for (int i = 0; i < connections; i++) {
          opened.add(peer.connect(directory, workers));
        }
        for (int window = 0; window < WINDOWS; window++) {
          rates.add(window(threads, opened, sql, changes));
        }
      } finally {
        for (Connection each : opened) {
          each.close();
        }
      }
      found.accept(new Measured(section, name, unit, true, rates, null));
    } catch (SQLException | ExecutionException e) {
      found.accept(Measured.refused(section, name, unit, true, String.valueOf(e.getMessage())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private double window(
      ExecutorService threads, List<Connection> opened, String sql, boolean changes)
      throws ExecutionException, InterruptedException {
    long start = System.nanoTime();
    long end = start + sizes.windowMillis() * 1_000_000L;
    List<Future<Long>> counts = new ArrayList<>();
    for (int i = 0; i < opened.size(); i++) {
      Connection own = opened.get(i);
      int number = i;
      counts.add(threads.submit(() -> untilEnd(own, sql, changes, number, opened.size(), end)));
    }
    long sum = 0;
    for (Future<Long> count : counts) {
      sum += count.get();
    }
    return sum * 1e9 / (System.nanoTime() - start);
  }

  /** Each connection has keys of its own, so none waits for another's row. */
  private long untilEnd(
      Connection own, String sql, boolean changes, int number, int connections, long end)
      throws SQLException {
    long count = 0;
    try (PreparedStatement statement = own.prepareStatement(sql)) {
      while (System.nanoTime() < end) {
        long key = Math.floorMod(PeerRows.mixed(count), (long) sizes.keyedRows() / connections);
        statement.setInt(1, (int) key * connections + number);
        if (changes) {
          statement.executeUpdate();
        } else {
          read(statement);
        }
        count++;
      }
    }
    return count;
  }

  private static void read(PreparedStatement statement) throws SQLException {
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        rows.getInt(1);
        rows.getLong(2);
        rows.getString(3);
      }
    }
  }
}
