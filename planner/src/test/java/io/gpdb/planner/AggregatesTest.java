package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.NaiveWindow.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Random aggregates of random groups, and of grouping sets, return what plain loops return. {@code
 * -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AggregatesTest {
  private static final int ROUNDS = 6;
  private static final int QUERIES = 5;

  /** The last is for kernels. */
  private static final int[] ROW_COUNTS = {0, 1, 2, 33, 100, 520};

  private static final int GROUP = 1;
  private static final int TEXT = 2;
  private static final int TRUTH = 6;

  /** Clauses and the sets of keys that they mean. */
  private static final Map<String, List<List<Integer>>> CLAUSES = clauses();

  private final EndToEnd db = new EndToEnd();

  private static Map<String, List<List<Integer>>> clauses() {
    Map<String, List<List<Integer>>> clauses = new LinkedHashMap<>();
    clauses.put("", List.of(List.of()));
    clauses.put("GROUP BY g", List.of(List.of(GROUP)));
    clauses.put("GROUP BY h, b", List.of(List.of(TEXT, TRUTH)));
    clauses.put("GROUP BY ROLLUP(g, h)", List.of(List.of(GROUP, TEXT), List.of(GROUP), List.of()));
    clauses.put(
        "GROUP BY CUBE(h, b)",
        List.of(List.of(TEXT, TRUTH), List.of(TEXT), List.of(TRUTH), List.of()));
    clauses.put(
        "GROUP BY GROUPING SETS ((g), (h), ())", List.of(List.of(GROUP), List.of(TEXT), List.of()));
    clauses.put(
        "GROUP BY g, GROUPING SETS ((h), (b))",
        List.of(List.of(GROUP, TEXT), List.of(GROUP, TRUTH)));
    return clauses;
  }

  @BeforeAll
  void aTable() {
    db.run(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, g INTEGER, h VARCHAR(3), k INTEGER,"
            + " p DECIMAL(10, 2), f DOUBLE, b BOOLEAN)");
  }

  @AfterAll
  void close() {
    db.close();
  }

  @Test
  void randomAggregatesReturnWhatPlainLoopsReturn() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    int count = ROW_COUNTS[(int) Math.floorMod(seed, (long) ROW_COUNTS.length)];
    List<Row> rows = new ArrayList<>();
    db.run("DELETE FROM t");
    for (int id = 0; id < count; id++) {
      rows.add(Row.random(random, id));
    }
    if (count > 0) {
      db.run("INSERT INTO t VALUES " + String.join(", ", rows.stream().map(Row::sql).toList()));
    }
    for (int i = 0; i < QUERIES; i++) {
      List<String> clauses = new ArrayList<>(CLAUSES.keySet());
      String clause = clauses.get(random.nextInt(clauses.size()));
      List<RandomAggregate> calls = new ArrayList<>();
      for (int c = 0; c < 1 + random.nextInt(3); c++) {
        calls.add(RandomAggregate.of(random));
      }
      String problem = problem(rows, clause, calls);
      if (!problem.isEmpty()) {
        problems.add("-Dgpdb.seed=" + seed + ": " + problem);
      }
    }
  }

  private String problem(List<Row> rows, String clause, List<RandomAggregate> calls) {
    List<List<Integer>> sets = CLAUSES.get(clause);
    List<Integer> keys = sets.stream().flatMap(List::stream).distinct().toList();
    List<String> selected = new ArrayList<>();
    keys.forEach(key -> selected.add(Row.NAMES.get(key)));
    String names = String.join(", ", keys.stream().map(Row.NAMES::get).toList());
    selected.add(keys.isEmpty() ? "0" : "GROUPING(" + names + ")");
    calls.forEach(call -> selected.add(call.sql()));
    String sql = "SELECT " + String.join(", ", selected) + " FROM t " + clause;
    Map<List<String>, List<String>> found = new HashMap<>();
    int width = keys.size() + 1;
    for (List<String> row : db.inTransaction(tx -> EndToEnd.table(db.engine, tx, sql))) {
      if (found.put(row.subList(0, width), row.subList(width, row.size())) != null) {
        return "two rows of one group: " + sql;
      }
    }
    Map<List<String>, List<@Nullable Object>> expected = expected(rows, sets, keys, calls);
    if (!found.keySet().equals(expected.keySet())) {
      return found.keySet() + " instead of " + expected.keySet() + ": " + sql;
    }
    for (Map.Entry<List<String>, List<String>> group : found.entrySet()) {
      List<@Nullable Object> values = expected.get(group.getKey());
      for (int c = 0; c < calls.size(); c++) {
        String value = RandomWindow.text(values.get(c));
        if (!RandomWindow.isSame(value, group.getValue().get(c))) {
          return calls.get(c).sql()
              + " of group "
              + group.getKey()
              + " is "
              + group.getValue().get(c)
              + " instead of "
              + value
              + ": "
              + sql;
        }
      }
    }
    return "";
  }

  private static Map<List<String>, List<@Nullable Object>> expected(
      List<Row> rows, List<List<Integer>> sets, List<Integer> keys, List<RandomAggregate> calls) {
    Map<List<String>, List<@Nullable Object>> expected = new HashMap<>();
    for (List<Integer> set : sets) {
      Map<List<String>, List<Row>> groups =
          rows.stream().collect(Collectors.groupingBy(row -> names(row, set, keys)));
      if (set.isEmpty() && rows.isEmpty()) {
        groups.put(names(new Row(List.of()), set, keys), List.of());
      }
      groups.forEach(
          (names, group) -> {
            List<@Nullable Object> values = new ArrayList<>();
            calls.forEach(call -> values.add(call.evaluated(group)));
            expected.put(names, values);
          });
    }
    return expected;
  }

  /** The keys as they are selected, and which of them are none of the set. */
  private static List<String> names(Row row, List<Integer> set, List<Integer> keys) {
    List<String> names = new ArrayList<>();
    for (int key : keys) {
      names.add(set.contains(key) ? RandomWindow.text(row.value(key)) : "NULL");
    }
    int missing = 0;
    for (int key : keys) {
      missing = 2 * missing + (set.contains(key) ? 0 : 1);
    }
    names.add(Integer.toString(missing));
    return names;
  }

  @Test
  void aSpreadOfLargeNumbersIsThatOfTheirDistances() {
    db.run("CREATE TABLE large (a INTEGER, x DOUBLE, n BIGINT)");
    db.run(
        "INSERT INTO large VALUES (1, 1000000001, 10000000001), (1, 1000000002, 10000000002),"
            + " (1, 1000000003, 10000000003), (1, 1000000004, 10000000004)");
    assertThat(db.rows("SELECT VAR_POP(x), VAR_POP(n) FROM large")).containsExactly("1.25|1.25");
    assertThat(db.rows("SELECT VAR_POP(x), VAR_POP(n) FROM large GROUP BY a"))
        .containsExactly("1.25|1.25");
  }

  @Test
  void aShareIsFrom0To1() {
    String sql = "SELECT PERCENTILE_%s(%s) WITHIN GROUP (ORDER BY v) FROM (VALUES 1, 2) AS x (v)";
    assertThat(db.state(sql.formatted("CONT", "1.01"))).isEqualTo("22003");
    assertThat(db.state(sql.formatted("DISC", "-0.01"))).isEqualTo("22003");
    assertThat(db.rows(sql.formatted("CONT", "?"), 0.5)).containsExactly("1.5");
    assertThat(db.rows(sql.formatted("DISC", "NULL"))).containsExactly("NULL");
  }

  @Test
  void theHostComputesWithTheShortestWholeNumbersAndFiltersByConstants() {
    try (EndToEnd db = new EndToEnd()) {
      db.script("CREATE TABLE t (a TINYINT, b SMALLINT)", "INSERT INTO t VALUES (1, 2), (5, 3)");
      assertThat(db.rows("SELECT a - b, EXISTS (SELECT 1 FROM t AS u WHERE u.b > t.b) FROM t"))
          .containsExactlyInAnyOrder("-1|TRUE", "2|FALSE");
      assertThat(db.rows("SELECT -a, (SELECT MAX(u.a) FROM t AS u WHERE u.b >= t.b) FROM t"))
          .containsExactlyInAnyOrder("-1|5", "-5|5");
      assertThat(db.rows("SELECT COUNT(*) FILTER (WHERE TRUE) FROM (SELECT MAX(a) FROM t)"))
          .containsExactly("1");
    }
  }
}
