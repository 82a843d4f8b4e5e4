package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.LongStatements.Kind;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Statements of every kind that would run for minutes are stopped at a random moment by each means
 * there is, and must end soon, leaving a whole database and connections that go on.
 */
final class StoppedStatementsTest {
  /** What is promised is one second; a busy machine gets more. */
  private static final long ENDED_MILLIS_MAX = Long.getLong("gpdb.stop.millis", 3_000);

  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 1);

  private static final Means[] BY_CALLS = {
    Means.CANCEL, Means.STATEMENT_CLOSE, Means.CONNECTION_CLOSE, Means.ABORT
  };

  @TempDir Path directory;
  private String url;
  private Connection keeper;
  private LongStatements statements;

  /** How a statement is stopped, by a thread that does not run it. */
  enum Means {
    CANCEL,
    TIMEOUT,
    STATEMENT_CLOSE,
    CONNECTION_CLOSE,
    ABORT
  }

  @BeforeEach
  void fill() throws SQLException {
    // Rewrites that begin by themselves change the catalog: CREATE TABLE meets them (40001).
    url = "jdbc:gpdb:" + directory.resolve("db") + ";auto_vacuum=false";
    keeper = DriverManager.getConnection(url);
    statements = new LongStatements(directory);
    statements.prepare(keeper);
  }

  @AfterEach
  void close() throws SQLException {
    keeper.close();
  }

  @Test
  void everyKindOfStatementEndsSoonWhateverStopsIt() throws Exception {
    long seed = Long.getLong("gpdb.seed", System.nanoTime());
    Random random = new Random(seed);
    List<String> late = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Kind kind : statements.kinds()) {
        Means means = means(random);
        String only = System.getProperty("gpdb.stop.kind", kind.name());
        if (kind.name().equals(only)) {
          stopOne(kind, means, random, late);
        }
      }
    }
    assertThat(late).as("seed %d", seed).isEmpty();
    assertThat(((GpdbConnection) keeper).check()).as("seed %d", seed).isEmpty();
  }

  /** Timeouts come less often: each lets a statement run for a whole second. */
  private static Means means(Random random) {
    return random.nextInt(20) == 0 ? Means.TIMEOUT : BY_CALLS[random.nextInt(BY_CALLS.length)];
  }

  private void stopOne(Kind kind, Means means, Random random, List<String> late) throws Exception {
    Connection connection = DriverManager.getConnection(url);
    StoppedRun run = new StoppedRun(connection, kind);
    String outcome;
    long tookMillis;
    try (connection;
        ExecutorService aborting = Executors.newVirtualThreadPerTaskExecutor()) {
      if (means == Means.TIMEOUT) {
        run.timeoutSeconds(1);
      }
      run.start();
      Thread.sleep(means == Means.TIMEOUT ? 1_000 : random.nextInt(10 << random.nextInt(6)));
      long start = System.nanoTime();
      stop(run, means, aborting);
      run.awaitEnd(20_000);
      tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      outcome = run.outcome();
      if (means != Means.CONNECTION_CLOSE && means != Means.ABORT) {
        requireUsable(connection, kind);
      }
    }
    requireUsable(keeper, kind);
    if (tookMillis > ENDED_MILLIS_MAX || !run.endedRightly(means)) {
      late.add(kind.name() + " by " + means + ": " + tookMillis + " ms, " + outcome);
    }
  }

  private static void stop(StoppedRun run, Means means, Executor aborting) throws SQLException {
    switch (means) {
      case CANCEL -> run.statement().cancel();
      case TIMEOUT -> {}
      case STATEMENT_CLOSE -> run.statement().close();
      case CONNECTION_CLOSE -> run.connection().close();
      case ABORT -> run.connection().abort(aborting);
    }
  }

  private static void requireUsable(Connection connection, Kind kind) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM one")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).as("after %s", kind.name()).isEqualTo(1);
    }
  }
}
