package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random joins, groups, windows, set operations and first rows of tens of thousands of rows have,
 * with as much memory as they like and with so little that they spill, the rows that DuckDB has.
 * {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds, from the seed's on
 * where both are given; {@code -Dgpdb.rows=N} makes tables of up to N rows.
 */
class SpilledQueriesTest {
  private static final int ROUNDS = 1;
  private static final int QUERIES = 6;
  private static final int ROWS_MAX = Integer.getInteger("gpdb.rows", 60_000);
  private static final int TIMEOUT_SECONDS = Integer.getInteger("gpdb.timeout", 60);
  private static final List<String> INTEGERS = List.of("id", "u", "k", "g", "h");
  private static final List<String> ALL =
      List.of("id", "u", "k", "g", "h", "s", "w", "d", "f", "t");

  /** How many rows, the sum of their hashes, and the first of them in the order of their texts. */
  private record Answer(long rows, long hash, List<String> first, String error) {
    @Override
    public String toString() {
      return error.isEmpty() ? rows + " rows " + first : error;
    }
  }

  private final List<String> problems = new ArrayList<>();
  private int compared;
  private int undecided;
  private int spilled;
  private Random random = new Random(0);
  @TempDir Path directory;

  @Test
  void queriesThatSpillHaveTheRowsThatDuckDbHas() throws SQLException {
    long first = Long.getLong("gpdb.seed", 1);
    boolean replayed = System.getProperty("gpdb.seed") != null;
    int rounds = Integer.getInteger("gpdb.fuzz", replayed ? 1 : ROUNDS);
    for (long seed = first; seed < first + rounds; seed++) {
      round(seed);
    }
    String counts = "%d compared, %d undecided, %d spilled".formatted(compared, undecided, spilled);
    System.out.println("SpilledQueriesTest: " + counts);
    assertThat(problems).as(counts).isEmpty();
    assertThat(compared).isGreaterThan(rounds * QUERIES);
    assertThat(spilled).isGreaterThanOrEqualTo(replayed ? 0 : rounds);
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private void round(long seed) throws SQLException {
    random = new Random(seed);
    String url = "jdbc:gpdb:" + directory.resolve("db" + seed);
    String limit = ";memory_limit=" + ((24 + random.nextInt(16)) << 17) + one("", ";workers=3");
    List<String> queries = new ArrayList<>();
    List<Answer> expected = new ArrayList<>();
    try (Connection gpdb = DriverManager.getConnection(url);
        Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      for (String table : List.of("a", "b", "c")) {
        int rows = chance(15) ? random.nextInt(100) : ROWS_MAX - random.nextInt(ROWS_MAX / 2);
        create(table, 1 + rows, gpdb, duck);
      }
      for (int i = 0; i < QUERIES; i++) {
        queries.add(query());
        expected.add(answer(duck, queries.get(i)));
        compare(seed, "", queries.get(i), expected.get(i), gpdb);
      }
    }
    try (Connection gpdb = DriverManager.getConnection(url + limit)) {
      for (int i = 0; i < QUERIES; i++) {
        compare(seed, limit, queries.get(i), expected.get(i), gpdb);
        spilled += isSpilled(queries.get(i), gpdb) ? 1 : 0;
      }
    }
  }

  private void create(String table, int rows, Connection... databases) throws SQLException {
    String list =
        IntStream.range(0, 256).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(","));
    int keys = 1 + random.nextInt(chance(30) ? 20 : rows);
    int texts = 1 + random.nextInt(chance(50) ? 50 : rows);
    int odd = 2 * random.nextInt(5000) + 1;
    String columns =
        "id INTEGER, u INTEGER, k INTEGER, g INTEGER, h INTEGER, s VARCHAR(40), w VARCHAR(80), d"
            + " DECIMAL(9, 2), f DOUBLE, t DATE";
    String rest =
        """
        n, MOD(n * %d, 65536), CASE WHEN MOD(n, 19) = 3 THEN NULL ELSE MOD(n * 31, %d) END, \
        MOD(n, %d), CASE WHEN MOD(n, 3) = 0 THEN 7 ELSE n END, \
        CASE WHEN MOD(n, 23) = 5 THEN NULL ELSE 'v' || CAST(MOD(n * 17, %d) AS VARCHAR(10)) END, \
        CASE WHEN MOD(n, 2) = 0 THEN 'a long text that many rows have ' ELSE 'x' END || CAST(n AS VARCHAR(10)), \
        CAST(MOD(n * 7, 997) AS DECIMAL(9, 2)) + 0.25, CAST(MOD(n, 512) AS DOUBLE) * 0.25, \
        CAST(DATE '2020-01-01' + INTERVAL '1' DAY AS DATE)\
        """
            .formatted(odd, keys, 1 + random.nextInt(300), texts);
    for (Connection database : databases) {
      QueriesBesideDuckDbTest.execute("CREATE TABLE IF NOT EXISTS n (n INTEGER)", database);
      QueriesBesideDuckDbTest.execute("DELETE FROM n", database);
      QueriesBesideDuckDbTest.execute("INSERT INTO n VALUES " + list, database);
      QueriesBesideDuckDbTest.execute("CREATE TABLE " + table + " (" + columns + ")", database);
      QueriesBesideDuckDbTest.execute(
          "INSERT INTO %s SELECT %s FROM (SELECT x.n * 256 + y.n AS n FROM n AS x, n AS y) AS z WHERE n < %d"
              .formatted(table, rest, rows),
          database);
    }
    if (chance(40)) {
      String index =
          "CREATE INDEX i_"
              + table
              + " ON "
              + table
              + " ("
              + one("u", "k", "s", "g, u", "id")
              + ")";
      QueriesBesideDuckDbTest.execute(index, databases[0]);
    }
  }

  private String query() {
    return switch (random.nextInt(9)) {
      case 0, 1 -> "SELECT " + items("x", "y") + joined();
      case 2 -> grouped(joined());
      case 3 -> grouped(" FROM " + table() + " AS x" + where("x"));
      case 4 -> windows();
      case 5 -> set();
      case 6 -> firstRows();
      case 7 -> subQuery();
      default -> nested();
    };
  }

  private String table() {
    return one("a", "b", "c");
  }

  private String items(String... aliases) {
    List<String> items = new ArrayList<>();
    for (int i = random.nextInt(5); i >= 0; i--) {
      String column = one(aliases) + "." + one(ALL);
      items.add(
          chance(10)
              ? "COALESCE(" + one(aliases) + ".s, 'none') || " + one(aliases) + ".id"
              : column);
    }
    return String.join(", ", items);
  }

  private String where(String alias) {
    return chance(50) ? "" : " WHERE " + condition(alias);
  }

  private String condition(String x) {
    return switch (random.nextInt(6)) {
      case 0 -> x + "." + one("g", "k") + " < " + random.nextInt(300);
      case 1 -> x + ".s LIKE '%" + random.nextInt(10) + "'";
      case 2 -> "MOD(" + x + ".id, " + (2 + random.nextInt(5)) + ") <> 1";
      case 3 -> x + ".d > " + random.nextInt(900);
      case 4 -> x + ".k IS " + one("", "NOT ") + "NULL";
      default -> x + ".f * 2 < " + random.nextInt(256);
    };
  }

  /** A join of keys of which one is a key of few rows each. */
  private String joined() {
    String kind = one(" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ");
    String on =
        one(
            "x.id = y.id",
            "x.u = y.u",
            "x.k = y.id",
            "x.id = y.k",
            "x.w = y.w",
            "x.h = y.id",
            "x.s = y.s AND x.id = y.u",
            "x.g = y.g AND x.id = y.id",
            "x.id = y.id + 1",
            "x.id = y.id AND x.d < y.d",
            "x.u = y.u AND (x.s <> y.s OR x.k IS NULL)");
    return " FROM "
        + table()
        + " AS x"
        + kind
        + table()
        + " AS y ON "
        + on
        + (chance(50) ? "" : " WHERE " + condition(one("x", "y")));
  }

  private String grouped(String from) {
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      keys.add("x." + one(ALL));
    }
    String by = keys.stream().distinct().collect(Collectors.joining(", "));
    List<String> items = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      String number = one("id", "u", "k", "g", "h", "d", "f");
      items.add(
          one(
              "COUNT(*)",
              "SUM(x." + number + ")",
              "MIN(x." + one(ALL) + ")",
              "MAX(x." + one(ALL) + ")",
              "COUNT(DISTINCT x." + one(ALL) + ")",
              "COUNT(x.k) FILTER (WHERE " + condition("x") + ")",
              "AVG(CAST(x." + number + " AS DOUBLE))"));
    }
    String having = chance(25) ? " HAVING COUNT(*) > " + random.nextInt(4) : "";
    String sets = chance(15) ? "ROLLUP(" + by + ")" : by;
    return "SELECT " + by + ", " + String.join(", ", items) + from + " GROUP BY " + sets + having;
  }

  private String windows() {
    String by = one("", "PARTITION BY x." + one(ALL) + " ");
    String order =
        "ORDER BY x." + one(ALL) + one("", " DESC") + " NULLS " + one("FIRST", "LAST") + ", x.id";
    List<String> calls = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String number = one(INTEGERS);
      calls.add(
          one(
              "ROW_NUMBER() OVER (" + by + order + ")",
              "RANK() OVER (" + by + order + ")",
              "CAST(SUM(x." + number + ") OVER (" + by + order + ") AS BIGINT)",
              "LAG(x." + one(ALL) + ", 2) OVER (" + by + order + ")",
              "FIRST_VALUE(x." + one(ALL) + ") OVER (" + by + order + ")",
              "MIN(x."
                  + number
                  + ") OVER ("
                  + by
                  + order
                  + " ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING)",
              "COUNT(x.s) OVER (" + by.strip() + ")",
              "MAX(x.w) OVER (" + by.strip() + ")",
              "NTILE(7) OVER (" + by + order + ")"));
    }
    return "SELECT x.id, "
        + items("x")
        + ", "
        + String.join(", ", calls)
        + " FROM "
        + table()
        + " AS x"
        + where("x");
  }

  private String set() {
    List<String> columns = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      columns.add("x." + one(ALL));
    }
    String items = String.join(", ", columns);
    String left = "SELECT " + items + " FROM " + table() + " AS x" + where("x");
    String right = "SELECT " + items + " FROM " + table() + " AS x" + where("x");
    return chance(20)
        ? left.replace("SELECT", "SELECT DISTINCT")
        : left
            + one(
                " UNION ",
                " UNION ALL ",
                " EXCEPT ",
                " INTERSECT ",
                " EXCEPT ALL ",
                " INTERSECT ALL ")
            + right;
  }

  private String firstRows() {
    String order = "x." + one(ALL) + one("", " DESC") + " NULLS " + one("FIRST", "LAST");
    int limit = chance(40) ? 10 : random.nextInt(ROWS_MAX);
    return "SELECT x.id, %s FROM %s AS x%s ORDER BY %s, x.id LIMIT %d OFFSET %d"
        .formatted(
            items("x"), table(), where("x"), order, limit, chance(50) ? 0 : random.nextInt(1000));
  }

  private String subQuery() {
    String x = one("id", "u", "k", "h");
    String y = one("id", "u", "k", "h");
    String inner = " FROM " + table() + " AS y WHERE " + condition("y");
    String condition =
        one(
            "x." + x + one(" IN ", " NOT IN ") + "(SELECT y." + y + inner + ")",
            one("EXISTS ", "NOT EXISTS ") + "(SELECT 1" + inner + " AND y." + y + " = x." + x + ")",
            "x.s" + one(" IN ", " NOT IN ") + "(SELECT y.s" + inner + " AND y.s IS NOT NULL)",
            "(x.g, x." + x + ") IN (SELECT y.g, y." + y + inner + ")",
            "x.d > (SELECT AVG(y.d)" + inner + " AND y." + y + " = x." + x + ")",
            "(" + condition("x") + " OR x." + x + " IN (SELECT y." + y + inner + "))");
    String value =
        chance(40)
            ? ", (SELECT "
                + one("MAX(y.w)", "COUNT(*)", "SUM(y.id)")
                + inner
                + " AND y."
                + y
                + " = x."
                + x
                + ")"
            : "";
    return "SELECT " + items("x") + value + " FROM " + table() + " AS x WHERE " + condition;
  }

  private String nested() {
    String groups =
        "SELECT y.%s AS k, COUNT(*) AS n, MAX(y.w) AS m FROM %s AS y GROUP BY y.%1$s"
            .formatted(one("u", "k", "id", "g"), table());
    String join = one("JOIN", "LEFT JOIN", "FULL JOIN", "RIGHT JOIN");
    return "SELECT x.%s, z.n, z.m, x.s FROM %s AS x %s (%s) AS z ON x.%s = z.k"
        .formatted(one(ALL), table(), join, groups, one("id", "u"));
  }

  private void compare(long seed, String place, String sql, Answer expected, Connection db) {
    Answer found = answer(db, sql);
    boolean fault = found.error.startsWith("XX");
    if (!fault && (!expected.error.isEmpty() || found.error.matches("(?s)(57014|53200|0A000).*"))) {
      if (found.error.isEmpty() || !found.error.startsWith("53200")) {
        System.out.println("? " + place + " " + sql + "\n  " + found + "\n  " + expected);
      }
      undecided++;
      return;
    }
    compared++;
    if (!found.equals(expected)) {
      String problem =
          "-Dgpdb.seed=%d: %s %s%n  has %s%n  DuckDB %s"
              .formatted(seed, place, sql, found, expected);
      System.out.println(problem);
      problems.add(problem);
    }
  }

  private static boolean isSpilled(String sql, Connection db) throws SQLException {
    try (Statement statement = db.createStatement();
        ResultSet plan = statement.executeQuery("EXPLAIN ANALYZE " + sql)) {
      return QueriesBesideDuckDbTest.rows(plan).toString().contains("bytes spilled");
    } catch (SQLException e) {
      if ("53200".equals(e.getSQLState())) {
        return false;
      }
      throw e;
    }
  }

  private static Answer answer(Connection database, String sql) {
    try (Statement statement = database.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      try (ResultSet result = statement.executeQuery(sql)) {
        List<String> rows = QueriesBesideDuckDbTest.rows(result);
        long hash =
            rows.stream().mapToLong(row -> (row.hashCode() + 1L) * 0x9E3779B97F4A7C15L).sum();
        return new Answer(rows.size(), hash, rows.subList(0, Math.min(3, rows.size())), "");
      }
    } catch (SQLException e) {
      return new Answer(0, 0, List.of(), e.getSQLState() + " " + e.getMessage());
    }
  }
}
