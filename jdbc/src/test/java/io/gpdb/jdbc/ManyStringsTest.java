package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Functions of a column of more strings than are computed at once, by several threads: each row has
 * what plain Java says, strings that are made have one order, and the first wrong string is named.
 */
class ManyStringsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261127L);

  /** More than 256 pieces of 1024. */
  private static final int ROWS = 270_000;

  private static Connection connection;
  private static final String[] STRINGS = new String[ROWS];

  @BeforeAll
  static void fill() throws SQLException {
    connection = DriverManager.getConnection("jdbc:gpdb:mem:strings;workers=3;host_rows=0");
    TestDatabase.execute(connection, "CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR)");
    Random random = new Random(SEED);
    try (var insert = connection.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
      for (int i = 0; i < ROWS; i++) {
        STRINGS[i] = i % 50 == 7 ? null : (10 + random.nextInt(90)) + "-" + i;
        insert.setInt(1, i);
        insert.setString(2, STRINGS[i]);
        insert.addBatch();
        if (i % 10_000 == 9_999) {
          insert.executeBatch();
        }
      }
    }
  }

  @AfterAll
  static void close() throws SQLException {
    connection.close();
  }

  private static void assertRows(String condition, IntPredicate holds) throws SQLException {
    long[] found = IntStream.range(0, ROWS).filter(holds).asLongStream().toArray();
    assertThat(TestDatabase.rows(connection, "SELECT COUNT(*), SUM(id) FROM t WHERE " + condition))
        .as(condition)
        .containsExactly(found.length + "|" + java.util.Arrays.stream(found).sum());
  }

  private static String beginning(int row) {
    return STRINGS[row] == null ? "" : STRINGS[row].substring(0, 2);
  }

  @Test
  void aConditionHoldsOfTheRowsOfWhichItHoldsInJava() throws SQLException {
    assertRows(
        "SUBSTRING(s, 1, 2) IN ('13', '31', '77')",
        row -> List.of("13", "31", "77").contains(beginning(row)));
    assertRows(
        "SUBSTRING(s, 1, 2) >= '20' AND SUBSTRING(s, 1, 2) < '33'",
        row -> beginning(row).compareTo("20") >= 0 && beginning(row).compareTo("33") < 0);
    assertRows(
        "SUBSTRING(s, 1, 2) <> '13' OR SUBSTRING(s, 1, 2) < '10'",
        row -> STRINGS[row] != null && !beginning(row).equals("13"));
    assertRows("s LIKE '%99%9'", row -> STRINGS[row] != null && STRINGS[row].matches(".*99.*9"));
    assertRows("CHAR_LENGTH(s) = 8", row -> STRINGS[row] != null && STRINGS[row].length() == 8);
  }

  @Test
  void stringsThatAreMadeComeInTheOrderOfTheRows() throws SQLException {
    Map<String, Integer> groups = new LinkedHashMap<>();
    IntStream.range(0, ROWS)
        .forEach(
            row ->
                groups.merge(
                    STRINGS[row] == null ? "null" : STRINGS[row].substring(0, 4), 1, Integer::sum));
    List<String> expected = new ArrayList<>();
    groups.forEach((key, count) -> expected.add(key + "|" + count));
    assertThat(
            TestDatabase.rows(
                connection,
                "SELECT SUBSTRING(s, 1, 4), COUNT(*) FROM t GROUP BY SUBSTRING(s, 1, 4)"))
        .isEqualTo(expected);
  }

  @Test
  void aStringThatIsNoNumberIsAnErrorOfTheRowsThatHaveIt() throws SQLException {
    String number = "CAST(SUBSTRING(s, 4) AS INTEGER)";
    assertRows(number + " < 1000", row -> STRINGS[row] != null && row < 1000);
    String unknown =
        "SELECT COUNT(*) FROM t WHERE 7 < CAST(CASE WHEN s LIKE '%-26999' THEN 'y' || s ELSE CASE"
            + " WHEN s LIKE '%-%3' AND CHAR_LENGTH(s) = 9 THEN 'x' ELSE '8' END END AS INTEGER)";
    assertThatThrownBy(() -> TestDatabase.rows(connection, unknown))
        .isInstanceOfSatisfying(
            SQLException.class,
            e -> {
              assertThat(e.getSQLState()).isEqualTo("22018");
              assertThat(e.getMessage()).contains("'y" + STRINGS[26_999] + "' is not a value");
            });
  }
}
