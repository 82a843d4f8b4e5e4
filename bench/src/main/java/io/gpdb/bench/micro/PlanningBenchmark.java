package io.gpdb.bench.micro;

import static java.util.Objects.requireNonNull;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Texts that were never seen before, parsed, checked and planned over empty tables. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PlanningBenchmark {
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE a (id INTEGER PRIMARY KEY, g INTEGER, v BIGINT, s VARCHAR(20))",
          "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER, w DOUBLE PRECISION)",
          "CREATE TABLE c (id INTEGER PRIMARY KEY, b INTEGER, d DATE)");

  /** What a text asks for; each prepared one has another name for its first column. */
  public enum Text {
    KEY("SELECT v AS %s FROM a WHERE id = ?"),
    FILTER("SELECT COUNT(*) AS %s, SUM(v) FROM a WHERE g BETWEEN 3 AND 9 AND s LIKE 'x%%'"),
    GROUPS("SELECT g AS %s, SUM(v) AS n FROM a WHERE v > 1 GROUP BY g ORDER BY n DESC LIMIT 5"),
    JOIN(
        "SELECT a.g AS %s, MAX(c.d) FROM a JOIN b ON b.a = a.id JOIN c ON c.b = b.id"
            + " WHERE b.w > 0.5 GROUP BY a.g"),
    NESTED(
        "SELECT id AS %s FROM a WHERE v > (SELECT AVG(w) FROM b WHERE b.a = a.id)"
            + " AND EXISTS (SELECT * FROM c WHERE c.b = a.g)");

    private final String sql;

    Text(String sql) {
      this.sql = sql;
    }
  }

  @Param Text text = Text.KEY;

  private @Nullable Connection connection;
  private long count;

  @Setup
  public void open() throws SQLException {
    Connection opened = DriverManager.getConnection("jdbc:gpdb:mem:micro");
    connection = opened;
    try (Statement statement = opened.createStatement()) {
      for (String table : TABLES) {
        statement.execute(table);
      }
    }
  }

  @TearDown
  public void close() throws SQLException {
    requireNonNull(connection).close();
  }

  @Benchmark
  public int prepare() throws SQLException {
    count++;
    try (PreparedStatement prepared =
        requireNonNull(connection).prepareStatement(text.sql.formatted("n" + count))) {
      return prepared.getMetaData().getColumnCount();
    }
  }
}
