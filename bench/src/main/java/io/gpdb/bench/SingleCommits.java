package io.gpdb.bench;

import io.gpdb.bench.harness.Leftovers;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.PaperTable;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * One-row commits by one thread, interleaved with the machine's own synced 4 KiB writes: the first
 * ones of a process, whose code is not compiled yet, and those after {@link #WARM_UP_COMMITS}.
 */
final class SingleCommits {
  private static final int COMMITS_PER_ROUND = 300;
  private static final int FIRST_ROUNDS = 5;
  private static final int WARM_UP_COMMITS = 15_000;

  private final Path directory;
  private final int rounds;

  SingleCommits(Path directory, int rounds) {
    this.directory = directory;
    this.rounds = rounds;
  }

  void run(List<SpeedCommand.Figure> figures) throws SQLException, IOException {
    Pairs first = new Pairs();
    Pairs warm = new Pairs();
    Path file = Files.createTempFile("gpdb-sync", ".bin");
    file = Leftovers.watch(beside(file));
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + directory);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.allocate(1 << 20), 0);
      channel.force(true);
      PaperTable.create(connection);
      PaperTable.load(connection, 10_000, 10_000, InsertUpdateRun.SEED);
      for (int round = 0; round < FIRST_ROUNDS; round++) {
        first.measure(channel, connection);
      }
      for (int done = 0; done < WARM_UP_COMMITS; done += COMMITS_PER_ROUND) {
        commits(connection);
      }
      for (int round = 0; round < rounds * 2; round++) {
        warm.measure(channel, connection);
      }
    } finally {
      Files.deleteIfExists(file);
    }
    figures.add(figure("synced 4 KiB writes by this machine", "writes/s", warm.syncs, Double.NaN));
    figures.add(figure("one-row commits by one thread", "commits/s", warm.commits, Double.NaN));
    figures.add(figure("one-row commits against synced writes", "ratio", warm.ratios, 0.7));
    int early = FIRST_ROUNDS * COMMITS_PER_ROUND;
    String cold = "the same, first " + early + " commits of a process";
    figures.add(figure(cold, "ratio", first.ratios, Double.NaN));
  }

  /** Rates of both, of rounds of which each followed the other's. */
  private static final class Pairs {
    final List<Double> syncs = new ArrayList<>();
    final List<Double> commits = new ArrayList<>();
    final List<Double> ratios = new ArrayList<>();

    void measure(FileChannel channel, Connection connection) throws SQLException, IOException {
      double sync = MachineLimits.syncsPerSecond(channel, COMMITS_PER_ROUND);
      double commit = commits(connection);
      syncs.add(sync);
      commits.add(commit);
      ratios.add(commit / sync);
    }
  }

  /** The probe must be on the same file system as the database. */
  private Path beside(Path probe) throws IOException {
    Path moved = directory.resolveSibling(probe.getFileName().toString());
    Files.delete(probe);
    return Files.createFile(moved);
  }

  private static double commits(Connection connection) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE test SET normali5 = ? WHERE id = ?")) {
      long start = System.nanoTime();
      for (int i = 0; i < COMMITS_PER_ROUND; i++) {
        update.setInt(1, i);
        update.setInt(2, i * 31 % 10_000);
        if (update.executeUpdate() != 1) {
          throw new IllegalStateException("an UPDATE by key changed no row");
        }
      }
      return COMMITS_PER_ROUND / MachineLimits.seconds(start);
    }
  }

  private static SpeedCommand.Figure figure(
      String name, String unit, List<Double> values, double target) {
    return new SpeedCommand.Figure(name, unit, Spread.of(values), target, true);
  }
}
