package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Windows over rows that do not fit the memory that there may be: every row has the values that it
 * has with enough memory, to the bit, whether its partition is small, large or all rows.
 */
class WindowSpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 3);
  private static final int ROWS = 30_000;
  private static final long LIMIT_BYTES = 6 << 20;

  /** So many fields that the rows do not fit. */
  private static final String WIDE = "id, i, d, s, n, w, r, t, x, y";

  private static final Pattern SPILLED = Pattern.compile("bytes spilled (\\d+)");

  @TempDir static Path directory;

  private static Connection enough;
  private static Connection little;

  @BeforeAll
  static void fill() throws SQLException {
    enough = open("enough", "");
    little = open("little", ";memory_limit=" + LIMIT_BYTES);
    for (Connection connection : List.of(enough, little)) {
      fill(connection, ROWS);
    }
  }

  private static Connection open(String name, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve(name) + ";workers=2" + options);
  }

  /** {@code g} has large groups, {@code p} small ones, {@code o} one that is most rows. */
  private static void fill(Connection connection, int rows) throws SQLException {
    TestDatabase.execute(
        connection,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, p INTEGER, o INTEGER, i INTEGER,"
            + " d DOUBLE, s VARCHAR, n DECIMAL(9, 2), w DECIMAL(30, 3), r REAL, t DATE, b BOOLEAN,"
            + " x BIGINT, y BIGINT)");
    Random random = new Random(SEED);
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int id = 0; id < rows; id++) {
        int at = 1;
        insert.setInt(at++, id);
        insert.setObject(at++, orNull(random, random.nextInt(3)));
        insert.setObject(at++, orNull(random, random.nextInt(4000)));
        insert.setInt(at++, random.nextInt(50) == 0 ? random.nextInt(500) : -1);
        insert.setObject(at++, orNull(random, random.nextInt(20_000) - 10_000));
        insert.setObject(at++, orNull(random, random.nextGaussian() * 100));
        insert.setObject(at++, orNull(random, "s" + random.nextInt(3000)));
        insert.setObject(at++, orNull(random, new BigDecimal(random.nextInt(50))));
        insert.setObject(at++, orNull(random, new BigDecimal(random.nextInt(900) - 400)));
        insert.setObject(at++, orNull(random, (float) random.nextGaussian()));
        insert.setObject(
            at++,
            orNull(
                random, Date.valueOf("2026-01-01").toLocalDate().plusDays(random.nextInt(3000))));
        insert.setObject(at++, orNull(random, random.nextBoolean()));
        insert.setLong(at++, id * 3L);
        insert.setLong(at, id * 5L);
        insert.addBatch();
        if (id % 4000 == 3999 || id == rows - 1) {
          insert.executeBatch();
        }
      }
    }
  }

  private static Object orNull(Random random, Object value) {
    return random.nextInt(12) == 0 ? null : value;
  }

  @AfterAll
  static void close() throws SQLException {
    enough.close();
    little.close();
  }

  private static void assertAgree(String sql) throws Exception {
    List<String> few = SpillTest.rows(little, sql);
    List<String> all = SpillTest.rows(enough, sql);
    few.sort(null);
    all.sort(null);
    assertThat(few).as("seed %d, %s", SEED, sql).hasSameSizeAs(all);
    for (int i = 0; i < all.size(); i++) {
      assertThat(few.get(i)).as("seed %d, row %d, %s", SEED, i, sql).isEqualTo(all.get(i));
    }
    SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
  }

  /** What windows write to temporary files. */
  private static long spilledBytes(String sql) throws SQLException {
    return TestDatabase.rows(little, "EXPLAIN ANALYZE " + sql).stream()
        .filter(line -> line.contains("window"))
        .map(SPILLED::matcher)
        .filter(Matcher::find)
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  private static String one(Random random, String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private static String partition(Random random) {
    return one(
        random,
        "",
        "",
        "PARTITION BY g ",
        "PARTITION BY p ",
        "PARTITION BY o ",
        "PARTITION BY s, g ",
        "PARTITION BY d ");
  }

  private static String order(Random random) {
    return "ORDER BY "
        + one(random, "i", "d DESC", "s", "t, i", "n DESC, id", "r NULLS FIRST", "w", "id");
  }

  private static String frame(Random random) {
    String unit = one(random, "ROWS", "ROWS", "GROUPS");
    String begin =
        one(random, "UNBOUNDED PRECEDING", "7 PRECEDING", "2500 PRECEDING", "CURRENT ROW");
    String end = one(random, "CURRENT ROW", "3 FOLLOWING", "2100 FOLLOWING", "UNBOUNDED FOLLOWING");
    return " "
        + unit
        + " BETWEEN "
        + begin
        + " AND "
        + end
        + one(random, "", "", "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES");
  }

  private static String call(Random random) {
    String window = partition(random) + order(random);
    return switch (random.nextInt(10)) {
      case 0 ->
          one(random, "ROW_NUMBER()", "RANK()", "DENSE_RANK()", "NTILE(7)")
              + " OVER ("
              + window
              + ")";
      case 1 ->
          one(
                  random,
                  "LAG(i)",
                  "LEAD(s, 3)",
                  "LAG(d, 1500)",
                  "LEAD(n, 2, 0)",
                  "LAG(t) IGNORE NULLS")
              + " OVER ("
              + window
              + ")";
      case 2 ->
          one(
                  random,
                  "FIRST_VALUE(s)",
                  "LAST_VALUE(i)",
                  "NTH_VALUE(d, 5)",
                  "FIRST_VALUE(n) IGNORE NULLS")
              + " OVER ("
              + window
              + frame(random)
              + ")";
      case 3 ->
          "SUM(x) OVER ("
              + partition(random)
              + "ORDER BY i RANGE BETWEEN 40 PRECEDING AND "
              + one(random, "CURRENT ROW", "9 FOLLOWING")
              + ")";
      case 4 ->
          one(random, "COUNT(*)", "SUM(d)", "MAX(s)", "AVG(n)")
              + " OVER ("
              + partition(random)
              + ")";
      case 5 ->
          one(random, "SUM(x)", "SUM(d)", "MIN(s)", "AVG(w)", "COUNT(b)")
              + " OVER ("
              + window
              + ")";
      default ->
          one(random, "SUM(n)", "SUM(r)", "MAX(i)", "MIN(s)", "AVG(d)", "COUNT(t)", "STDDEV_POP(d)")
              + " OVER ("
              + window
              + frame(random)
              + ")";
    };
  }

  @Test
  void windowsOfAnyPartitionsHaveTheValuesOfAllRowsInMemory() throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder sql = new StringBuilder("SELECT ").append(WIDE);
      int calls = 1 + random.nextInt(3);
      for (int i = 0; i < calls; i++) {
        sql.append(", ").append(call(random));
      }
      sql.append(" FROM t");
      assertThat(spilledBytes(sql.toString())).as(sql.toString()).isPositive();
      assertAgree(sql.toString());
    }
  }

  @Test
  void everyFormOfAFunctionIsComputedOverAPartitionThatMemoryDoesNotHold() throws Exception {
    for (String calls :
        List.of(
            "ROW_NUMBER() OVER (ORDER BY s, id), RANK() OVER (ORDER BY s)",
            "DENSE_RANK() OVER (ORDER BY o), NTILE(9) OVER (ORDER BY o, id)",
            "LAG(s, 1500) IGNORE NULLS OVER (ORDER BY i), LEAD(d, 1, 0) OVER (ORDER BY i)",
            "SUM(x) OVER (ORDER BY i), SUM(d) OVER (ORDER BY i ROWS UNBOUNDED PRECEDING)",
            "SUM(r) OVER (ORDER BY id ROWS 1500 PRECEDING), MAX(s) OVER (ORDER BY id)",
            "AVG(n) OVER (ORDER BY d RANGE BETWEEN 2.5 PRECEDING AND 1 FOLLOWING), COUNT(*) OVER"
                + " ()",
            "SUM(n) OVER (ORDER BY t RANGE INTERVAL '40' DAY PRECEDING), MIN(d) OVER ()",
            "COUNT(DISTINCT s) OVER (), FIRST_VALUE(s) OVER (ORDER BY w, id)",
            "NTH_VALUE(d, 700) OVER (ORDER BY id GROUPS BETWEEN 900 PRECEDING AND CURRENT ROW)",
            "SUM(n) OVER (ORDER BY o GROUPS BETWEEN 3 PRECEDING AND 2 FOLLOWING EXCLUDE TIES)",
            "MEDIAN(i) OVER (), STDDEV_SAMP(d) OVER (ORDER BY id)")) {
      String sql = "SELECT " + WIDE + ", " + calls + " FROM t";
      assertThat(spilledBytes(sql)).as(sql).isPositive();
      assertAgree(sql);
    }
  }

  /** They begin anywhere in what is read, before and behind a partition that is in the file. */
  @Test
  void smallPartitionsBesideOneThatMemoryDoesNotHoldKeepTheirRows() throws Exception {
    for (String partition : List.of("o", "CASE WHEN o < 0 THEN 250 ELSE o END", "g, o")) {
      String sql =
          "SELECT "
              + WIDE
              + ", ROW_NUMBER() OVER (PARTITION BY "
              + partition
              + " ORDER BY id), SUM(d) OVER (PARTITION BY "
              + partition
              + " ORDER BY id) FROM t";
      assertThat(spilledBytes(sql)).as(sql).isPositive();
      assertAgree(sql);
    }
  }

  @Test
  void whatIsDoneToTheRowsOfSpilledWindowsAgrees() throws Exception {
    String window =
        "(SELECT t.*, ROW_NUMBER() OVER (PARTITION BY p ORDER BY i, id) a,"
            + " SUM(n) OVER (ORDER BY s, id) c, LAG(s) OVER (ORDER BY d, id) e FROM t)";
    for (String sql :
        List.of(
            "SELECT " + WIDE + ", a, c, e FROM " + window + " WHERE a = 1",
            "SELECT e, COUNT(*), SUM(a), MAX(c), MIN(s), SUM(x), SUM(y) FROM "
                + window
                + " GROUP BY e",
            "SELECT " + WIDE + ", a, c, e FROM " + window + " ORDER BY e DESC, c, id")) {
      assertAgree(sql);
    }
    assertThat(
            SpillTest.rows(
                    little, "SELECT " + WIDE + ", a, e FROM " + window + " ORDER BY e, a, id")
                .equals(
                    SpillTest.rows(
                        enough, "SELECT " + WIDE + ", a, e FROM " + window + " ORDER BY e, a, id")))
        .isTrue();
  }

  @Test
  void anErrorACancelAndAnEarlyEndLeaveNoFile() throws Exception {
    assertThatThrownBy(
            () ->
                SpillTest.rows(
                    little,
                    "SELECT "
                        + WIDE
                        + ", SUM(n) OVER (ORDER BY i ROWS BETWEEN id - 1 PRECEDING AND CURRENT ROW)"
                        + " FROM t"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22013"));
    SpillTest.assertNoFileLeft(directory.resolve("little"), "error");
    String sql =
        "SELECT "
            + WIDE
            + ", SUM(n) OVER (ORDER BY s), RANK() OVER (PARTITION BY p ORDER BY d) FROM t";
    try (Statement statement = little.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
    }
    SpillTest.assertNoFileLeft(directory.resolve("little"), "early end");
    SpillTest.assertCancelled(little, sql);
    SpillTest.assertNoFileLeft(directory.resolve("little"), "cancel");
  }

  @Test
  void aFullDiskEndsTheStatementAlone() throws Exception {
    try (Connection connection = open("full", ";memory_limit=" + LIMIT_BYTES)) {
      fill(connection, ROWS);
      SpillTest.fillsDisk(connection);
      assertThatThrownBy(
              () ->
                  SpillTest.rows(
                      connection, "SELECT " + WIDE + ", SUM(n) OVER (ORDER BY s) FROM t"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53100"));
      assertThat(SpillTest.rows(connection, "SELECT count(*) FROM t")).containsExactly(ROWS + "|");
    }
  }
}
