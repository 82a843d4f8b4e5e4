package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** FETCH FIRST with PERCENT and WITH TIES, and DISTINCT ON, against lists. */
class FirstRowsTest {
  private static final int ROUNDS = 20;
  private static final int ROWS_MAX = 40;

  private record Row(Integer a, int b, int c) {
    @Override
    public String toString() {
      return a + "|" + b + "|" + c;
    }
  }

  private static final Comparator<Row> BY_A =
      Comparator.comparing(Row::a, Comparator.nullsLast(Comparator.naturalOrder()));

  private final long seed = Long.getLong("gpdb.seed", 20261126L);
  private final Random random = new Random(seed);

  private List<Row> rows(TestDatabase database) throws SQLException {
    List<Row> rows = new ArrayList<>();
    int count = random.nextInt(ROWS_MAX);
    for (int i = 0; i < count; i++) {
      Integer a = random.nextInt(6) == 0 ? null : (Integer) random.nextInt(5);
      rows.add(new Row(a, random.nextInt(4), i));
    }
    database.execute("DELETE FROM t");
    if (!rows.isEmpty()) {
      database.execute(
          "INSERT INTO t VALUES "
              + rows.stream()
                  .map(row -> "(" + row.a + ", " + row.b + ", " + row.c + ")")
                  .collect(Collectors.joining(", ")));
    }
    return rows;
  }

  @Test
  void fetchFirstTakesWhatAListSays() throws SQLException {
    try (TestDatabase database = new TestDatabase("CREATE TABLE t (a INT, b INT, c INT)")) {
      for (int round = 0; round < ROUNDS; round++) {
        List<Row> rows = rows(database);
        boolean ties = random.nextBoolean();
        boolean percent = random.nextBoolean();
        int n = percent ? random.nextInt(110) : random.nextInt(12);
        int offset = random.nextInt(6);
        Comparator<Row> order = BY_A;
        rows.sort(order);
        int count = percent ? (n * rows.size() + 99) / 100 : n;
        int end = Math.min(rows.size(), offset + count);
        while (ties
            && count > 0
            && end > offset
            && end < rows.size()
            && order.compare(rows.get(end), rows.get(end - 1)) == 0) {
          end++;
        }
        List<String> expected =
            rows.subList(Math.min(offset, end), end).stream()
                .map(row -> String.valueOf(row.a))
                .toList();
        String sql =
            "SELECT a FROM t ORDER BY a OFFSET %d ROWS FETCH FIRST %d%s ROWS %s"
                .formatted(offset, n, percent ? " PERCENT" : "", ties ? "WITH TIES" : "ONLY");
        assertThat(database.rows(sql)).as("seed %s, %s of %s", seed, sql, rows).isEqualTo(expected);
      }
    }
  }

  @Test
  void distinctOnTakesTheFirstOfEach() throws SQLException {
    try (TestDatabase database = new TestDatabase("CREATE TABLE t (a INT, b INT, c INT)")) {
      for (int round = 0; round < ROUNDS; round++) {
        List<Row> rows = rows(database);
        boolean down = random.nextBoolean();
        Comparator<Row> byC = Comparator.comparing(Row::c);
        rows.sort(BY_A.thenComparing(down ? byC.reversed() : byC));
        Map<Integer, Row> first = new LinkedHashMap<>();
        rows.forEach(row -> first.putIfAbsent(row.a, row));
        String sql = "SELECT DISTINCT ON (a) a, b, c FROM t ORDER BY a, c" + (down ? " DESC" : "");
        assertThat(database.rows(sql))
            .as("seed %s, %s of %s", seed, sql, rows)
            .isEqualTo(first.values().stream().map(Row::toString).toList());
      }
    }
  }
}
