package io.gpdb.bench.device;

import static io.gpdb.bench.device.DeviceFigures.millisSince;
import static io.gpdb.bench.device.DeviceFigures.rate;

import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.harness.Statistics;
import io.gpdb.jdbc.GpdbAppender;
import io.gpdb.jdbc.GpdbConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * INSERT of many rows of seven columns of four bytes, those of the GPM paper without its key, and
 * UPDATE of 5% of them, by each protocol in a database of its own; an aggregate over them; and what
 * recovery takes where a process ends inside of that UPDATE.
 */
final class LargeChanges {
  /** Rows of one INSERT, which is a transaction. */
  private static final int INSERT_ROWS = 10_000_000;

  /** Rows of the arrays that are appended. */
  private static final int ARRAY_ROWS = 1 << 16;

  /** Runs of one statement; the later half of them is counted. */
  private static final int RUNS = 20;

  private static final String UPDATE =
      "UPDATE test SET normali5 = normali5 + 1 WHERE uniformi < 50000";
  private static final String COUNT =
      "SELECT count(*), sum(CAST(normali20 AS BIGINT)) FROM test WHERE uniformi < 500000";

  private final String device;
  private final int rows;
  private final ScratchDirectory scratch;
  private final DeviceFigures figures;

  /** A protocol with the layout of its log. */
  private record Way(String protocol, String log) {
    String label() {
      return log.equals("hcl") ? protocol : protocol + ", " + log + " log";
    }
  }

  private static final List<Way> WAYS =
      List.of(
          new Way("auto", "hcl"),
          new Way("redo", "hcl"),
          new Way("undo", "hcl"),
          new Way("versioned", "hcl"),
          new Way("cap-mm", "hcl"),
          new Way("undo", "conventional"));

  LargeChanges(String device, int rows, ScratchDirectory scratch, DeviceFigures figures) {
    this.device = device;
    this.rows = rows;
    this.scratch = scratch;
    this.figures = figures;
  }

