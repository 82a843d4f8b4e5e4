package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.session.Binding;
import io.gpdb.session.Cancellation;
import io.gpdb.session.Session;
import io.gpdb.storage.error.GpdbException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Cursors of SQL: how long they live, and where FETCH goes. */
class CursorsTest {
  private static final int ROWS_MAX = 9;
  private static final int STEPS = 400;

  private static TestDatabase newDatabase() throws SQLException {
    return new TestDatabase(
        "CREATE TABLE t (a INTEGER, b INTEGER)", "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)");
  }

  private static void refused(String state, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo(state));
  }

  @Test
  void aCursorEndsWithItsTransactionUnlessItIsHeld() throws SQLException {
    try (TestDatabase database = newDatabase()) {
      Connection connection = database.connection();
      database.execute("DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a");
      database.execute("DECLARE h CURSOR WITH HOLD FOR SELECT a FROM t ORDER BY a");
      connection.setAutoCommit(false);
      database.execute("OPEN c");
      database.execute("OPEN h");
      assertThat(database.rows("FETCH h")).containsExactly("1");
      connection.commit();
      refused("24000", () -> database.rows("FETCH c"));
      assertThat(database.rows("FETCH h")).containsExactly("2");
      connection.rollback();
      assertThat(database.rows("FETCH h")).containsExactly("3");
      database.execute("CLOSE h");
      database.execute("OPEN h");
      connection.rollback();
      refused("24000", () -> database.rows("FETCH h"));
    }
  }

  @Test
  void aCursorOpenedUnderAutocommitStaysOpen() throws SQLException {
    try (TestDatabase database = newDatabase()) {
      database.execute("DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a");
      database.execute("OPEN c");
      database.execute("BEGIN");
      database.execute("ROLLBACK");
      database.execute("INSERT INTO t VALUES (0, 0)");
      assertThat(database.rows("FETCH c")).containsExactly("1");
      refused("24000", () -> database.execute("DECLARE c CURSOR FOR SELECT 1"));
      database.execute("CLOSE c");
      database.execute("OPEN c");
      assertThat(database.rows("FETCH c")).containsExactly("0");
    }
  }

  @Test
  void goingBackToASavepointClosesWhatWasOpenedSince() throws SQLException {
    try (TestDatabase database = newDatabase()) {
      database.execute("DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a");
      database.execute("DECLARE d CURSOR FOR SELECT a FROM t ORDER BY a");
      database.execute("BEGIN");
      database.execute("OPEN c");
      database.execute("SAVEPOINT s");
      database.execute("OPEN d");
      database.execute("ROLLBACK TO s");
      assertThat(database.rows("FETCH c")).containsExactly("1");
      refused("24000", () -> database.rows("FETCH d"));
    }
  }

  @Test
  void aChangeAtTheCursorMeetsItsRowOrNone() throws SQLException {
    try (TestDatabase database = newDatabase();
        Connection other = database.another()) {
      database.execute("DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a");
      database.execute("OPEN c");
      database.rows("FETCH c");
      TestDatabase.execute(other, "DELETE FROM t WHERE a = 1");
      TestDatabase.execute(other, "INSERT INTO t VALUES (1, 9)");
      try (var statement = database.connection().createStatement()) {
        assertThat(statement.executeUpdate("UPDATE t SET b = 0 WHERE CURRENT OF c")).isZero();
        database.rows("FETCH c");
        TestDatabase.execute(other, "UPDATE t SET b = 8 WHERE a = 2");
        assertThat(statement.executeUpdate("UPDATE t SET b = b + 1 WHERE CURRENT OF c")).isOne();
        database.rows("FETCH c");
        TestDatabase.execute(other, "VACUUM t");
        refused("24000", () -> statement.executeUpdate("DELETE FROM t WHERE CURRENT OF c"));
      }
      assertThat(database.rows("SELECT a, b FROM t ORDER BY a"))
          .containsExactly("1|9", "2|9", "3|3");
    }
  }

  @Test
  void aPreparedChangeTakesItsParameters() throws SQLException {
    try (TestDatabase database = newDatabase()) {
      database.execute("DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a");
      database.execute("OPEN c");
      try (PreparedStatement change =
          database.connection().prepareStatement("UPDATE t SET b = ? + b WHERE CURRENT OF c")) {
        for (int i = 1; i <= 3; i++) {
          database.rows("FETCH c");
          change.setInt(1, 10 * i);
          assertThat(change.executeUpdate()).isOne();
        }
      }
      assertThat(database.rows("SELECT b FROM t ORDER BY a")).containsExactly("11", "22", "33");
      database.connection().setReadOnly(true);
      refused("25006", () -> database.execute("DELETE FROM t WHERE CURRENT OF c"));
    }
  }

  @Test
  void fetchGoesWhereAListSays() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    Random random = new Random(seed);
    for (int size = 0; size <= ROWS_MAX; size += 3) {
      try (TestDatabase database = new TestDatabase("CREATE TABLE t (a INTEGER)")) {
        for (int i = 0; i < size; i++) {
          database.execute("INSERT INTO t VALUES (" + i + ")");
        }
        database.execute("DECLARE c SCROLL CURSOR FOR SELECT a FROM t ORDER BY a");
        database.execute("OPEN c");
        int at = -1;
        for (int step = 0; step < STEPS; step++) {
          int n = random.nextInt(2 * ROWS_MAX) - ROWS_MAX;
          String where =
              List.of("NEXT", "PRIOR", "FIRST", "LAST", "ABSOLUTE " + n, "RELATIVE " + n)
                  .get(random.nextInt(6));
          at =
              switch (where.charAt(0)) {
                case 'N' -> at + 1;
                case 'P' -> at - 1;
                case 'F' -> 0;
                case 'L' -> size - 1;
                case 'A' -> n < 0 ? size + n : n - 1;
                default -> at + n;
              };
          at = Math.clamp(at, -1, size);
          assertThat(database.rows("FETCH " + where + " FROM c"))
              .as("seed %s, %s rows, step %s: %s", seed, size, step, where)
              .isEqualTo(at >= 0 && at < size ? List.of(String.valueOf(at)) : List.of());
        }
      }
    }
  }

  /**
   * The rewriting comes between the look at the cursor and the change, which has a plan of its own.
   */
  @Test
  void aTableRewrittenMeanwhileIsNotChangedByOldRowIds() throws SQLException {
    try (TestDatabase database = newDatabase();
        Connection other = database.another()) {
      database.execute("DELETE FROM t WHERE a = 1");
      database.execute("DECLARE c CURSOR FOR SELECT a FROM t ORDER BY a");
      database.execute("OPEN c");
      assertThat(database.rows("FETCH c")).containsExactly("2");
      Session session = database.connection().unwrap(GpdbConnection.class).session();
      Binding rewriting =
          (engine, sql, transaction) -> {
            Binding.Bound bound = Binding.NONE.bind(engine, sql, transaction);
            assertThatCode(() -> TestDatabase.execute(other, "VACUUM t"))
                .doesNotThrowAnyException();
            return bound;
          };
      String sql = "UPDATE t SET b = 9 WHERE CURRENT OF c";
      assertThatThrownBy(() -> session.execute(sql, rewriting, new Cancellation(session.stop())))
          .isInstanceOfSatisfying(
              GpdbException.class, e -> assertThat(e.code().sqlState()).isEqualTo("24000"));
      assertThat(database.rows("SELECT a, b FROM t ORDER BY a")).containsExactly("2|2", "3|3");
    }
  }
}
