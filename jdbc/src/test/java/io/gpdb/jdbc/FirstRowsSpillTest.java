package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ORDER BY with LIMIT and OFFSET with little memory: the rows of the order that there are with
 * enough memory, whether few or nearly all rows are wanted.
 */
class FirstRowsSpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 4);
  private static final long LIMIT_BYTES = 4 << 20;

  /** Rows of {@link #PRODUCT} for each of the table. */
  private static final int TIMES = 9;

  private static final String PRODUCT =
      "(SELECT id, i, d, n, w, b, r, s FROM t, (VALUES 1, 2, 3, 4, 5, 6, 7, 8, 9) v(k))";

  private static final Pattern ROWS_COUNTED = Pattern.compile("all pairs.*: (\\d+) rows");

  @TempDir static Path directory;

  private static Connection enough;
  private static Connection little;

  /** With room for what a kernel makes of a batch of the product. */
  private static Connection more;

  @BeforeAll
  static void fill() throws SQLException {
    enough = open("enough", "");
    little = open("little", ";memory_limit=" + LIMIT_BYTES);
    more = open("more", ";memory_limit=" + 4 * LIMIT_BYTES);
    for (Connection connection : List.of(enough, little, more)) {
      SpillTest.fill(connection);
    }
  }

  private static Connection open(String name, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve(name) + ";workers=2" + options);
  }

  @AfterAll
  static void close() throws SQLException {
    enough.close();
    little.close();
    more.close();
  }

  /** Of any order of magnitude. */
  private static int count(Random random, int max) {
    return random.nextInt(1 + random.nextInt(random.nextBoolean() ? max : 1 + max / 100));
  }

  /** The rows with a limit and an offset that are parameters. */
  private static List<String> rows(Connection connection, String sql, int limit, int offset)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(sql + " LIMIT ? OFFSET ?")) {
      query.setInt(1, limit);
      query.setInt(2, offset);
      try (ResultSet result = query.executeQuery()) {
        return SpillTest.rows(result);
      }
    }
  }

  private static void assertSame(Connection connection, String sql, int limit, int offset)
      throws Exception {
    String text = sql + " LIMIT " + limit + " OFFSET " + offset;
    List<String> all = SpillTest.rows(enough, text);
    assertSame(SpillTest.rows(connection, text), all, text);
    assertSame(rows(connection, sql, limit, offset), all, "parameters: " + text);
    SpillTest.assertNoFileLeft(directory.resolve("little"), text);
    SpillTest.assertNoFileLeft(directory.resolve("more"), text);
  }

  private static void assertSame(List<String> found, List<String> all, String text) {
    for (int k = 0; k < Math.min(found.size(), all.size()); k++) {
      assertThat(found.get(k)).as("seed %d, row %d, %s", SEED, k, text).isEqualTo(all.get(k));
    }
    assertThat(found).as(text).hasSameSizeAs(all);
  }

  private static String filter(Random random) {
    return List.of("", " WHERE i < 7000", " WHERE id < 20000 AND s LIKE 's1%'", " WHERE n < 0")
        .get(random.nextInt(4));
  }

  @Test
  void theFirstRowsOfATableAreThoseOfAllWithAnyLimit() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < 2 * ROUNDS; round++) {
      String made = random.nextInt(3) == 0 ? "SELECT *, upper(s) || i AS made" : "SELECT *";
      String sql = made + " FROM t" + filter(random) + SpillTest.order(random);
      int limit = count(random, SpillTest.ROWS);
      assertSame(little, sql, limit, count(random, SpillTest.ROWS));
    }
  }

  /** Rows that are in no table are left out as soon as there are better ones. */
  @Test
  void theFirstOfMoreRowsThanMemoryHoldsAreThoseOfAll() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      String sql = "SELECT * FROM " + PRODUCT + filter(random) + SpillTest.order(random);
      assertSame(more, sql, count(random, 3000), count(random, 2000));
    }
  }

  @Test
  void nearlyAllOfMoreRowsThanMemoryHoldsAreThoseOfAll() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      String sql = "SELECT * FROM " + PRODUCT + filter(random) + SpillTest.order(random);
      int limit = count(random, TIMES * SpillTest.ROWS);
      assertSame(more, sql, Math.min(limit, 90_000), count(random, TIMES * SpillTest.ROWS));
    }
  }

  @Test
  void fewRowsOfMoreThanMemoryHoldsAreFoundByOneRead() throws SQLException {
    String sql = "SELECT * FROM " + PRODUCT + " ORDER BY d, id LIMIT 20 OFFSET 10";
    String plan = String.join("\n", TestDatabase.rows(more, "EXPLAIN ANALYZE " + sql));
    Matcher counted = ROWS_COUNTED.matcher(plan);
    assertThat(counted.find()).as(plan).isTrue();
    assertThat(Integer.parseInt(counted.group(1))).as(plan).isEqualTo(TIMES * SpillTest.ROWS);
    assertThat(plan).doesNotContain("bytes spilled");
  }

  /** The sort gets all rows before memory is full, so few of them are read twice. */
  @Test
  void rowsOfWhichAllMayBeWantedAreNotHeldUntilMemoryIsFull() throws SQLException {
    String sql = "SELECT * FROM " + PRODUCT + " ORDER BY d, id LIMIT 90000 OFFSET 100000";
    String plan = String.join("\n", TestDatabase.rows(more, "EXPLAIN ANALYZE " + sql));
    Matcher counted = ROWS_COUNTED.matcher(plan);
    assertThat(counted.find()).as(plan).isTrue();
    int all = TIMES * SpillTest.ROWS;
    assertThat(Integer.parseInt(counted.group(1))).as(plan).isBetween(all + 1, all + all / 3);
    assertThat(plan).containsPattern("sort by.*bytes spilled ");
  }
}
