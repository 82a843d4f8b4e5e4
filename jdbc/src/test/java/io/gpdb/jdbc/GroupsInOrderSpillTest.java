package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.memory.DatabaseMemory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Groups that the host adds up in an order, of rows that memory has no room for: generated keys,
 * aggregates and orders have the same groups, in the same order, as with enough memory.
 */
class GroupsInOrderSpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261127L);
  private static final int STATEMENTS = 6 * Integer.getInteger("gpdb.fuzz", 1);
  private static final List<String> ORDERED =
      List.of(
          "LISTAGG(s, ',') WITHIN GROUP (ORDER BY id DESC)",
          "LISTAGG(s, ';') WITHIN GROUP (ORDER BY i, d)",
          "LISTAGG(s) FILTER (WHERE i > 3)",
          "PERCENTILE_CONT(0.3) WITHIN GROUP (ORDER BY i)",
          "PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY s DESC)",
          "MEDIAN(n)",
          "MODE(i)",
          "VAR_POP(d)",
          "REGR_SLOPE(r, i)");
  private static final List<String> OTHERS =
      List.of(
          "COUNT(*)",
          "COUNT(DISTINCT i)",
          "COUNT(DISTINCT s)",
          "SUM(DISTINCT w)",
          "SUM(d)",
          "MIN(s)",
          "MAX(w)",
          "AVG(n)");

  @TempDir static Path directory;

  private static Connection enough;
  private static Connection little;

  @BeforeAll
  static void fill() throws SQLException {
    enough = open("enough", "");
    little = open("little", ";memory_limit=" + (4 << 20));
    SpillTest.fill(enough);
    SpillTest.fill(little);
  }

  private static Connection open(String name, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve(name) + ";workers=2" + options);
  }

  @AfterAll
  static void close() throws SQLException {
    enough.close();
    little.close();
  }

  private static String plan(String sql) throws SQLException {
    return String.join("\n", TestDatabase.rows(little, "EXPLAIN ANALYZE " + sql));
  }

  private static void hold(String sql) throws Exception {
    List<String> expected = SpillTest.rows(enough, sql);
    List<String> found = SpillTest.rows(little, sql);
    assertThat(found.equals(expected)).as("seed %d: %s", SEED, sql).isTrue();
    SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
  }

  @Test
  void groupsAreThoseOfRowsInMemory() throws Exception {
    Random random = new Random(SEED);
    for (int i = 0; i < STATEMENTS; i++) {
      List<String> keys = new ArrayList<>(List.of("i", "s", "b", "n", "MOD(id, 4)", "d", "w"));
      Collections.shuffle(keys, random);
      keys = keys.subList(0, random.nextInt(3));
      List<String> ordered = new ArrayList<>(ORDERED);
      Collections.shuffle(ordered, random);
      List<String> calls = new ArrayList<>(ordered.subList(0, 1 + random.nextInt(3)));
      for (int more = random.nextInt(3); more > 0; more--) {
        calls.add(OTHERS.get(random.nextInt(OTHERS.size())));
      }
      List<String> all = new ArrayList<>(keys);
      all.addAll(calls);
      String by = keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys);
      hold("SELECT " + String.join(", ", all) + " FROM t" + by);
    }
  }

  /** Groups of a few rows, of more rows than memory holds, and one of all rows. */
  @Test
  void smallAndLargeGroupsSpill() throws Exception {
    String calls =
        "LISTAGG(s, ',') WITHIN GROUP (ORDER BY d, id), MEDIAN(n), VAR_POP(d),"
            + " PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY w DESC), MAX(r), COUNT(DISTINCT i)";
    for (String key : List.of("i", "MOD(id, 2)", "CASE WHEN id < 25000 THEN -1 ELSE id END", "1")) {
      String sql = "SELECT " + key + ", " + calls + " FROM t GROUP BY " + key + " HAVING 1 = 1";
      assertThat(plan(sql)).as(sql).containsPattern("aggregate in order.*bytes spilled ");
      hold(sql);
    }
    hold("SELECT VAR_POP(d), REGR_SLOPE(r, i), COUNT(DISTINCT s), SUM(DISTINCT w) FROM t");
    hold("SELECT " + calls + " FROM t");
    hold("SELECT s, VAR_POP(d) FROM t WHERE id < 0 GROUP BY s");
  }

  /** What calls make is sorted and grouped above. */
  @Test
  void stringsThatCallsMakeAreKnownAbove() throws Exception {
    String made = "SELECT LISTAGG(s, '') WITHIN GROUP (ORDER BY id) AS x FROM t GROUP BY i, n";
    hold("SELECT x FROM (" + made + ") m ORDER BY x DESC NULLS LAST LIMIT 50");
    hold("SELECT x, COUNT(*) FROM (" + made + ") m WHERE x < 's3' GROUP BY x ORDER BY 1, 2");
  }

  @Test
  void aFullDiskAndAnEarlyEndLeaveNothing() throws Exception {
    String sql = "SELECT i, d, LISTAGG(s) WITHIN GROUP (ORDER BY r) FROM t GROUP BY i, d";
    try (var statement = little.createStatement();
        var rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
    }
    SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
    try (Connection full = open("full", ";memory_limit=" + (4 << 20))) {
      SpillTest.fill(full);
      DatabaseMemory memory = SpillTest.fillsDisk(full);
      assertThatThrownBy(() -> SpillTest.rows(full, sql))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53100"));
      assertThat(memory.work().usedBytes()).isLessThan(1 << 20);
    }
  }
}
