package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** What many statements, tables and databases in one process may take. */
class MemoryBoundsTest {
  private static final long KIB = 1 << 10;
  private static final long MIB = 1 << 20;

  private static GpdbConnection open(String name) throws SQLException {
    return DriverManager.getConnection("jdbc:gpdb:mem:" + name).unwrap(GpdbConnection.class);
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  private static long workingBytes(GpdbConnection connection) {
    return connection.session().database().transactions().space().workingBytes();
  }

  private static void query(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
    }
  }

  @Test
  void kernelsOfManyShapesDoNotAddUp() throws SQLException {
    try (Connection connection = open("shapes");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (a INTEGER)");
      statement.execute("INSERT INTO t VALUES (2)");
      runShapes(statement, 0, 400);
      long before = heapBytes();
      runShapes(statement, 400, 900);
      assertThat(heapBytes() - before).isLessThan(64 * MIB);
    }
  }

  /** Each an expression of its own, so that no two share a kernel. */
  private static void runShapes(Statement statement, int from, int to) throws SQLException {
    for (int i = from; i < to; i++) {
      String expression = "a";
      for (int bit = 0; bit < 12; bit++) {
        boolean set = (i >> bit & 1) != 0;
        expression = set ? "(" + expression + " * 2 - a)" : "(" + expression + " + a)";
      }
      query(statement, "SELECT " + expression + " FROM t WHERE a > 1");
    }
  }

  @Test
  void aSmallTableTakesTensOfKilobytes() throws SQLException {
    try (GpdbConnection connection = open("small");
        Statement statement = connection.createStatement()) {
      createTables(statement, 0, 10, false);
      long before = workingBytes(connection);
      createTables(statement, 10, 60, false);
      assertThat((workingBytes(connection) - before) / 50).isLessThan(64 * KIB);
    }
  }

  @Test
  void droppedTablesGiveTheirMemoryBack() throws SQLException {
    try (GpdbConnection connection = open("dropped");
        Statement statement = connection.createStatement()) {
      createTables(statement, 0, 20, true);
      long before = workingBytes(connection);
      createTables(statement, 20, 220, true);
      assertThat(workingBytes(connection) - before).isLessThan(256 * KIB);
    }
  }

  private static void createTables(Statement statement, int from, int to, boolean drop)
      throws SQLException {
    for (int i = from; i < to; i++) {
      statement.execute(
          "CREATE TABLE t%d (id INTEGER PRIMARY KEY, a INTEGER, v VARCHAR(9), d DECIMAL(9, 2))"
              .formatted(i));
      statement.execute("INSERT INTO t%d VALUES (1, 2, 'x', 1.5), (2, 3, 'y', 2)".formatted(i));
      query(statement, "SELECT sum(a) FROM t%d WHERE id > 1".formatted(i));
      if (drop) {
        statement.execute("DROP TABLE t" + i);
      }
    }
  }

  @Test
  void closedMemoryDatabasesLeaveNothing() throws SQLException {
    openAndClose(20);
    long heapBefore = heapBytes();
    int threadsBefore = ManagementFactory.getThreadMXBean().getThreadCount();
    openAndClose(100);
    assertThat(heapBytes() - heapBefore).isLessThan(16 * MIB);
    assertThat(ManagementFactory.getThreadMXBean().getThreadCount() - threadsBefore).isLessThan(8);
  }

  private static void openAndClose(int databases) throws SQLException {
    for (int i = 0; i < databases; i++) {
      try (Connection connection = open("");
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v VARCHAR(10))");
        statement.execute("INSERT INTO t VALUES (1, 'x')");
        query(statement, "SELECT count(*) FROM t WHERE id > 0");
      }
    }
  }
}
