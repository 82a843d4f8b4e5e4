package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Batches whose keys go into several indexes at a time, against sets of the keys. */
class KeysOfBatchesTest {
  private static final int ROUNDS = 12;
  private static final int ROWS_MIN = 900; // below and above the rows that threads share
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final Set<Integer> ids = new HashSet<>();
  private final Set<Integer> codes = new HashSet<>();

  @Test
  void theFirstRowWithAKeyOfAnotherFailsTheBatch() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:;workers=4");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INT PRIMARY KEY, code INT CONSTRAINT one_code UNIQUE, v INT)");
      statement.execute("CREATE INDEX by_v ON t (v, code DESC)");
      statement.execute("CREATE UNIQUE INDEX by_both ON t (code, id)");
      connection.setAutoCommit(false);
      for (int round = 0; round < ROUNDS; round++) {
        runBatch(connection);
      }
      assertThat(count(statement, "SELECT COUNT(*) FROM t"))
          .as("seed %d", SEED)
          .isEqualTo(ids.size());
      for (int i = 0; i < 50; i++) {
        int v = random.nextInt(100);
        assertThat(count(statement, "SELECT COUNT(*) FROM t WHERE v = " + v))
            .as("seed %d", SEED)
            .isEqualTo(count(statement, "SELECT COUNT(*) FROM t WHERE v + 0 = " + v));
      }
      assertThat(count(statement, "SELECT COUNT(DISTINCT code) FROM t WHERE code > -1"))
          .as("seed %d", SEED)
          .isEqualTo(codes.size());
    }
  }

  private void runBatch(Connection connection) throws SQLException {
    int n = ROWS_MIN + random.nextInt(3000);
    int span = random.nextBoolean() ? 1 << 30 : 4_000_000;
    Set<Integer> newIds = new HashSet<>();
    Set<Integer> newCodes = new HashSet<>();
    String failed = null;
    try (PreparedStatement insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?)")) {
      for (int row = 0; row < n; row++) {
        int id = random.nextInt(span);
        int code = random.nextInt(span);
        insert.setInt(1, id);
        insert.setInt(2, code);
        insert.setInt(3, random.nextInt(100));
        insert.addBatch();
        boolean freeId = !ids.contains(id) & newIds.add(id);
        boolean freeCode = !codes.contains(code) & newCodes.add(code);
        if (failed == null && !(freeId && freeCode)) {
          failed = "(" + (freeId ? code : id) + "), row " + (row + 1);
        }
      }
      if (failed == null) {
        insert.executeBatch();
        ids.addAll(newIds);
        codes.addAll(newCodes);
      } else {
        String place = failed;
        assertThatThrownBy(insert::executeBatch)
            .as("seed %d", SEED)
            .isInstanceOf(BatchUpdateException.class)
            .satisfies(e -> assertThat(((SQLException) e).getSQLState()).isEqualTo("23505"))
            .hasMessageEndingWith(place);
      }
    }
  }

  private static int count(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
