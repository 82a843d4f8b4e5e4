package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * First rows are those that the whole answer begins with, wherever a plan takes them: below
 * projections with subqueries, outer joins and LATERAL.
 */
class LimitPushDownTest {
  private static final int ROUNDS = 8;
  private static final int QUERIES = 12;

  private EndToEnd db;

  @BeforeEach
  void open() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)",
        "CREATE TABLE u (a INTEGER, b INTEGER)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void areTheBeginningOfTheWholeAnswer() {
    RandomSeeds.of(ROUNDS).forEach(this::round);
  }

  private void round(long seed) {
    Random random = new Random(seed);
    db.script("DELETE FROM t", "DELETE FROM u", "DROP INDEX IF EXISTS t_a");
    int rows = random.nextInt(2) == 0 ? random.nextInt(40) : 400 + random.nextInt(400);
    for (String insert :
        List.of(
            "INSERT INTO t SELECT x, NULLIF(MOD(x * 7, 9), 4), NULLIF(MOD(x, 5), 2)",
            "INSERT INTO u SELECT NULLIF(MOD(x * 5, 13), 3), x")) {
      db.run(insert + " FROM GENERATE_SERIES(1, " + rows + ") AS s(x)");
    }
    if (random.nextInt(3) == 0) {
      db.run("CREATE INDEX t_a ON t(a)");
    }
    for (int i = 0; i < QUERIES; i++) {
      String query = query(random);
      List<String> all = db.rows(query);
      int offset = random.nextInt(3) == 0 ? random.nextInt(1 + rows / 2) : 0;
      int limit = random.nextInt(random.nextInt(4) == 0 ? 1 + rows : 12);
      int from = Math.min(offset, all.size());
      List<String> wanted = all.subList(from, Math.min(all.size(), from + limit));
      String as = "-Dgpdb.seed=" + seed + " " + query + " LIMIT " + limit + " OFFSET " + offset;
      String text = query + " LIMIT " + limit + (offset == 0 ? "" : " OFFSET " + offset);
      check(as, db.rows(text), wanted, all);
      String bound = query + " LIMIT ?" + (offset == 0 ? "" : " OFFSET ?");
      Object[] values = offset == 0 ? new Object[] {limit} : new Object[] {limit, offset};
      check(as, db.rows(bound, values), wanted, all);
    }
  }

  /** Rows of one id are in any order: those with the same ids come out, each as often as it is. */
  private static void check(String as, List<String> found, List<String> wanted, List<String> all) {
    assertThat(found).as(as).extracting(LimitPushDownTest::id).isEqualTo(ids(wanted));
    List<String> left = new ArrayList<>(all);
    assertThat(found).as(as).allMatch(left::remove);
  }

  private static List<String> ids(List<String> rows) {
    return rows.stream().map(LimitPushDownTest::id).toList();
  }

  private static String id(String row) {
    return row.substring(0, row.indexOf('|'));
  }

  private static String query(Random random) {
    String count = "(SELECT COUNT(*) FROM u WHERE u.a = t.a) AS n";
    String first = "(SELECT u.b FROM u WHERE u.a > t.b ORDER BY u.b LIMIT 1) AS f";
    String outputs =
        pick(random, "id, " + count, "id, t.a, " + first, "id, t.a * 2, " + count, "id, 12 / id");
    String from =
        pick(
            random,
            "t",
            "t LEFT JOIN u ON u.b = t.id",
            "t LEFT JOIN u ON u.a = t.a AND u.b < t.id",
            "t LEFT JOIN u ON u.b = t.a LEFT JOIN u AS v ON v.b = u.a",
            "t LEFT JOIN LATERAL (SELECT u.b AS q FROM u WHERE u.a = t.a ORDER BY 1 LIMIT 2) AS l"
                + " ON TRUE",
            "t RIGHT JOIN u ON u.b = t.id");
    String where = pick(random, "", "", " WHERE t.b > 1", " WHERE t.a IS NULL OR t.id > 3");
    String order =
        pick(
            random,
            " ORDER BY id",
            " ORDER BY t.a, id DESC",
            " ORDER BY t.b DESC, id",
            " ORDER BY t.a NULLS FIRST, t.b, id",
            " ORDER BY 2, 1",
            " ORDER BY t.a + 1, id");
    String query = "SELECT " + outputs + " FROM " + from + where + order;
    return random.nextInt(4) == 0 ? "SELECT * FROM (" + query + ") AS q ORDER BY 1" : query;
  }

  private static String pick(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  @Test
  void areTakenBelowSubQueriesAndOuterJoins() {
    String top = "first rows, limit 3";
    String count = "SELECT id, (SELECT COUNT(*) FROM u WHERE u.a = t.a) AS n FROM t";
    assertThat(db.plan(count + " ORDER BY a LIMIT 3"))
        .containsPattern("(?s)SUBQUERY0.*" + top + ".*table T");
    assertThat(db.plan(count + " LIMIT 3")).containsPattern("(?s)SUBQUERY0.*limit 3.*table T");
    assertThat(db.plan(count + " ORDER BY n LIMIT 3"))
        .containsPattern("(?s)" + top + ".*SUBQUERY0.*table T");
    assertThat(db.plan("SELECT * FROM t LEFT JOIN u ON t.a = u.a ORDER BY id LIMIT 3"))
        .containsPattern("(?s)" + top + ".*left join.*" + top + ".*table T.*table U");
    for (String other :
        List.of(
            "SELECT * FROM t LEFT JOIN u ON t.a = u.a ORDER BY u.b LIMIT 3",
            "SELECT * FROM t LEFT JOIN u ON t.a = u.a ORDER BY id OFFSET 3 ROWS",
            "SELECT * FROM t JOIN u ON t.a = u.a ORDER BY id LIMIT 3")) {
      assertThat(db.plan(other)).doesNotContainPattern("(?s)join.*(first rows|limit)");
    }
  }

  /** Rows that do not come out compute nothing. */
  @Test
  void computeWhatComesOut() {
    db.script("INSERT INTO t VALUES (1, 1, 1), (2, 0, 0)", "INSERT INTO u VALUES (1, 1)");
    assertThat(db.rows("SELECT id, (SELECT u.b / t.b FROM u) AS n FROM t ORDER BY id LIMIT 1"))
        .containsExactly("1|1");
    assertThat(db.state("SELECT id, (SELECT u.b / t.b FROM u) AS n FROM t ORDER BY n LIMIT 1"))
        .isEqualTo("22012");
  }
}
