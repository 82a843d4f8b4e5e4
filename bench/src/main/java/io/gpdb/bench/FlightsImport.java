package io.gpdb.bench;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.Spread;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Import of a flights CSV in one transaction, with the heap in use watched. */
final class FlightsImport {
  private final ScratchDirectory scratch;
  private final Path file;
  private final int rounds;

  FlightsImport(ScratchDirectory scratch, Path file, int rounds) {
    this.scratch = scratch;
    this.file = file;
    this.rounds = rounds;
  }

  void run(List<SpeedCommand.Figure> figures) throws SQLException, IOException {
    List<Double> rates = new ArrayList<>();
    List<Double> heaps = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      Path directory = scratch.fresh();
      try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + directory);
          Statement statement = connection.createStatement()) {
        statement.execute(
            "CREATE TABLE flights (\"DATE\" TIMESTAMP, delay INTEGER, distance INTEGER,"
                + " origin VARCHAR(3), destination VARCHAR(3))");
        long start = System.nanoTime();
        long rows =
            statement.executeLargeUpdate(
                "COPY flights FROM '"
                    + file.toAbsolutePath().toString().replace("'", "''")
                    + "' (FORMAT CSV, HEADER)");
        double seconds = MachineLimits.seconds(start);
        if (round > 0) {
          rates.add(rows / seconds);
          heaps.add(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1048576.0);
        }
      }
      ScratchDirectory.delete(directory);
    }
    figures.add(
        new SpeedCommand.Figure("import of flights", "rows/s", Spread.of(rates), 1e6, true));
    figures.add(
        new SpeedCommand.Figure(
            "heap in use at the import's end", "MiB", Spread.of(heaps), 512, false));
  }
}
