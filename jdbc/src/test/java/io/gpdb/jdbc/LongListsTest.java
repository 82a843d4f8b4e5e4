package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * IN and NOT IN with lists of every length, of every type, compared with sets in Java. {@code
 * -Dgpdb.seed=S} replays a run.
 */
class LongListsTest {
  private static final int ROWS = 300;
  private static final int VALUES = 400;
  private static final int[] LENGTHS = {1, 31, 32, 33, 100, 390};

  /** A column, its value for n as Java has it, and the literal for n. */
  private record Column(String name, IntFunction<Object> value, IntFunction<String> literal) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("i", n -> n - 200, n -> "" + (n - 200)),
          new Column("i", n -> n - 200, n -> (n - 200) + ".0"),
          new Column("s", n -> (short) n, n -> "" + n),
          new Column("b", n -> n * 10_000_000_000L, n -> "" + n * 10_000_000_000L),
          new Column(
              "d", n -> BigDecimal.valueOf(n * 25L, 2), n -> BigDecimal.valueOf(n * 25L, 2) + ""),
          new Column("v", n -> "wört" + n, n -> "'wört" + n + "'"),
          new Column("c", n -> "k" + n, n -> "'k" + n + "  '"),
          new Column("f", n -> n / 4.0, n -> n / 4.0 + "e0"),
          new Column("t", n -> day(n), n -> "DATE '" + day(n) + "'"));

  private static String day(int n) {
    return java.time.LocalDate.ofEpochDay(n * 40L).toString();
  }

  @Test
  void aListHoldsWhatItNames() throws SQLException {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    System.out.println("LongListsTest: -Dgpdb.seed=" + seed);
    Random random = new Random(seed);
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, s SMALLINT, b BIGINT,"
                + " d DECIMAL(9, 2), v VARCHAR(20), c CHAR(6), f DOUBLE, t DATE)")) {
      Integer[] numbers = new Integer[ROWS];
      try (PreparedStatement insert =
          database
              .connection()
              .prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
        for (int row = 0; row < ROWS; row++) {
          numbers[row] = random.nextInt(10) == 0 ? null : random.nextInt(VALUES);
          insert.setInt(1, row);
          int at = 2;
          for (String name : List.of("i", "s", "b", "d", "v", "c", "f", "t")) {
            Column column =
                COLUMNS.stream().filter(c -> c.name.equals(name)).findFirst().orElseThrow();
            insert.setObject(at++, numbers[row] == null ? null : column.value.apply(numbers[row]));
          }
          insert.addBatch();
        }
        insert.executeBatch();
      }
      for (Column column : COLUMNS) {
        for (int length : LENGTHS) {
          List<Integer> listed = new ArrayList<>(IntStream.range(0, VALUES).boxed().toList());
          java.util.Collections.shuffle(listed, random);
          check(database, column, listed.subList(0, length), numbers);
        }
      }
    }
  }

  private static void check(
      TestDatabase database, Column column, List<Integer> listed, Integer[] numbers)
      throws SQLException {
    String list = listed.stream().map(column.literal::apply).collect(Collectors.joining(", "));
    for (boolean in : new boolean[] {true, false}) {
      String predicate = column.name + (in ? " IN (" : " NOT IN (") + list + ")";
      List<String> expected =
          IntStream.range(0, ROWS)
              .filter(row -> numbers[row] != null && listed.contains(numbers[row]) == in)
              .mapToObj(String::valueOf)
              .toList();
      assertThat(database.rows("SELECT id FROM t WHERE " + predicate + " ORDER BY id"))
          .as(predicate)
          .isEqualTo(expected);
      long unknown = IntStream.range(0, ROWS).filter(row -> numbers[row] == null).count();
      assertThat(database.rows("SELECT count(*) FROM t WHERE (" + predicate + ") IS NULL"))
          .as("NULL rows of " + predicate)
          .containsExactly("" + unknown);
    }
  }

  @Test
  void aListOfManyThousandsIsSearched() throws SQLException {
    String list =
        IntStream.range(0, 6_000).mapToObj(i -> "" + 2 * i).collect(Collectors.joining(", "));
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE t (i INTEGER, v VARCHAR(9))",
            "INSERT INTO t VALUES (3, '3'), (11998, '11998'), (12000, '12000'), (NULL, NULL)")) {
      assertThat(database.rows("SELECT i FROM t WHERE i IN (" + list + ")"))
          .containsExactly("11998");
      assertThat(database.rows("SELECT i FROM t WHERE i NOT IN (" + list + ")"))
          .containsExactly("3", "12000");
    }
  }
}
