package io.gpdb.jdbc.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database with a table test (id, v), and connections whose transactions cross. */
final class IsolationDatabase implements AutoCloseable {
  private static final AtomicLong NAMES = new AtomicLong();

  /** Where the database is stored, and how its commits become durable. */
  enum Place {
    MEMORY,
    FILE_REDO,
    FILE_UNDO
  }

  private final @Nullable Path directory;
  private final String url;
  private final List<Connection> open = new ArrayList<>();
  private final Connection setUp;

  IsolationDatabase(String rows) throws SQLException {
    this(Place.MEMORY, rows);
  }

  IsolationDatabase(Place place, String rows) throws SQLException {
    directory = place == Place.MEMORY ? null : temporary();
    url =
        switch (place) {
          case MEMORY -> "jdbc:gpdb:mem:isolation" + NAMES.incrementAndGet();
          case FILE_REDO -> "jdbc:gpdb:" + directory + "/db;protocol=redo";
          case FILE_UNDO -> "jdbc:gpdb:" + directory + "/db;protocol=undo";
        };
    setUp = DriverManager.getConnection(url);
    execute(setUp, "CREATE TABLE test (id INTEGER PRIMARY KEY, v INTEGER)");
    execute(setUp, "INSERT INTO test VALUES " + rows);
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("gpdb-isolation");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection with autocommit. */
  Connection setUp() {
    return setUp;
  }

  /** A connection without autocommit, closed with the database. */
  Connection transaction(int level) throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(level);
    open.add(connection);
    return connection;
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Something that may be refused. */
  interface Act {
    void run() throws SQLException;
  }

  static void assertConflict(Act act) {
    assertThatThrownBy(act::run)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("40001"));
  }

  static void assertConflict(Connection connection, String sql) {
    assertConflict(() -> execute(connection, sql));
  }

  /** Rows of two columns as a=b, sorted. */
  static List<String> rows(Connection connection, String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(result.getInt(1) + "=" + result.getInt(2));
      }
    }
    rows.sort(null);
    return rows;
  }

  /** What is committed. */
  List<String> committed() throws SQLException {
    return rows(setUp, "SELECT id, v FROM test");
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : open) {
      connection.close();
    }
    setUp.close();
    if (directory != null) {
      delete(directory);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
