package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * One thread binds without a pause what another one runs: each value stored is one that was bound,
 * and stored everywhere alike.
 */
class BindingBesideRunsTest {
  private static final int ROUNDS = 60;
  private static final String INSERT = "INSERT INTO t VALUES (?, ?, ?)";

  /** What the other thread does with the statement meanwhile. */
  private interface Run {
    void run(PreparedStatement statement) throws SQLException;
  }

  private static void whileBinding(Run run) throws Exception {
    try (TestDatabase database =
            new TestDatabase(
                "CREATE TABLE t (a INT NOT NULL CHECK (a >= 0), b BIGINT, s VARCHAR)");
        PreparedStatement insert = database.connection().prepareStatement(INSERT)) {
      database.execute("CREATE INDEX by_a ON t (a)");
      database.execute("CREATE INDEX by_s ON t (s)");
      bind(insert, 0);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      Thread runner =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      for (int i = 0; i < ROUNDS; i++) {
                        run.run(insert);
                      }
                    } catch (SQLException | RuntimeException | Error e) {
                      failure.set(e);
                    }
                  });
      for (int i = 0; runner.isAlive(); i++) {
        bind(insert, i % 50);
      }
      assertThat(failure.get()).isNull();
      assertThat(
              database.rows(
                  "SELECT count(*) FROM t WHERE a BETWEEN 0 AND 49"
                      + " AND (b IS NULL OR (b BETWEEN 0 AND 98 AND MOD(b, 2) = 0))"))
          .containsExactlyElementsOf(database.rows("SELECT count(*) FROM t"));
      for (int a = 0; a < 50; a++) {
        assertThat(database.rows("SELECT count(*) FROM t WHERE a = " + a))
            .containsExactlyElementsOf(database.rows("SELECT count(*) FROM t WHERE a + 0 = " + a));
        String s = text(a);
        assertThat(database.rows("SELECT count(*) FROM t WHERE s = '" + s + "'"))
            .containsExactlyElementsOf(
                database.rows("SELECT count(*) FROM t WHERE s || '' = '" + s + "'"));
      }
      assertThat(database.rows("SELECT count(DISTINCT s) <= 50, count(s) = count(*) FROM t"))
          .containsExactly("TRUE|TRUE");
    }
  }

  private static String text(int i) {
    return "s".repeat(i) + i;
  }

  private static void bind(PreparedStatement insert, int i) throws SQLException {
    insert.setInt(1, i);
    if (i % 3 == 0) {
      insert.setNull(2, java.sql.Types.BIGINT);
    } else {
      insert.setLong(2, i * 2L);
    }
    insert.setString(3, text(i));
  }

  @Test
  void rowsOneByOne() throws Exception {
    whileBinding(PreparedStatement::executeUpdate);
  }

  @Test
  void batches() throws Exception {
    whileBinding(
        insert -> {
          for (int i = 0; i < 40; i++) {
            insert.addBatch();
          }
          insert.executeBatch();
        });
  }
}
