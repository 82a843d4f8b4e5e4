package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Queries in parentheses, in any depth, with ORDER BY, LIMIT and OFFSET inside and behind them,
 * return what lists of their rows say: as statements, in FROM, in WITH, among LATERAL's and in IN.
 * {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class ParenthesizedQueriesTest {
  private static final int QUERIES = 60;
  private static final int ROWS = 12;
  private static final int VALUES = 7;

  /**
   * A query and its rows.
   *
   * @param isOrdered whether the rows come in this order
   */
  private record Query(String sql, List<Integer> rows, boolean isOrdered) {}

  @Test
  void clausesBehindParenthesesAreThoseOfWhatIsInside() {
    RandomSeeds.of(2).forEach(ParenthesizedQueriesTest::round);
  }

  private static void round(long seed) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      List<Query> tables = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        List<Integer> rows = random.ints(ROWS, 0, VALUES).boxed().toList();
        db.run("CREATE TABLE t%d (a INTEGER)".formatted(t));
        db.run("INSERT INTO t%d VALUES ".formatted(t) + values(rows));
        tables.add(new Query("SELECT a FROM t" + t, rows, false));
        tables.add(new Query("TABLE t" + t, rows, false));
      }
      for (int i = 0; i < QUERIES; i++) {
        check(db, query(random, tables, 3), random.nextInt(VALUES), seed);
      }
    }
  }

  private static String values(List<Integer> rows) {
    return rows.stream().map(row -> "(" + row + ")").collect(Collectors.joining(", "));
  }

  private static void check(EndToEnd db, Query query, int bound, long seed) {
    List<String> all = query.rows.stream().sorted().map(String::valueOf).toList();
    List<String> some =
        query.rows.stream().filter(row -> row <= bound).sorted().map(String::valueOf).toList();
    String name = "-Dgpdb.seed=" + seed + ": " + query.sql;
    if (query.isOrdered) {
      assertThat(db.rows(query.sql))
          .as(name)
          .containsExactlyElementsOf(query.rows.stream().map(String::valueOf).toList());
    }
    assertThat(db.sortedRows("(" + query.sql + ")")).as(name).isEqualTo(all);
    assertThat(db.sortedRows("SELECT * FROM (%s)".formatted(query.sql))).as(name).isEqualTo(all);
    assertThat(
            db.sortedRows(
                "SELECT b FROM ((%s)) AS q (b) WHERE b <= %d".formatted(query.sql, bound)))
        .as(name)
        .isEqualTo(some);
    assertThat(db.sortedRows("WITH q (b) AS (%s) SELECT b FROM q".formatted(query.sql)))
        .as(name)
        .isEqualTo(all);
    assertThat(
            db.sortedRows(
                "SELECT b FROM (VALUES (%d)) AS v (z) CROSS JOIN LATERAL (%s) AS q (b) WHERE b <= z"
                    .formatted(bound, query.sql)))
        .as(name)
        .isEqualTo(some);
    assertThat(
            db.rows(
                "SELECT COUNT(*) FROM (VALUES (%d)) WHERE %1$d IN (%s)"
                    .formatted(bound, query.sql)))
        .as(name)
        .containsExactly(query.rows.contains(bound) ? "1" : "0");
  }

  private static Query query(Random random, List<Query> tables, int depth) {
    if (depth == 0) {
      return tables.get(random.nextInt(tables.size()));
    }
    Query inner = query(random, tables, depth - 1);
    return random.nextBoolean()
        ? together(random, inner, query(random, tables, random.nextInt(depth)))
        : ordered(random, inner);
  }

  private static Query together(Random random, Query left, Query right) {
    String operator = List.of("UNION", "UNION ALL", "EXCEPT", "INTERSECT").get(random.nextInt(4));
    List<Integer> rows = new ArrayList<>(left.rows);
    switch (operator) {
      case "EXCEPT" -> rows.removeAll(right.rows);
      case "INTERSECT" -> rows.retainAll(right.rows);
      default -> rows.addAll(right.rows);
    }
    return new Query(
        "(%s) %s (%s)".formatted(left.sql, operator, right.sql),
        operator.endsWith("ALL") ? rows : List.copyOf(new LinkedHashSet<>(rows)),
        false);
  }

  /** Rows are equal where they are equal in order, so that the first of them are well defined. */
  private static Query ordered(Random random, Query inner) {
    boolean isOrdered = !inner.isOrdered || random.nextBoolean();
    boolean descends = random.nextBoolean();
    int skipped = random.nextInt(3);
    int taken = random.nextInt(ROWS);
    boolean isLimited = !isOrdered || random.nextBoolean();
    List<Integer> rows = new ArrayList<>(inner.rows);
    if (isOrdered) {
      rows.sort(descends ? Comparator.reverseOrder() : Comparator.naturalOrder());
    }
    if (isLimited) {
      rows = rows.stream().skip(skipped).limit(taken).toList();
    }
    String sql =
        "(%s)%s%s"
            .formatted(
                inner.sql,
                isOrdered ? " ORDER BY 1" + (descends ? " DESC" : "") : "",
                isLimited ? " LIMIT %d OFFSET %d".formatted(taken, skipped) : "");
    return new Query(sql, rows, true);
  }
}
