package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.space.TableSpace;
import io.gpdb.txn.TransactionManager;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A statement that needs more memory than there may be fails with 53200 and leaves nothing; its
 * transaction goes on, or rolls back, and the database stays whole.
 */
class MemoryLimitTest {
  private static final int ROWS = 160_000;
  private static final int BATCH = 5000;
  private static final long LIMIT_BYTES = 2 << 20;
  private static final String SUMS = "SELECT count(*), sum(v), count(DISTINCT s) FROM t";

  private enum Huge {
    INSERT_SELECT {
      @Override
      void run(Connection connection) throws SQLException {
        TestDatabase.execute(connection, "INSERT INTO t SELECT id + 1000000, v, s FROM t");
      }
    },
    INSERT_BATCH {
      @Override
      void run(Connection connection) throws SQLException {
        insert(connection, 2_000_000, 2_000_000 + ROWS, ROWS);
      }
    },
    UPDATE {
      @Override
      void run(Connection connection) throws SQLException {
        TestDatabase.execute(connection, "UPDATE t SET v = v + 1, s = 'long ' || s");
      }
    },
    UPDATE_BATCH {
      @Override
      void run(Connection connection) throws SQLException {
        try (PreparedStatement statement =
            connection.prepareStatement("UPDATE t SET v = v + ? WHERE id = ?")) {
          for (int id = 0; id < ROWS; id++) {
            statement.setLong(1, 3);
            statement.setLong(2, id);
            statement.addBatch();
          }
          statement.executeBatch();
        }
      }
    },
    DELETE {
      @Override
      void run(Connection connection) throws SQLException {
        TestDatabase.execute(connection, "DELETE FROM t WHERE v >= 0");
      }
    };

    abstract void run(Connection connection) throws SQLException;
  }

  private static void insert(Connection connection, int from, int to, int batch)
      throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int id = from; id < to; id++) {
        statement.setLong(1, id);
        statement.setLong(2, id % 10);
        statement.setString(3, "string " + Math.abs(id) % 100);
        statement.addBatch();
        if ((id - from) % batch == batch - 1) {
          statement.executeBatch();
        }
      }
    }
  }

  @Test
  void aLimitUnderWhichNothingCouldBeWrittenIsRefusedAtOpening(@TempDir Path directory) {
    Path database = directory.resolve("db");
    for (long bytes : new long[] {1, 1 << 20, TransactionManager.MEMORY_BYTES_MIN - 1}) {
      String url = "jdbc:gpdb:" + database + ";memory_limit=" + bytes;
      assertThatThrownBy(() -> DriverManager.getConnection(url))
          .hasMessageContaining("at least " + TransactionManager.MEMORY_BYTES_MIN)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"));
    }
    assertThat(database).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"auto", "redo", "undo", "versioned", "checksummed", "cap-fs", "cap-mm"})
  void underTheLeastLimitSmallChangesAreWritten(String protocol, @TempDir Path directory)
      throws SQLException {
    String url =
        "jdbc:gpdb:%s;protocol=%s;memory_limit=%d"
            .formatted(directory, protocol, TransactionManager.MEMORY_BYTES_MIN);
    for (int opening = 0; opening < 2; opening++) {
      try (Connection connection = DriverManager.getConnection(url)) {
        TestDatabase.execute(connection, "CREATE TABLE t" + opening + " (id INT, s VARCHAR)");
        for (int i = 0; i < 20; i++) {
          TestDatabase.execute(
              connection, "INSERT INTO t" + opening + " VALUES (1, 'a'), (2, 'b')");
          TestDatabase.execute(connection, "UPDATE t" + opening + " SET s = s || 'c'");
        }
        TestDatabase.execute(connection, "CHECKPOINT");
        TestDatabase.execute(connection, "DELETE FROM t0 WHERE id = 1");
      }
    }
  }

  private static void assertSums(Connection connection, long rows, long sum) throws SQLException {
    assertThat(TestDatabase.rows(connection, SUMS)).containsExactly(rows + "|" + sum + "|100");
  }

  /** Rows to insert are in the working image, which has a limit of its own. */
  private static void limitRows(Connection connection, long moreBytes) throws SQLException {
    TableSpace space =
        connection.unwrap(GpdbConnection.class).session().database().transactions().space();
    space.limitWorkingBytes(
        moreBytes == Long.MAX_VALUE ? moreBytes : space.workingBytes() + moreBytes);
  }

  @ParameterizedTest
  @CsvSource({
    "INSERT_SELECT, redo",
    "UPDATE, redo",
    "UPDATE_BATCH, redo",
    "DELETE, redo",
    "UPDATE, undo",
    "DELETE, undo",
    "UPDATE, versioned",
    "INSERT_BATCH, checksummed"
  })
  void aHugeStatementFailsAndItsTransactionGoesOnOrRollsBack(
      Huge huge, String protocol, @TempDir Path directory) throws SQLException {
    Path database = directory.resolve("db");
    String url = "jdbc:gpdb:" + database + ";protocol=" + protocol + ";memory_limit=" + LIMIT_BYTES;
    long sum = ROWS / 10 * 45L;
    try (Connection connection = DriverManager.getConnection(url)) {
      TestDatabase.execute(
          connection, "CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT, s VARCHAR)");
      insert(connection, 0, ROWS, BATCH);
      connection.setAutoCommit(false);
      for (boolean commits : new boolean[] {false, true}) {
        TestDatabase.execute(connection, "UPDATE t SET v = 100 WHERE id = 7");
        limitRows(connection, LIMIT_BYTES);
        assertExhausted(connection, huge);
        assertSums(connection, ROWS, sum + 93);
        limitRows(connection, Long.MAX_VALUE);
        TestDatabase.execute(connection, "UPDATE t SET v = 100 WHERE id = 17");
        insert(connection, -1, 0, 1);
        assertSums(connection, ROWS + 1, sum + 185);
        if (commits) {
          connection.commit();
        } else {
          connection.rollback();
          assertSums(connection, ROWS, sum);
          connection.commit();
        }
      }
    }
    assertThat(DatabaseCheck.run(database)).isEmpty();
    try (Connection connection = DriverManager.getConnection(url)) {
      assertSums(connection, ROWS + 1, sum + 185);
    }
  }

  private static void assertExhausted(Connection connection, Huge huge) {
    assertThatThrownBy(() -> huge.run(connection))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53200"));
  }
}
