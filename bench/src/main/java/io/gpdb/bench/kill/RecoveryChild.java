package io.gpdb.bench.kill;

import io.gpdb.bench.harness.Statistics;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * A process for the times of recovery: {@code update} and {@code commit} change 5% of the rows, say
 * so and wait to be killed before or after the commit; {@code open} opens the database and prints
 * what it took.
 */
public final class RecoveryChild {
  static final String READY = "ready";
  static final String UPDATE = "UPDATE test SET normali5 = normali5 + 1 WHERE uniformi < 50000";

  private RecoveryChild() {}

  /** Arguments: what to do, JDBC URL. */
  public static void main(String[] arguments) throws SQLException, InterruptedException {
    long started = System.nanoTime();
    double startSeconds =
        (System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime()) / 1e3;
    if (arguments[0].equals("open")) {
      open(arguments[1], started, startSeconds);
      return;
    }
    try (Connection connection = DriverManager.getConnection(arguments[1]);
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.executeUpdate(UPDATE);
      if (arguments[0].equals("commit")) {
        connection.commit();
      }
      System.out.println(READY);
      System.out.flush();
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  /** Prints: start of the JVM, connecting, recovery alone, the first look-up, changed rows. */
  private static void open(String url, long started, double startSeconds) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      long opened = System.nanoTime();
      try (PreparedStatement select =
          connection.prepareStatement("SELECT normali5 FROM test WHERE id = ?")) {
        select.setInt(1, 4711);
        try (ResultSet row = select.executeQuery()) {
          if (!row.next()) {
            throw new IllegalStateException("the reopened table lost a row");
          }
        }
      }
      long found = System.nanoTime();
      System.out.printf(
          Locale.ROOT,
          "%f %f %f %f %d%n",
          startSeconds,
          (opened - started) / 1e9,
          Statistics.read(connection).value("recovery_nanos") / 1e9,
          (found - opened) / 1e9,
          sum(connection));
    }
  }

  static long sum(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT sum(normali5) FROM test")) {
      row.next();
      return row.getLong(1);
    }
  }
}
