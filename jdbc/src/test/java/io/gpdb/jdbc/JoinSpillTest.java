package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Joins whose rows do not fit the memory that there may be: they answer as with enough memory, and
 * as a join of the same rows by plain maps.
 */
class JoinSpillTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int ROUNDS = Integer.getInteger("gpdb.fuzz", 2);
  private static final int LEFT_ROWS = 8_000;
  private static final int RIGHT_ROWS = 70_000;

  /** What half of the rows of the right table have as {@code k}: more than memory holds. */
  private static final int OFTEN = 7;

  /** Every n-th left row is deleted. */
  private static final int GONE = 19;

  private static final long LIMIT_BYTES = 4 << 20;

  private static final Pattern SPILLED = Pattern.compile("bytes spilled (\\d+)");

  @TempDir static Path directory;

  private static Connection enough;
  private static Connection little;

  /** With twice as much memory as {@link #little}: for rows that a kernel makes of a tablet. */
  private static Connection more;

  private static List<Row> leftRows;
  private static List<Row> rightRows;

  /** A row by the names of its fields. */
  private record Row(int id, Map<String, Object> values) {}

  @BeforeAll
  static void fill() throws SQLException {
    enough = open("enough", "");
    Random random = new Random(SEED);
    leftRows = filled(enough, "l", LEFT_ROWS, 4000, random);
    leftRows.removeIf(row -> row.id % GONE == 0);
    TestDatabase.execute(enough, "DELETE FROM l WHERE MOD(id, " + GONE + ") = 0");
    rightRows = filled(enough, "r", RIGHT_ROWS, 2, random);
    for (String copy : List.of("little", "more")) {
      TestDatabase.execute(enough, "BACKUP TO '" + directory.resolve(copy) + "'");
    }
    little = open("little", ";memory_limit=" + LIMIT_BYTES);
    more = open("more", ";memory_limit=" + 2 * LIMIT_BYTES);
  }

  private static Connection open(String name, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:gpdb:" + directory.resolve(name) + ";workers=2" + options);
  }

  /**
   * @param often every n-th row has {@link #OFTEN} as its {@code k}
   */
  private static List<Row> filled(
      Connection connection, String table, int count, int often, Random random)
      throws SQLException {
    TestDatabase.execute(
        connection,
        "CREATE TABLE "
            + table
            + " (id INTEGER PRIMARY KEY, i INTEGER, s VARCHAR, k BIGINT, d DOUBLE,"
            + " n DECIMAL(12, 2), x BIGINT, y BIGINT)");
    List<Row> rows = new ArrayList<>();
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)")) {
      for (int id = 0; id < count; id++) {
        Map<String, Object> values = new HashMap<>();
        values.put("id", id);
        values.put("i", orNull(random, random.nextInt(15_000)));
        values.put("s", orNull(random, "s" + random.nextInt(9000) + (id % 9 == 0 ? table : "")));
        values.put("k", id % often == 1 ? OFTEN : random.nextLong(count));
        values.put("d", orNull(random, random.nextInt(8000) * 0.25 - 0.0));
        values.put("n", orNull(random, new BigDecimal(random.nextInt(9000)).movePointLeft(2)));
        values.put("x", (long) id * 3);
        values.put("y", orNull(random, (long) random.nextInt(100)));
        int field = 1;
        for (String name : List.of("id", "i", "s", "k", "d", "n", "x", "y")) {
          insert.setObject(field++, values.get(name));
        }
        insert.addBatch();
        rows.add(new Row(id, values));
        if (id % 5000 == 4999 || id == count - 1) {
          insert.executeBatch();
        }
      }
    }
    return rows;
  }

  private static Object orNull(Random random, Object value) {
    return random.nextInt(12) == 0 ? null : value;
  }

  @AfterAll
  static void close() throws SQLException {
    enough.close();
    little.close();
    more.close();
  }

  private static List<String> sorted(Connection connection, String sql) throws SQLException {
    List<String> rows = TestDatabase.rows(connection, sql);
    rows.sort(null);
    return rows;
  }

  private static void assertSpills(String sql) throws SQLException {
    assertThat(spilledBytes(little, sql)).as(sql).isPositive();
  }

  /** What the joins of a query write to temporary files. */
  private static long spilledBytes(Connection connection, String sql) throws SQLException {
    return TestDatabase.rows(connection, "EXPLAIN ANALYZE " + sql).stream()
        .filter(line -> line.contains(" join ") || line.contains("not in"))
        .map(SPILLED::matcher)
        .filter(Matcher::find)
        .mapToLong(found -> Long.parseLong(found.group(1)))
        .sum();
  }

  /**
   * The rows with little memory, which are those with enough; twice, as their order may not change.
   */
  private static List<String> assertAgreeTwice(String sql) throws Exception {
    List<String> first = assertAgree(sql);
    assertThat(TestDatabase.rows(little, sql)).as("twice: %s", sql).isEqualTo(first);
    return first;
  }

  private static List<String> assertAgree(String sql) throws Exception {
    List<String> rows = TestDatabase.rows(little, sql);
    SpillTest.assertNoFileLeft(directory.resolve("little"), sql);
    List<String> sorted = new ArrayList<>(rows);
    sorted.sort(null);
    assertThat(sorted).as("seed %d, %s", SEED, sql).isEqualTo(sorted(enough, sql));
    return rows;
  }

  /** The left rows that have a key, by it; of a key with a NULL there are none. */
  private static List<Object> key(Row row, List<String> fields) {
    List<Object> key = new ArrayList<>();
    for (String field : fields) {
      Object value = row.values.get(field);
      if (value == null) {
        return List.of();
      }
      key.add(value instanceof Number number ? number.doubleValue() : value);
    }
    return key;
  }

  /** The rows "left id|right id" of a join by equal fields, as SQL defines it. */
  private static List<String> joined(String kind, List<String> fields) {
    List<Row> probed = kind.equals("inner") ? rightRows : leftRows;
    return joined(kind, probed, rightRows, fields, (_, _) -> true);
  }

  private static List<String> joined(
      String kind,
      List<Row> probed,
      List<Row> others,
      List<String> fields,
      BiPredicate<Row, Row> condition) {
    Map<List<Object>, List<Row>> byKey = new HashMap<>();
    for (Row row : others) {
      byKey.computeIfAbsent(key(row, fields), _ -> new ArrayList<>()).add(row);
    }
    byKey.remove(List.of());
    List<String> rows = new ArrayList<>();
    Set<Integer> found = new HashSet<>();
    for (Row row : probed) {
      List<Row> partners =
          byKey.getOrDefault(key(row, fields), List.of()).stream()
              .filter(other -> condition.test(row, other))
              .toList();
      partners.forEach(partner -> found.add(partner.id));
      switch (kind) {
        case "semi" -> partners.stream().limit(1).forEach(_ -> rows.add(row.id + "|"));
        case "anti" -> {
          if (partners.isEmpty()) {
            rows.add(row.id + "|");
          }
        }
        default -> {
          partners.forEach(partner -> rows.add(row.id + "|" + partner.id));
          if (partners.isEmpty() && List.of("left", "full").contains(kind)) {
            rows.add(row.id + "|null");
          }
        }
      }
    }
    if (List.of("right", "full").contains(kind)) {
      others.stream()
          .filter(other -> !found.contains(other.id))
          .forEach(other -> rows.add("null|" + other.id));
    }
    rows.sort(null);
    return rows;
  }

  /**
   * A join by equal fields of l and r, an inner one of r and r, as the smaller side would be kept.
   * The fields that come out make the kept rows wide.
   */
  private static String sql(String kind, List<String> fields, String columns) {
    String on = String.join(" AND ", fields.stream().map(f -> "l." + f + " = r." + f).toList());
    String exists = "EXISTS (SELECT 1 FROM " + rightRows(3) + " r WHERE " + on + ")";
    return switch (kind) {
      case "semi" -> "SELECT l.id, '' FROM l WHERE " + exists;
      case "anti" -> "SELECT l.id, '' FROM l WHERE NOT " + exists;
      case "inner" -> "SELECT " + columns + " FROM r l JOIN r ON " + on;
      default -> "SELECT " + columns + " FROM l " + kind + " JOIN r ON " + on;
    };
  }

  /** The rows of the right table several times. */
  private static String rightRows(int times) {
    return "(" + String.join(" UNION ALL ", Collections.nCopies(times, "SELECT * FROM r")) + ")";
  }

  private static final String WIDE = "l.id, r.id, r.x, r.y, r.d, r.n, r.s, l.s, l.x, l.n";

  /** The first two fields of each row, of which neither holds a bar. */
  private static List<String> twoFields(List<String> rows) {
    return rows.stream().map(JoinSpillTest::twoFields).sorted().toList();
  }

  private static String twoFields(String row) {
    int end = row.indexOf('|', row.indexOf('|') + 1);
    return end < 0 ? row : row.substring(0, end);
  }

  @Test
  void joinsOfPartsHaveThePairsOfAllRows() throws Exception {
    Random random = new Random(SEED);
    List<List<String>> keys =
        List.of(
            List.of("i"),
            List.of("s"),
            List.of("i", "s"),
            List.of("d"),
            List.of("n"),
            List.of("x"),
            List.of("y", "i", "d"),
            List.of("k"));
    List<List<String>> selective =
        List.of(List.of("i", "s"), List.of("x"), List.of("y", "i", "d"), List.of("s", "n"));
    for (String kind : List.of("inner", "left", "semi", "anti")) {
      for (int round = 0; round < ROUNDS; round++) {
        List<List<String>> some = kind.equals("inner") ? selective : keys;
        List<String> fields = some.get(round == 0 ? 0 : random.nextInt(some.size()));
        String sql = sql(kind, fields, WIDE);
        List<String> rows = round == 0 ? assertAgreeTwice(sql) : assertAgree(sql);
        assertThat(twoFields(rows)).as("seed %d, %s", SEED, sql).isEqualTo(joined(kind, fields));
      }
    }
  }

  /** {@code y} of the one is below that of the other; not where one is NULL. */
  private static boolean isBelow(Row row, Row other) {
    return row.values.get("y") instanceof Long y
        && other.values.get("y") instanceof Long otherY
        && y < otherY;
  }

  @Test
  void joinsByMarksOfBlocksHaveThePairsOfAllRows() throws Exception {
    for (String kind : List.of("left", "right", "full")) {
      String sql = "SELECT " + WIDE + " FROM l " + kind + " JOIN r ON l.i = r.i AND l.y < r.y";
      assertSpills(sql);
      assertThat(twoFields(assertAgreeTwice(sql)))
          .as("seed %d, %s", SEED, sql)
          .isEqualTo(joined(kind, leftRows, rightRows, List.of("i"), JoinSpillTest::isBelow));
    }
    for (String not : List.of("", "NOT ")) {
      String sql =
          "SELECT r.id, '', r.x, r.y, r.s, r.n, r.d, r.k FROM r WHERE "
              + not
              + "EXISTS (SELECT 1 FROM l WHERE l.i = r.i AND r.y < l.y)";
      assertSpills(sql);
      assertThat(twoFields(assertAgree(sql)))
          .as("seed %d, %s", SEED, sql)
          .isEqualTo(
              joined(
                  not.isEmpty() ? "semi" : "anti",
                  rightRows,
                  leftRows,
                  List.of("i"),
                  JoinSpillTest::isBelow));
    }
  }

  /** What a batch of pairs becomes may take more than a batch may: it comes in pieces. */
  @Test
  void manyPairsOfBlocksComeInPieces() throws Exception {
    String sql = "SELECT " + WIDE + " FROM l LEFT JOIN r ON l.k = r.k AND l.id < r.id";
    assertSpills(sql);
    assertThat(
            twoFields(TestDatabase.rows(little, sql))
                .equals(
                    joined(
                        "left",
                        leftRows,
                        rightRows,
                        List.of("k"),
                        (row, other) -> row.id < other.id)))
        .as("seed %d, %s", SEED, sql)
        .isTrue();
  }

  /** Both inputs are in several blocks, so that each meets each. */
  @Test
  void allBlocksMeet() throws Exception {
    String sql =
        "SELECT " + WIDE + " FROM r l FULL JOIN r ON l.i = r.i AND l.s = r.s AND l.y < r.y";
    assertSpills(sql);
    assertThat(twoFields(assertAgree(sql)))
        .as("seed %d, %s", SEED, sql)
        .isEqualTo(joined("full", rightRows, rightRows, List.of("i", "s"), JoinSpillTest::isBelow));
    String anyOther =
        "SELECT a.id, b.id, a.x, a.y, a.n, a.d FROM r a LEFT JOIN (SELECT * FROM l WHERE id < 40) b"
            + " ON a.x < b.x";
    assertSpills(anyOther);
    assertAgree(anyOther);
  }

  @Test
  void joinsOfManyRowsSpill() throws Exception {
    assertSpills(sql("inner", List.of("x"), WIDE));
    for (String field : List.of("i", "s", "k")) {
      assertSpills(sql("left", List.of(field), WIDE));
    }
    assertSpills(sql("semi", List.of("i"), WIDE));
    assertSpills(sql("anti", List.of("i"), WIDE));
  }

  /** Kept rows of one key, which no division separates, are joined block by block. */
  @Test
  void aKeyWithMoreRowsThanMemoryHoldsIsJoinedBlockByBlock() throws Exception {
    String left = sql("left", List.of("k"), WIDE);
    assertSpills(left);
    assertThat(twoFields(TestDatabase.rows(little, left)))
        .as(left)
        .isEqualTo(joined("left", List.of("k")));
    String inner =
        "SELECT a.id, b.id, b.x, b.y, b.s, b.n, b.d, a.x, a.y, a.s, a.n, a.d, a.i, b.i"
            + " FROM r a JOIN r b ON a.k = b.k + CASE WHEN b.id < 2 THEN 0 ELSE 1 END";
    assertSpills(inner);
    assertAgree(inner);
    for (String kind : List.of("semi", "anti")) {
      String sql = sql(kind, List.of("k"), WIDE);
      assertSpills(sql);
      assertThat(twoFields(TestDatabase.rows(little, sql)))
          .as(sql)
          .isEqualTo(joined(kind, List.of("k")));
    }
  }

  /** A part may have no kept row, and may have to be divided again. */
  @Test
  void partsMayBeEmptyOrTooLarge() throws Exception {
    int times = 4;
    String columns = "SELECT l.id, r.id, r.x, r.y, r.n, r.d FROM l LEFT JOIN ";
    String sql = columns + rightRows(times) + " r ON l.id = MOD(r.id, 4)";
    long once = (long) times * RIGHT_ROWS * (2 * Integer.BYTES + 4 * Long.BYTES);
    assertThat(spilledBytes(more, sql)).isGreaterThan(3 * once / 2);
    List<String> rows = sorted(more, sql);
    assertThat(rows).hasSizeGreaterThan(times * RIGHT_ROWS / 2);
    assertThat(rows.equals(sorted(enough, sql))).as(sql).isTrue();
  }

  @Test
  void notInOfPartsIsEndedByANull() throws Exception {
    String all = "SELECT x FROM r UNION ALL SELECT x + 1 FROM r UNION ALL SELECT k FROM r";
    String without = "SELECT id FROM l WHERE id NOT IN (" + all + ")";
    assertSpills(without);
    assertThat(TestDatabase.rows(enough, without)).isNotEmpty();
    assertAgree(without);
    String with = "SELECT id FROM l WHERE id NOT IN (" + all + " UNION ALL SELECT y FROM r)";
    assertSpills(with);
    assertThat(TestDatabase.rows(little, with)).isEmpty();
    assertAgree(with);
  }

  @Test
  void whatIsDoneToTheRowsOfASpilledJoinAgrees() throws Exception {
    String join = " FROM r l JOIN r ON l.i = r.i AND l.s = r.s ";
    for (String sql :
        List.of(
            "SELECT count(*), sum(r.x), min(l.s), max(r.s), sum(l.n)" + join,
            "SELECT l.y, count(*), sum(r.x), max(r.s)" + join + "GROUP BY l.y",
            "SELECT l.id, r.x, r.y, r.s, l.s" + join + "AND l.x < r.x + l.y",
            "SELECT l.id, r.id, r.s, r.x" + join + "ORDER BY r.s, l.id, r.id",
            "SELECT l.id, r.id, r.s, m.s, m.x" + join + "JOIN r m ON m.x = l.x",
            "SELECT count(*), sum(m.x)"
                + join
                + "LEFT JOIN r m ON m.s = r.s AND m.i = l.i AND m.y = l.y")) {
      assertAgree(sql);
    }
  }

  @Test
  void anErrorACancelAndAnEarlyEndLeaveNoFile() throws Exception {
    String sql = "SELECT r.x, r.y, r.s, r.n, l.s, l.id FROM l LEFT JOIN r ON l.i = r.i";
    assertThatThrownBy(
            () ->
                TestDatabase.rows(
                    little,
                    "SELECT l.id, r.x, r.y, r.n, r.d, r.s FROM l"
                        + " LEFT JOIN r ON l.i = 1 / (r.id - 69990)"))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("22012");
              assertThat(e.getMessage()).contains("ID = 69990");
            });
    SpillTest.assertNoFileLeft(directory.resolve("little"), "error");
    try (Statement statement = little.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      assertThat(result.next()).isTrue();
    }
    SpillTest.assertNoFileLeft(directory.resolve("little"), "early end");
    SpillTest.assertCancelled(little, sql);
    SpillTest.assertNoFileLeft(directory.resolve("little"), "cancel");
  }

  /** The probed rows of one key meet block after block of others, for far longer. */
  @Test
  void aTimeoutInsideASpilledJoinLeavesNoFile() throws Exception {
    String sql =
        "SELECT a.id, b.id, b.x, b.y, b.s, b.n, b.d, a.x, a.y, a.s, a.n, a.d, a.i, b.i"
            + " FROM r a JOIN r b ON a.k = b.k";
    try (Statement statement = little.createStatement()) {
      statement.setQueryTimeout(1);
      assertThatThrownBy(
              () -> {
                try (ResultSet result = statement.executeQuery(sql)) {
                  result.next();
                  assertThat(SpillTest.openFiles().isEmpty())
                      .isEqualTo(!Files.exists(Path.of("/proc/self/fd")));
                  while (result.next()) {
                    assertThat(result.getInt(1)).isNotNegative();
                  }
                }
              })
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("57014"));
    }
    SpillTest.assertNoFileLeft(directory.resolve("little"), "timeout");
  }

  @Test
  void aFullDiskEndsTheStatementAlone() throws Exception {
    try (Connection connection = open("full", ";memory_limit=" + LIMIT_BYTES)) {
      filled(connection, "r", RIGHT_ROWS, 2, new Random(SEED));
      SpillTest.fillsDisk(connection);
      String sql = "SELECT a.id, b.x, b.y, b.n, b.d, b.s FROM r a LEFT JOIN r b ON a.i = b.i";
      assertThatThrownBy(() -> TestDatabase.rows(connection, sql))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("53100"));
      assertThat(TestDatabase.rows(connection, "SELECT count(*) FROM r"))
          .containsExactly(String.valueOf(RIGHT_ROWS));
    }
  }
}