  void run() throws SQLException, IOException, InterruptedException {
    for (Way way : WAYS) {
      Path directory = scratch.fresh();
      String url = url(directory, way);
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        insert(statement, way);
        if (way.equals(WAYS.getFirst())) {
          count(statement);
        }
        update(statement, "UPDATE of 5%, " + way.label());
      }
      if (way.label().equals("undo")) {
        recovery(url);
      }
      ScratchDirectory.delete(directory);
    }
    append("a row at a time, one thread", this::appendRows);
    append("an array a column, one thread", this::appendArrays);
  }

  private String url(Path directory, Way way) {
    return "jdbc:gpdb:%s;device=%s;protocol=%s;log=%s"
        .formatted(directory, device, way.protocol(), way.log());
  }

  private static void create(Statement statement) throws SQLException {
    statement.execute(
        "CREATE TABLE test (id INTEGER, uniformi INTEGER, normali5 INTEGER, normali20 INTEGER,"
            + " uniformf REAL, normalf5 REAL, normalf20 REAL)");
  }

  private void insert(Statement statement, Way way) throws SQLException {
    create(statement);
    List<Double> rates = new ArrayList<>();
    for (int at = 0; at < rows; at += INSERT_ROWS) {
      int n = Math.min(INSERT_ROWS, rows - at);
      long start = System.nanoTime();
      statement.executeUpdate(
          "INSERT INTO test SELECT CAST(v AS INTEGER), CAST(MOD(CAST(v AS BIGINT) * 7919, 1000000)"
              + " AS INTEGER), CAST(MOD(v, 10) AS INTEGER), CAST(MOD(v, 40) AS INTEGER),"
              + " CAST(MOD(v, 1009) AS REAL), CAST(MOD(v, 103) AS REAL), CAST(MOD(v, 41) AS REAL)"
              + " FROM TABLE(GENERATE_SERIES(%d, %d)) AS s(v)".formatted(at + 1L, (long) at + n));
      rates.add(rate(n, millisSince(start)));
    }
    figures.add("INSERT from GENERATE_SERIES, " + way.label(), "rows/s", rates);
    statement.execute("CHECKPOINT");
  }

  private void count(Statement statement) throws SQLException {
    List<Double> times = new ArrayList<>();
    for (int run = 0; run < 10 * RUNS; run++) {
      long start = System.nanoTime();
      try (ResultSet row = statement.executeQuery(COUNT)) {
        row.next();
        if (run >= 5 * RUNS) {
          times.add(millisSince(start));
        }
        require(Math.abs(row.getLong(1) - rows / 2.0) <= rows / 20.0, "count", row.getLong(1));
      }
    }
    figures.add("count and sum, half of the rows pass", "ms", times);
  }

  private void update(Statement statement, String name) throws SQLException {
    List<Double> times = new ArrayList<>();
    long before = sum(statement);
    long changed = 0;
    for (int run = 0; run < RUNS; run++) {
      long start = System.nanoTime();
      changed += statement.executeLargeUpdate(UPDATE);
      if (run >= RUNS / 2) {
        times.add(millisSince(start));
      }
    }
    require(sum(statement) == before + changed, "sum", sum(statement));
    figures.add(name, "ms", times);
  }

  private static long sum(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery("SELECT sum(CAST(normali5 AS BIGINT)) FROM test")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void require(boolean holds, String what, long found) {
    if (!holds) {
      throw new IllegalStateException("wrong " + what + ": " + found);
    }
  }

  /** A process that ends behind the UPDATE and before its commit. */
  public static final class Unfinished {
    private Unfinished() {}

    /** Argument: the URL. */
    public static void main(String[] arguments) throws SQLException {
      Connection connection = DriverManager.getConnection(arguments[0]);
      connection.setAutoCommit(false);
      connection.createStatement().executeUpdate(UPDATE);
      Runtime.getRuntime().halt(ENDED);
    }
  }

  private static final int ENDED = 86;

  private void recovery(String url) throws SQLException, IOException, InterruptedException {
    long sum;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      sum = sum(statement);
    }
    Process child =
        new ProcessBuilder(ChildJvm.unarchived(List.of(), Unfinished.class, url))
            .inheritIO()
            .start();
    require(child.waitFor() == ENDED, "exit status", child.exitValue());
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      double millis = Statistics.read(connection).value("recovery_nanos") / 1e6;
      require(sum(statement) == sum, "sum after recovery", sum(statement));
      figures.add("recovery from an UPDATE of 5% that has not ended, undo", "ms", millis);
    }
  }

  /** Adds rows by an appender. */
  private interface Appending {
    void to(GpdbAppender appender) throws SQLException;
  }

  private void append(String how, Appending appending) throws SQLException, IOException {
    Path directory = scratch.fresh();
    String url = "jdbc:gpdb:%s;device=%s".formatted(directory, device);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      create(statement);
      long start = System.nanoTime();
      connection.setAutoCommit(false);
      try (GpdbAppender appender = connection.unwrap(GpdbConnection.class).appender("test")) {
        appending.to(appender);
      }
      connection.commit();
      figures.add("INSERT by the appender, " + how, "rows/s", rate(rows, millisSince(start)));
    }
    ScratchDirectory.delete(directory);
  }

  private void appendRows(GpdbAppender appender) throws SQLException {
    for (int i = 0; i < rows; i++) {
      appender.appendInt(i).appendInt(i % 1_000_000).appendInt(i % 10).appendInt(i % 40);
      appender.appendFloat(i % 1009).appendFloat(i % 103).appendFloat(i % 41).endRow();
    }
  }

  /** The same arrays again and again: how they are made is not what is measured. */
  private void appendArrays(GpdbAppender appender) throws SQLException {
    int[] ints = IntStream.range(0, ARRAY_ROWS).toArray();
    float[] floats = new float[ARRAY_ROWS];
    for (int i = 0; i < ARRAY_ROWS; i++) {
      floats[i] = i % 1009;
    }
    for (int at = 0; at < rows; at += ARRAY_ROWS) {
      int n = Math.min(ARRAY_ROWS, rows - at);
      int[] someInts = n == ARRAY_ROWS ? ints : Arrays.copyOf(ints, n);
      float[] someFloats = n == ARRAY_ROWS ? floats : Arrays.copyOf(floats, n);
      appender.appendInts(someInts).appendInts(someInts).appendInts(someInts).appendInts(someInts);
      appender.appendFloats(someFloats).appendFloats(someFloats).appendFloats(someFloats);
      appender.endRows();
    }
  }
}
