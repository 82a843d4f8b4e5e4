package io.gpdb.bench.device;

import static io.gpdb.bench.device.DeviceFigures.millisSince;
import static io.gpdb.bench.device.DeviceFigures.rate;

import io.gpdb.bench.harness.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Changes and look-ups by key in batches, each committed, and so durable, when it is counted. */
final class KeyedChanges {
  private static final int RUNS = 4;

  /** Updates of one batch of transactions. */
  private static final int BATCH = 10_000;

  private static final String UPDATE = "UPDATE keyed SET a = a + ? WHERE id = ?";

  private final String device;
  private final int keys;
  private final ScratchDirectory scratch;
  private final DeviceFigures figures;

  /** Numbers of keys to change. */
  @FunctionalInterface
  private interface Keys {
    int next();
  }

  KeyedChanges(String device, int keys, ScratchDirectory scratch, DeviceFigures figures) {
    this.device = device;
    this.keys = keys;
    this.scratch = scratch;
    this.figures = figures;
  }

  void run() throws SQLException, IOException {
    Path directory = scratch.fresh();
    String url = "jdbc:gpdb:%s;device=%s".formatted(directory, device);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE keyed (id INTEGER PRIMARY KEY, a BIGINT)");
      statement.executeUpdate(
          "INSERT INTO keyed SELECT CAST(v AS INTEGER), 0 FROM TABLE(GENERATE_SERIES(0, %d)) AS s(v)"
              .formatted(2L * keys - 1));
      statement.execute("CREATE TABLE asked (k INTEGER)");
      ZipfKeys asked = new ZipfKeys(2 * keys, 0, 1);
      statement.executeUpdate(
          "INSERT INTO asked SELECT CAST(MOD(CAST(v AS BIGINT) * 7919, %d) AS INTEGER) FROM TABLE(GENERATE_SERIES(1, %d)) AS s(v)"
              .formatted(2L * keys, keys));
      lookUp(statement);
      connection.setAutoCommit(false);
      long done = updates(connection, "executeBatch UPDATE by key", keys, asked::next);
      for (double theta : new double[] {0, 0.9}) {
        ZipfKeys drawn = new ZipfKeys(2 * keys, theta, 2);
        done +=
            updates(
                connection,
                "executeBatch of transactions, UPDATE by key, Zipf %s".formatted(theta),
                Math.min(keys, BATCH),
                drawn::next);
      }
      try (ResultSet row = statement.executeQuery("SELECT sum(a) FROM keyed")) {
        row.next();
        if (row.getLong(1) != done) {
          throw new IllegalStateException("sum is " + row.getLong(1) + ", not " + done);
        }
      }
    }
    ScratchDirectory.delete(directory);
  }

  private void lookUp(Statement statement) throws SQLException {
    List<Double> rates = new ArrayList<>();
    for (int run = 0; run < 5 * RUNS; run++) {
      long start = System.nanoTime();
      try (ResultSet row =
          statement.executeQuery(
              "SELECT count(*), sum(t.a) FROM asked q JOIN keyed t ON t.id = q.k")) {
        row.next();
        if (row.getLong(1) != keys) {
          throw new IllegalStateException("found " + row.getLong(1) + " of " + keys + " keys");
        }
      }
      if (run >= 3 * RUNS) {
        rates.add(rate(keys, millisSince(start)));
      }
    }
    figures.add("look-ups of %,d keys in one statement".formatted(keys), "keys/s", rates);
  }

  /** Returns how many rows were changed by one each. */
  private long updates(Connection connection, String name, int batch, Keys drawn)
      throws SQLException {
    List<Double> whole = new ArrayList<>();
    List<Double> inside = new ArrayList<>();
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      for (int run = 0; run < RUNS; run++) {
        long start = System.nanoTime();
        for (int i = 0; i < batch; i++) {
          update.setInt(1, 1);
          update.setInt(2, drawn.next());
          update.addBatch();
        }
        long given = System.nanoTime();
        update.executeBatch();
        connection.commit();
        if (run >= RUNS / 2) {
          inside.add(rate(batch, millisSince(given)));
          whole.add(rate(batch, millisSince(start)));
        }
      }
    }
    String of = ", %,d in a commit".formatted(batch);
    figures.add(name + of + ", executeBatch and commit", "rows/s", inside);
    figures.add(name + of + ", with setting of parameters", "rows/s", whole);
    return (long) batch * RUNS;
  }
}
