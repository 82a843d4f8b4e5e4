package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Changes that are made of rows which are all read before, of more rows than memory holds, beside
 * the same with enough memory. {@code -Dgpdb.seed=S -Dgpdb.fuzz=N} runs N rounds from a seed.
 */
class ChangesSpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261127L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 2);
  private static final int ROWS = 60_000;
  private static final long LIMIT_BYTES = 12 << 20;

  /**
   * So many rows of one kind that those of all kinds together are more than there is memory for.
   */
  private static final int MANY = 12;

  private static final String TABLE =
      "(id INTEGER PRIMARY KEY, g INTEGER, v BIGINT, w DOUBLE, s VARCHAR)";

  @TempDir static Path directory;

  private static Connection enough;
  private static Connection little;

  @BeforeAll
  static void fill() throws SQLException {
    enough = open("enough", "");
    little = open("little", ";memory_limit=" + LIMIT_BYTES);
    for (Connection connection : List.of(enough, little)) {
      for (String name : List.of("t", "o")) {
        TestDatabase.execute(connection, "CREATE TABLE " + name + TABLE);
        String first = name.equals("t") ? "0" : "" + ROWS / 2;
        for (int from = 0; from < ROWS; from += ROWS / 4) {
          TestDatabase.execute(
              connection,
              "INSERT INTO "
                  + name
                  + (" SELECT x + " + first + ", MOD(x * 7, 1000), NULLIF(x * 3, 300), x * 0.5,")
                  + " NULLIF('s' || MOD(x, 500), 's7') FROM GENERATE_SERIES("
                  + (from + ", " + (from + ROWS / 4 - 1))
                  + ") r(x)");
        }
      }
      connection.setAutoCommit(false);
    }
  }

  private static Connection open(String name, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve(name) + ";workers=2" + options);
  }

  @AfterAll
  static void close() throws SQLException {
    enough.rollback();
    little.rollback();
    enough.close();
    little.close();
  }

  private static String condition(Random random) {
    return List.of(
            "MOD(%1$s.id, 9) = 3", "%1$s.g BETWEEN 100 AND 180", "%1$s.v > 160000", "%1$s.s = 's8'")
        .get(random.nextInt(4));
  }

  /** Each source has many rows, of which a statement changes some. */
  private static String statement(Random random) {
    String own = condition(random).formatted("t");
    String other = condition(random).formatted("o");
    return switch (random.nextInt(11)) {
      case 0 -> "INSERT INTO t SELECT id + 1000000, g, v, w, s FROM t WHERE " + own;
      case 1 ->
          "INSERT INTO t SELECT id + 1000000, g, v, w, s || 'x' FROM (SELECT *, ROW_NUMBER() OVER"
              + " (ORDER BY g, id) AS n FROM t) t WHERE MOD(n, 7) = 2";
      case 2 -> "UPDATE t SET v = o.v, s = o.s || 'y' FROM o WHERE o.id = t.id AND " + other;
      case 3 ->
          "UPDATE t SET w = (SELECT MAX(o.w) FROM o WHERE o.id = t.id), g = g + 1 WHERE " + own;
      case 4 -> "DELETE FROM t USING o WHERE o.id = t.id AND " + own;
      case 5 -> "DELETE FROM t USING o WHERE MOD(o.id, 30000) = MOD(t.id, 30000) AND " + own;
      case 6 ->
          "MERGE INTO t USING o ON o.id = t.id WHEN MATCHED AND "
              + own
              + " THEN UPDATE SET v = o.v, s = o.s WHEN MATCHED AND MOD(t.id, 11) = 2 THEN DELETE"
              + " WHEN NOT MATCHED AND "
              + other
              + " THEN INSERT (id, g, v, w, s) VALUES (o.id, o.g, o.v, o.w, o.s)";
      case 7 ->
          "INSERT INTO t SELECT id - 40000, g, v, w, s FROM t WHERE id >= 40000 AND "
              + own
              + " ON CONFLICT (id) DO UPDATE SET v = excluded.v + t.v";
      case 8 ->
          "INSERT INTO t SELECT id + 20000, g, v, w, s FROM t WHERE "
              + own
              + " ON CONFLICT (id) DO NOTHING";
      case 9 -> "UPDATE t SET id = o.id + 2000000, g = o.g FROM o WHERE o.id = t.id AND " + other;
      default ->
          "DELETE FROM t WHERE id IN (SELECT o.id FROM o WHERE "
              + other
              + " UNION ALL SELECT o.id + 1 FROM o WHERE "
              + other
              + ")";
    };
  }

  @Test
  void rowsAreChangedAsWithEnoughMemory() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      Random random = new Random(SEED + round);
      for (int i = 0; i < 12; i++) {
        check(statement(random), random.nextInt(3) == 0, "seed " + (SEED + round));
      }
    }
  }

  private static void check(String sql, boolean returning, String what) throws Exception {
    String text = returning ? sql + " RETURNING *" : sql;
    if (returning && sql.startsWith("MERGE")) {
      text = sql;
    }
    List<String> changed = run(little, text);
    List<String> expected = run(enough, text);
    assertThat(sorted(changed).equals(sorted(expected))).as("%s: %s", what, text).isTrue();
    String all = "SELECT * FROM t ORDER BY id";
    assertThat(SpillTest.rows(little, all).equals(SpillTest.rows(enough, all)))
        .as("%s: %s", what, text)
        .isTrue();
    little.rollback();
    enough.rollback();
    SpillTest.assertNoFileLeft(directory.resolve("little"), text);
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  /** How many rows a statement changes, or the rows that it returns. */
  private static List<String> run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return List.of("" + statement.getUpdateCount());
      }
      try (ResultSet rows = statement.getResultSet()) {
        return SpillTest.rows(rows);
      }
    } catch (SQLException e) {
      throw new SQLException(sql, e);
    }
  }

  private static String many(String rows) {
    return "(" + String.join(" UNION ALL ", java.util.Collections.nCopies(MANY, rows)) + ")";
  }

  /** The rows that are gathered are many times those that are changed. */
  @Test
  void rowsThatMemoryDoesNotHoldAreReadBeforeTheFirstIsChanged() throws Exception {
    String rows = many("SELECT id, g, v, w, s FROM o");
    for (String sql :
        List.of(
            "DELETE FROM t USING " + rows + " o WHERE o.id = t.id AND t.g < 400",
            "MERGE INTO t USING "
                + many("SELECT id, g, v, w, s, MOD(id, 7) AS k FROM o")
                + " o ON o.id = t.id AND o.k = 9 WHEN NOT MATCHED AND o.id < 0 THEN INSERT (id, g)"
                + " VALUES (o.id, o.g) WHEN NOT MATCHED AND o.v = 900 THEN DO NOTHING")) {
      check(sql, false, "many");
    }
  }

  @Test
  void aRowThatIsNamedTwiceIsFoundInAFile() throws Exception {
    for (Connection connection : List.of(enough, little)) {
      for (String sql :
          List.of(
              "UPDATE t SET v = o.v FROM (SELECT id, v FROM o UNION ALL SELECT id, v FROM o WHERE"
                  + " id = 59999) o WHERE o.id = t.id",
              "MERGE INTO t USING (SELECT id, v FROM o UNION ALL SELECT id, v FROM o WHERE id ="
                  + " 59999) o ON o.id = t.id WHEN MATCHED THEN UPDATE SET v = o.v")) {
        assertThatThrownBy(() -> TestDatabase.execute(connection, sql))
            .as(sql)
            .isInstanceOfSatisfying(
                SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("21000"));
        connection.rollback();
      }
    }
  }

  @Test
  void lockedRowsThatMemoryDoesNotHoldAreReturned() throws Exception {
    try (Connection tiny = open("tiny", ";memory_limit=" + LIMIT_BYTES / 2)) {
      TestDatabase.execute(tiny, "CREATE TABLE t" + TABLE);
      for (int from = 0; from < ROWS; from += ROWS / 10) {
        TestDatabase.execute(
            tiny,
            "INSERT INTO t SELECT x, MOD(x, 9), x, x, 's' || MOD(x, 9) FROM GENERATE_SERIES("
                + (from + ", " + (from + ROWS / 10 - 1))
                + ") r(x)");
      }
      tiny.setAutoCommit(false);
      String all = "SELECT id, g, v, w, s, v AS v2, w AS w2 FROM t";
      List<String> rows = SpillTest.rows(tiny, all);
      assertThat(rows).hasSize(ROWS);
      String some = all + " LIMIT 5000 OFFSET 900 FOR UPDATE SKIP LOCKED";
      assertThat(run(tiny, some).equals(rows.subList(900, 5900))).isTrue();
      tiny.rollback();
      assertThat(run(tiny, all + " FOR UPDATE").equals(rows)).isTrue();
      tiny.rollback();
      SpillTest.assertNoFileLeft(directory.resolve("tiny"), all);
      SpillTest.fillsDisk(tiny);
      assertThatThrownBy(() -> run(tiny, all + " FOR UPDATE"))
          .rootCause()
          .hasMessageContaining("disk is full");
    }
  }

  private static final String WIDE =
      " RETURNING *, s || '-' || id"
          + ", v * 2 + id".repeat(20)
          + ", w / 2".repeat(20)
          + ", CASE WHEN MOD(id, 3) = 1 THEN g END";

  /** Rows are returned in the order of the change, whose values are those after it or before. */
  @Test
  void rowsThatMemoryDoesNotHoldAreReturned() throws Exception {
    for (String sql :
        List.of(
            "DELETE FROM t WHERE g < 260" + WIDE,
            "UPDATE t SET g = g + 1 WHERE g < 260" + WIDE,
            "INSERT INTO t SELECT id + 1000000, g, v, w, s FROM t WHERE g < 260" + WIDE,
            "INSERT INTO t SELECT id - 30000, g, v, w, s FROM t WHERE id >= 30000 AND g < 510"
                + " ON CONFLICT (id) DO UPDATE SET g = t.g + excluded.g"
                + WIDE)) {
      List<String> returned = run(little, sql);
      assertThat(returned.equals(run(enough, sql))).as(sql).isTrue();
      assertThat(returned).as(sql).hasSizeGreaterThan(15_000);
      little.rollback();
      enough.rollback();
      SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
    }
  }

  /** The disk is full while rows are gathered: nothing has changed, and the transaction goes on. */
  @Test
  void aFullDiskEndsTheStatementAlone() throws Exception {
    try (Connection connection = open("full", ";memory_limit=" + LIMIT_BYTES)) {
      TestDatabase.execute(connection, "CREATE TABLE t" + TABLE);
      TestDatabase.execute(
          connection,
          "INSERT INTO t SELECT x, x, x, x, 's' FROM GENERATE_SERIES(0, " + (ROWS - 1) + ") r(x)");
      connection.setAutoCommit(false);
      TestDatabase.execute(connection, "UPDATE t SET g = -1 WHERE id = 7");
      SpillTest.fillsDisk(connection);
      String rows = many("SELECT id, g, v, w, s FROM t");
      for (String sql :
          List.of(
              "DELETE FROM t USING " + rows + " o WHERE o.id = t.id",
              "INSERT INTO t SELECT id + 90000, g, v, w, s FROM " + rows + " o",
              "MERGE INTO t USING "
                  + rows
                  + " o ON o.id = t.id AND o.g > 99999 WHEN NOT MATCHED AND o.id < 0 THEN INSERT"
                  + " (id) VALUES (o.id)",
              "DELETE FROM t WHERE id >= 0" + WIDE,
              "UPDATE t SET g = g + 1 WHERE id >= 0" + WIDE)) {
        assertThatThrownBy(() -> run(connection, sql))
            .as(sql)
            .rootCause()
            .hasMessageContaining("disk is full");
      }
      assertThat(SpillTest.rows(connection, "SELECT COUNT(*), MIN(g) FROM t"))
          .containsExactly(ROWS + "|-1|");
      connection.rollback();
    }
  }
}
