package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * UNION, INTERSECT and EXCEPT, with and without ALL, over generated tables return the rows that
 * counting them one by one says, and that HSQLDB returns. {@code -Dgpdb.seed=S} replays one round,
 * {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class SetOperationsTest {
  private static final int TABLES = 4;
  private static final int QUERIES = 20;
  private static final List<String> TYPES =
      List.of("SMALLINT", "BIGINT", "DECIMAL(6, 1)", "DECIMAL(9, 3)", "DOUBLE");

  /** A query and how often it returns each row. */
  private record Query(String sql, Map<List<Object>, Integer> rows) {}

  @Test
  void rowsComeAsOftenAsTheyAreCounted() {
    RandomSeeds.of(2).forEach(SetOperationsTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd();
        OtherEngine hsqldb = new OtherEngine("HSQLDB", "jdbc:hsqldb:mem:sets" + seed)) {
      List<Query> tables = new ArrayList<>();
      for (int t = 0; t < TABLES; t++) {
        tables.add(table(random, "t" + t, db, hsqldb));
      }
      for (int i = 0; i < QUERIES; i++) {
        Query query = query(random, tables, 1 + random.nextInt(3));
        String name = "-Dgpdb.seed=" + seed + ": " + query.sql;
        List<String> expected = expected(query);
        assertThat(plain(db.rows(query.sql))).as(name).isEqualTo(expected);
        List<String> others = hsqldb.rows(query.sql);
        assertThat(others).as("HSQLDB, " + name).isNotNull();
        assertThat(plain(others)).as("HSQLDB, " + name).isEqualTo(expected);
        assertThat(db.rows("EXPLAIN " + query.sql)).noneMatch(line -> line.contains("enumerable"));
      }
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** A table of a number and a text, in which few values appear often, NULLs among them. */
  private static Query table(Random random, String name, EndToEnd db, OtherEngine other)
      throws SQLException {
    String type = TYPES.get(random.nextInt(TYPES.size()));
    String create =
        "CREATE TABLE " + name + " (n " + type + ", s VARCHAR(" + (2 + random.nextInt(3)) + "))";
    db.run(create);
    other.run(create);
    Map<List<Object>, Integer> rows = new HashMap<>();
    int count = random.nextInt(4) == 0 ? random.nextInt(3) : 20 + random.nextInt(100);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BigDecimal half = BigDecimal.valueOf(random.nextInt(6) * 5L, 1);
      boolean whole = type.equals("SMALLINT") || type.equals("BIGINT");
      BigDecimal number = whole ? BigDecimal.valueOf(half.longValue()) : half;
      String n = random.nextInt(6) == 0 ? "NULL" : number.toPlainString();
      String s = random.nextInt(6) == 0 ? "NULL" : "ab".substring(random.nextInt(2));
      values.add("(" + n + (s.equals("NULL") ? ", NULL)" : ", '" + s + "')"));
      rows.merge(List.of(plain(n), s), 1, Integer::sum);
    }
    if (count > 0) {
      String insert = "INSERT INTO " + name + " VALUES " + String.join(", ", values);
      db.run(insert);
      other.run(insert);
    }
    return new Query("SELECT n, s FROM " + name, rows);
  }

  private static Query query(Random random, List<Query> tables, int depth) {
    if (depth == 0) {
      return tables.get(random.nextInt(tables.size()));
    }
    Query a = query(random, tables, random.nextInt(depth));
    Query b = query(random, tables, random.nextInt(depth));
    String operator = List.of("UNION", "INTERSECT", "EXCEPT").get(random.nextInt(3));
    boolean all = random.nextBoolean();
    Map<List<Object>, Integer> rows = new HashMap<>();
    Map<List<Object>, Integer> either = new HashMap<>(a.rows);
    either.putAll(b.rows);
    for (List<Object> row : either.keySet()) {
      int x = a.rows.getOrDefault(row, 0);
      int y = b.rows.getOrDefault(row, 0);
      int times =
          switch (operator) {
            case "UNION" -> x + y;
            case "INTERSECT" -> Math.min(x, y);
            default -> all ? x - y : y > 0 ? 0 : x;
          };
      if (times > 0) {
        rows.put(row, all ? times : 1);
      }
    }
    String sql = "(" + a.sql + ") " + operator + (all ? " ALL (" : " (") + b.sql + ")";
    return new Query(sql, rows);
  }

  private static List<String> expected(Query query) {
    List<String> rows = new ArrayList<>();
    query.rows.forEach(
        (row, times) -> {
          for (int i = 0; i < times; i++) {
            rows.add(row.getFirst() + "|" + row.getLast());
          }
        });
    return rows.stream().sorted().toList();
  }

  /** Rows whose numbers are written the same way by all engines and types. */
  private static List<String> plain(List<String> rows) {
    return rows.stream()
        .map(row -> row.split("\\|", -1))
        .map(fields -> plain(fields[0]) + "|" + fields[1])
        .sorted()
        .collect(Collectors.toList());
  }

  private static String plain(String number) {
    return number.equals("NULL") ? number : new BigDecimal(number).setScale(1).toPlainString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      textBlock =
          """
          SELECT NULL INTERSECT SELECT NULL; NULL
          SELECT 1, NULL EXCEPT SELECT NULL, 1; 1|NULL
          SELECT CAST('a' AS CHAR(1)) INTERSECT SELECT CAST('a' AS VARCHAR(3)); a
          SELECT CAST('-0.0' AS DOUBLE) INTERSECT SELECT CAST(0 AS REAL); 0.0
          SELECT CAST('NaN' AS DOUBLE) INTERSECT SELECT CAST('NaN' AS REAL); NaN
          VALUES 1, 1, 1, 2 INTERSECT ALL VALUES 1, 1, 3; 1, 1
          VALUES 1, 1, 1, 2 EXCEPT ALL VALUES 1, 3; 1, 1, 2
          VALUES 5, 6 EXCEPT VALUES 6 UNION VALUES 7 INTERSECT VALUES 7, 8; 5, 7
          SELECT DATE '2020-01-01' INTERSECT SELECT TIMESTAMP '2020-01-01 00:00:00'; 2020-01-01 00:00:00
          SELECT CAST(1 AS DECIMAL(30, 2)) INTERSECT SELECT 1; 1.00
          SELECT X'01' EXCEPT ALL SELECT X'02'; 01
          SELECT TRUE INTERSECT SELECT NULL; ''
          """)
  void valuesAreComparedInOneType(String sql, String expected) {
    try (EndToEnd db = new EndToEnd()) {
      List<String> rows = expected.equals("''") ? List.of() : List.of(expected.split(", ", -1));
      assertThat(db.rows(sql)).containsExactlyInAnyOrderElementsOf(rows);
      assertThat(db.bridgeRows(sql)).containsExactlyInAnyOrderElementsOf(rows);
    }
  }

  @Test
  void rowsAreRepeatedOverSeveralBatches() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE d (i INTEGER)");
      db.run("INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9)");
      String many = "SELECT a.i / 10 AS i FROM d a, d b, d c, d e, d f, (VALUES 1, 2, 3) AS g (i)";
      String sql = "SELECT COUNT(*), SUM(i) FROM (" + many + " EXCEPT ALL VALUES 0, 0) AS x";
      assertThat(db.rows(sql)).containsExactly("299998|0");
    }
  }
}
