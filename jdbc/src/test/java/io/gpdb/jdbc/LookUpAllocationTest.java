package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** How much a statement that reads one row by its key takes of the heap, however it is compiled. */
class LookUpAllocationTest {
  private static final int LOOK_UPS = 2_000;
  private static final long BYTES_MAX = 1_250;

  @Test
  void aLookUpByKeyTakesLittleOfTheHeap() throws SQLException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (Connection c = DriverManager.getConnection("jdbc:gpdb:mem:look_ups")) {
      try (Statement s = c.createStatement()) {
        s.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, b BIGINT, s VARCHAR(20))");
        s.execute("INSERT INTO t VALUES (1, 10, 'one'), (2, 20, 'two'), (3, 30, 'three')");
      }
      try (PreparedStatement query = c.prepareStatement("SELECT b, s FROM t WHERE id = ?")) {
        lookUp(query);
        long before = threads.getCurrentThreadAllocatedBytes();
        lookUp(query);
        long each = (threads.getCurrentThreadAllocatedBytes() - before) / LOOK_UPS;
        assertThat(each).isLessThan(BYTES_MAX);
      }
    }
  }

  private static void lookUp(PreparedStatement query) throws SQLException {
    for (int i = 0; i < LOOK_UPS; i++) {
      int id = i % 3 + 1;
      query.setInt(1, id);
      try (ResultSet row = query.executeQuery()) {
        assertThatRowIs(row, id);
      }
    }
  }

  /** Without an assertion's objects. */
  private static void assertThatRowIs(ResultSet row, int id) throws SQLException {
    if (!row.next() || row.getLong(1) != id * 10 || row.getString(2).isEmpty() || row.next()) {
      throw new AssertionError("no such row: id=" + id);
    }
  }
}
