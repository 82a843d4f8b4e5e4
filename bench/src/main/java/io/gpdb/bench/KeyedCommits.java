package io.gpdb.bench;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.PaperTable;
import io.gpdb.bench.harness.Statistics;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A database whose rows are updated by key, each in a transaction of its own. */
final class KeyedCommits implements AutoCloseable {
  private static final int ROWS = 16_384;

  private final String url;
  private final Connection owner;

  /** What was reached. */
  record Outcome(double commitsPerSecond, double syncsPerCommit) {}

  /**
   * @param inFlight batches of commits whose syncs overlap
   */
  KeyedCommits(Path directory, int inFlight) throws SQLException {
    url = "jdbc:gpdb:" + directory + ";commits_in_flight=" + inFlight;
    owner = DriverManager.getConnection(url);
    PaperTable.create(owner);
    PaperTable.load(owner, ROWS, ROWS, InsertUpdateRun.SEED);
  }

  /** This number of connections commit for this time; each has rows of its own. */
  Outcome run(int connections, int millis) throws SQLException {
    Statistics before = Statistics.read(owner);
    long start = System.nanoTime();
    long end = start + millis * 1_000_000L;
    long commits = 0;
    try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
      List<Future<Long>> running = new ArrayList<>();
      for (int c = 0; c < connections; c++) {
        int first = c;
        running.add(threads.submit(() -> commit(first, connections, end)));
      }
      for (Future<Long> thread : running) {
        commits += thread.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while measuring", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    double seconds = MachineLimits.seconds(start);
    long syncs = Statistics.read(owner).since(before, "commit_syncs");
    return new Outcome(commits / seconds, (double) syncs / commits);
  }

  private long commit(int first, int step, long endNanos) throws SQLException {
    long commits = 0;
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement update =
            connection.prepareStatement("UPDATE test SET normali5 = ? WHERE id = ?")) {
      for (int id = first; commits == 0 || System.nanoTime() < endNanos; id += step) {
        update.setLong(1, commits);
        update.setInt(2, id % (ROWS / step * step));
        if (update.executeUpdate() != 1) {
          throw new IllegalStateException("an UPDATE by key changed no row");
        }
        commits++;
      }
    }
    return commits;
  }

  @Override
  public void close() throws SQLException {
    owner.close();
  }
}
