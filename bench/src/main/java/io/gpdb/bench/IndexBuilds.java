package io.gpdb.bench;

import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.Spread;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** CREATE INDEX, rolled back each time, over a table whose values are in no order. */
final class IndexBuilds {
  private static final int BATCH_ROWS = 10_000;
  private static final List<String> DEFINITIONS =
      List.of("BIGINT (k)", "INTEGER (n)", "UNIQUE INTEGER (id)", "DOUBLE (v)", "VARCHAR (s)");

  private final Path directory;
  private final int rows;
  private final int rounds;

  IndexBuilds(Path directory, int rows, int rounds) {
    this.directory = directory;
    this.rows = rows;
    this.rounds = rounds;
  }

  void run(BiConsumer<String, Spread> result) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + directory);
        Statement statement = connection.createStatement()) {
      fill(connection, statement);
      statement.execute("CHECKPOINT");
      connection.setAutoCommit(false);
      for (String definition : DEFINITIONS) {
        List<Double> seconds = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
          long start = System.nanoTime();
          statement.execute(
              "CREATE %sINDEX i ON t %s"
                  .formatted(
                      definition.startsWith("UNIQUE") ? "UNIQUE " : "",
                      definition.substring(definition.indexOf('('))));
          double taken = MachineLimits.seconds(start);
          connection.rollback();
          if (round > 0) {
            seconds.add(taken);
          }
        }
        result.accept(definition, Spread.of(seconds));
      }
    }
  }

  private void fill(Connection connection, Statement statement) throws SQLException {
    statement.execute("CREATE TABLE t (id INTEGER, k BIGINT, n INTEGER, v DOUBLE, s VARCHAR(20))");
    SplittableRandom random = new SplittableRandom(1);
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?)")) {
      for (int at = 0; at < rows; ) {
        for (int end = Math.min(rows, at + BATCH_ROWS); at < end; at++) {
          insert.setInt(1, at);
          insert.setLong(2, random.nextLong());
          insert.setInt(3, random.nextInt());
          insert.setDouble(4, random.nextDouble());
          insert.setString(5, "customer#" + random.nextInt(100_000));
          insert.addBatch();
        }
        insert.executeBatch();
      }
    }
  }
}
