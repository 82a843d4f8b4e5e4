package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * IN of a query that reads the outer row, where a row need not ask for it, is TRUE, FALSE or
 * unknown as a join with groups says that is written by hand, and is found for all outer rows
 * together.
 */
class CorrelatedMembershipsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 5);
  private static final int ROWS = 600;
  private static final int KEYS = 90;
  private static final String TOGETHER = "the outer rows [in place] rows~600:";
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.run("CREATE TABLE o (id INTEGER PRIMARY KEY, k INTEGER, x INTEGER, y INTEGER NOT NULL)");
    db.run("CREATE TABLE i (k INTEGER, b INTEGER, c INTEGER NOT NULL, s VARCHAR(9))");
    Random random = new Random(SEED);
    db.run("INSERT INTO o VALUES " + rows(random, true));
    db.run("INSERT INTO i VALUES " + rows(random, false));
  }

  private static String rows(Random random, boolean outer) {
    return IntStream.range(0, ROWS)
        .mapToObj(
            id -> {
              String key = key(random, outer ? KEYS : KEYS / 2);
              String value = key(random, 5);
              String present = Integer.toString(random.nextInt(5));
              return outer
                  ? "(" + id + ", " + key + ", " + value + ", " + present + ")"
                  : "(" + key + ", " + value + ", " + present + ", '" + present + "')";
            })
        .collect(Collectors.joining(", "));
  }

  private static String key(Random random, int limit) {
    return random.nextInt(9) == 0 ? "NULL" : Integer.toString(random.nextInt(limit));
  }

  @AfterAll
  static void close() {
    db.close();
  }

  private static List<String> sorted(String sql) {
    return db.rows(sql).stream().sorted().toList();
  }

  private static boolean isTogether(String sql) {
    return String.join("\n", db.rows("EXPLAIN ANALYZE " + sql)).contains(TOGETHER);
  }

  @ParameterizedTest
  @CsvSource({"x, b", "x, c", "y, b", "y, c"})
  void isFoundForAllRowsTogether(String sought, String member) {
    String in = "o." + sought + " IN (SELECT i." + member + " FROM i WHERE i.k = o.k AND c < 4)";
    String any = in.replace(" IN ", " = ANY ");
    String equal = "o." + sought + " = i." + member;
    String values =
        "SELECT o.id, CASE WHEN COUNT(i.c) = 0 THEN FALSE WHEN BOOL_OR("
            + equal
            + ") THEN TRUE WHEN COUNT(i.c) > COUNT("
            + equal
            + ") THEN NULL ELSE FALSE END AS p FROM o LEFT JOIN i ON i.k = o.k AND i.c < 4"
            + " GROUP BY o.id";
    List<String> all = sorted(values);
    for (String call : List.of(in, any)) {
      String query = "SELECT o.id, " + call + " FROM o";
      assertThat(sorted(query)).isEqualTo(all);
      assertThat(isTogether(query)).isTrue();
    }
    for (String rest : List.of(" p OR id < 9", " NOT p OR id < 9", " p IS NULL OR id < 9")) {
      String query = "SELECT o.id FROM o WHERE" + rest.replace("p", "(" + in + ")");
      assertThat(sorted(query))
          .isEqualTo(sorted("SELECT id FROM (" + values + ") AS z WHERE" + rest));
      assertThat(isTogether(query)).isTrue();
    }
  }

  /** Anything else is one aggregate over the query's rows, for one outer row after the other. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "o.x IN (SELECT i.b FROM i WHERE i.k < o.k)",
        "o.x IN (SELECT i.b FROM i WHERE i.k = o.x)",
        "o.x < ANY (SELECT i.b FROM i WHERE i.k = o.k)",
        "o.x + 1 IN (SELECT i.b FROM i WHERE i.k = o.k)",
        "o.x IN (SELECT MOD(i.b, 2) FROM i WHERE i.k = o.k)",
        "o.x IN (SELECT i.b FROM i WHERE i.k = o.k AND i.c / (i.c + 1) = 0)",
        "CAST(o.y AS VARCHAR(9)) IN (SELECT i.s FROM i WHERE i.k = o.k)"
      })
  void othersAreFoundRowByRow(String in) {
    assertThat(isTogether("SELECT o.id, " + in + " FROM o")).isFalse();
  }

  @Test
  void fewRowsAskOneByOne() {
    String in = "SELECT x IN (SELECT b FROM i WHERE i.k = o.k) FROM o WHERE id < 9";
    assertThat(isTogether(in)).isFalse();
  }
}
