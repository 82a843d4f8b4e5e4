package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Aggregates of correlated subqueries, found for all outer rows together, are those of joins with
 * groups that are written by hand; only groups that a row asks for are made.
 */
class CorrelatedAggregatesTest {
  private static final Pattern AS_RUN =
      Pattern.compile("the outer rows \\[in place\\] rows~[0-9.E]+:");

  private static final long SEED = Long.getLong("gpdb.seed", 5);
  private static final int ROWS = 5000;
  private static final int KEYS = 700;
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.run("CREATE TABLE o (id INTEGER PRIMARY KEY, k INTEGER, l BIGINT, x DECIMAL(9, 2))");
    db.run("CREATE TABLE i (k INTEGER, l BIGINT, y DECIMAL(9, 2), z INTEGER)");
    Random random = new Random(SEED);
    db.run("INSERT INTO o VALUES " + rows(random, true));
    db.run("INSERT INTO i VALUES " + rows(random, false));
  }

  private static String rows(Random random, boolean outer) {
    return IntStream.range(0, ROWS)
        .mapToObj(
            id -> {
              String keys = key(random, outer ? KEYS : KEYS / 2) + ", " + key(random, 3);
              String amount = random.nextInt(20) == 0 ? "NULL" : random.nextInt(9000) + ".25";
              return outer
                  ? "(" + id + ", " + keys + ", " + amount + ")"
                  : "(" + keys + ", " + amount + ", " + key(random, 5) + ")";
            })
        .collect(Collectors.joining(", "));
  }

  private static String key(Random random, int limit) {
    return random.nextInt(15) == 0 ? "NULL" : Integer.toString(random.nextInt(limit));
  }

  @AfterAll
  static void close() {
    db.close();
  }

  private static List<String> sorted(String sql) {
    return db.rows(sql).stream().sorted().toList();
  }

  private static String plan(String sql) {
    return String.join("\n", db.rows("EXPLAIN ANALYZE " + sql));
  }

  /** Whether the plan found the values for all rows together, as it was run. */
  private static boolean isTogether(String sql) {
    return AS_RUN.matcher(plan(sql)).find();
  }

  /** A value over rows with o's keys, and the same over g, the groups by these keys. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "MIN(y); MIN(y); NULL",
        "0.5 * SUM(y); 0.5 * SUM(y); NULL",
        "AVG(y); AVG(y); NULL",
        "COUNT(y); COUNT(y); 0",
        "COUNT(*) + 1; COUNT(*) + 1; 1",
        "COUNT(DISTINCT z); COUNT(DISTINCT z); 0",
        "COALESCE(SUM(z), -1); COALESCE(SUM(z), -1); -1",
        "CASE WHEN COUNT(*) > 9 THEN MAX(y) ELSE 7 END;"
            + "CASE WHEN COUNT(*) > 9 THEN MAX(y) ELSE 7 END; 7"
      })
  void valuesAreThoseOfGroups(String value, String ofGroup, String ofNoRows) {
    for (String keys : List.of("k", "k l")) {
      List<String> names = List.of(keys.split(" "));
      String equal = and(names, "i.%s = o.%s");
      String group = String.join(", ", names);
      String groups =
          "(SELECT " + group + ", " + ofGroup + " AS v, 1 AS f FROM i GROUP BY " + group + ") g";
      String joined = " FROM o LEFT JOIN " + groups + " ON " + and(names, "g.%s = o.%s");
      String found = "CASE WHEN g.f IS NULL THEN " + ofNoRows + " ELSE g.v END";
      String query = "(SELECT " + value + " FROM i WHERE " + equal + ")";
      assertSame("SELECT id, " + query + " FROM o", "SELECT id, " + found + joined);
      assertSame(
          "SELECT id FROM o WHERE x > " + query, "SELECT id" + joined + " WHERE x > " + found);
    }
  }

  private static String and(List<String> names, String equality) {
    return names.stream()
        .map(name -> equality.formatted(name, name))
        .collect(Collectors.joining(" AND "));
  }

  private static void assertSame(String sql, String expected) {
    assertThat(sorted(sql)).as(sql).isEqualTo(sorted(expected));
    assertThat(isTogether(sql)).as(plan(sql)).isTrue();
  }

  @Test
  void conditionsOfTheQueryAndOfItsRowsHold() {
    assertSame(
        "SELECT id FROM o WHERE l = 1 AND x < (SELECT MAX(y) FROM i WHERE i.k = o.k AND z > 2)"
            + " AND 2 < (SELECT COUNT(*) FROM i WHERE l = 2 AND o.k = i.k)",
        "SELECT id FROM o JOIN (SELECT k, MAX(y) AS m FROM i WHERE z > 2 GROUP BY k) a ON a.k = o.k"
            + " JOIN (SELECT k, COUNT(*) AS n FROM i WHERE l = 2 GROUP BY k) b ON b.k = o.k"
            + " WHERE o.l = 1 AND x < m AND 2 < n");
  }

  /** The group with z = 7 would divide by zero. */
  @Test
  void aGroupThatNoRowAsksForRaisesNothing() {
    db.script(
        "CREATE TABLE a (k INTEGER, b BOOLEAN)",
        "CREATE TABLE r (k INTEGER, z INTEGER)",
        "INSERT INTO a VALUES (1, TRUE), (2, TRUE), (3, FALSE), (NULL, TRUE)",
        "INSERT INTO r VALUES (1, 2), (2, 4), (3, 0), (4, 0)");
    String query = "SELECT k FROM a WHERE b AND 0 < (SELECT 8 / SUM(z) FROM r WHERE r.k = a.k)";
    assertThat(db.rows(query)).containsExactly("1", "2");
    assertThat(isTogether(query)).isTrue();
    String rows = "SELECT k FROM a WHERE b AND 0 < (SELECT MIN(8 / z) FROM r WHERE r.k = a.k)";
    assertThat(db.rows(rows)).containsExactly("1", "2");
    assertThat(isTogether(rows)).isTrue();
    assertThat(db.state(query.replace("b AND", ""))).isEqualTo("22012");
    assertThat(db.state(rows.replace("b AND", ""))).isEqualTo("22012");
  }

  @Test
  void aBranchThatNoRowTakesRaisesNothing() {
    db.script(
        "CREATE TABLE c (k INTEGER, b BOOLEAN)",
        "CREATE TABLE s (k INTEGER, z INTEGER)",
        "INSERT INTO c VALUES (1, TRUE), (2, TRUE), (3, FALSE)",
        "INSERT INTO s VALUES (1, 2), (2, 4), (3, 0)");
    String value = "(SELECT 8 / SUM(z) FROM s WHERE s.k = c.k)";
    assertThat(db.rows("SELECT CASE WHEN b THEN " + value + " END FROM c"))
        .containsExactly("4", "2", "NULL");
    assertThat(db.rows("SELECT k FROM c WHERE NOT b OR " + value + " > 3"))
        .containsExactly("1", "3");
    assertThat(db.rows("SELECT n FROM (SELECT k AS n, " + value + " AS v FROM c) AS t"))
        .containsExactly("1", "2", "3");
  }

  /** {E} and {F} are EXISTS, or whether a left join with their keys found one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM o WHERE {E} OR {F}",
        "SELECT id FROM o WHERE NOT {E} OR x > 5000",
        "SELECT id FROM o WHERE x IS NULL AND {E} OR NOT ({F} AND {E})",
        "SELECT id, {E}, CASE WHEN {F} THEN l ELSE k END FROM o",
        "SELECT id, CASE WHEN x > 4000 THEN {E} WHEN x > 2000 THEN NOT {F} END FROM o",
        "SELECT id FROM o WHERE COALESCE(x > 4000, {F}) AND ({E} OR l = 1)",
        "SELECT COUNT(*) FROM o WHERE {E} = {F}"
      })
  void existenceIsFoundTogetherWhereverItIsAsked(String query) {
    String asked =
        query
            .replace("{E}", "EXISTS (SELECT * FROM i WHERE i.k = o.k AND z > 2)")
            .replace(
                "{F}",
                "EXISTS (SELECT 1 FROM i JOIN i j ON i.l = j.k WHERE o.l = i.l AND i.k = o.k)");
    String joined =
        query
            .replace("{E}", "(ek IS NOT NULL)")
            .replace("{F}", "(fk IS NOT NULL)")
            .replace(
                "FROM o",
                "FROM o LEFT JOIN (SELECT DISTINCT k AS ek FROM i WHERE z > 2) e ON ek = k"
                    + " LEFT JOIN (SELECT DISTINCT i.k AS fk, i.l AS fl FROM i JOIN i j"
                    + " ON i.l = j.k) f ON fl = l AND fk = k");
    assertThat(sorted(asked)).isNotEmpty().isEqualTo(sorted(joined));
    assertThat(isTogether(asked)).as(plan(asked)).isTrue();
  }

  /** The row with z = 0 would divide by zero. */
  @Test
  void anExistenceThatMayRaiseAnErrorIsAskedWhereItIsNeeded() {
    db.script("CREATE TABLE q (k INTEGER, z INTEGER)", "INSERT INTO q VALUES (1, 5), (2, 0)");
    db.run("CREATE TABLE p AS SELECT id, CAST(1 AS INTEGER) AS k FROM o WHERE id < 40");
    db.run("INSERT INTO p VALUES (50, 2)");
    String query =
        "SELECT COUNT(*) FROM p WHERE %s EXISTS (SELECT * FROM q WHERE q.k = p.k AND 5 / z > 0)";
    assertThat(db.rows(query.formatted("id = 50 OR"))).containsExactly("41");
    assertThat(db.state(query.formatted("id = 51 OR"))).isEqualTo("22012");
  }

  /** A few are asked one by one: an index may find each. */
  @Test
  void aFewExistencesAreNotJoined() {
    String query =
        "SELECT id FROM o WHERE id < %d AND (x > 1000 OR EXISTS (SELECT * FROM i WHERE i.k = o.k))";
    assertThat(isTogether(query.formatted(8))).isFalse();
    assertThat(isTogether(query.formatted(800))).isTrue();
  }

  /** One value is found by itself, which an index may do. */
  @Test
  void rowsThatAskForOneValueAreNotJoined() {
    assertThat(isTogether("SELECT id FROM o WHERE id = 3 AND x < " + ofKey())).isFalse();
    assertThat(isTogether("SELECT id FROM o WHERE k = 3 AND x < " + ofKey())).isFalse();
    assertThat(isTogether("SELECT id FROM o WHERE k IN (3, 4) AND x < " + ofKey())).isTrue();
  }

  /** Of a query that reads no outer row each value is found once, where a row asks for it. */
  @Test
  void oneValueForAllRowsIsBound() {
    for (String value : List.of("AVG(y)", "SUM(y) / 9000", "COUNT(*)", "MIN(y) - MIN(y)")) {
      String query = "(SELECT " + value + " FROM i)";
      String from = " FROM o, (SELECT " + value + " AS v FROM i) g";
      assertSame("SELECT id FROM o WHERE x > " + query, "SELECT id" + from + " WHERE x > v");
      assertSame("SELECT id, x - " + query + " FROM o", "SELECT id, x - v" + from);
      assertSame(
          "SELECT id FROM o WHERE x > " + query + " AND k = l + " + ofKey().replace("y", "z"),
          "SELECT id" + from + " WHERE x > v AND k = l + " + ofKey().replace("y", "z"));
    }
    assertSame(
        "SELECT id FROM o WHERE (SELECT MAX(y) FROM i WHERE z = 77) IS NULL", "SELECT id FROM o");
    assertSame(
        "SELECT id FROM o WHERE x > (SELECT MAX(y) FROM i WHERE z = 77)",
        "SELECT id FROM o WHERE FALSE");
    String raising = "(SELECT 1 / (COUNT(*) - " + ROWS + ") FROM i)";
    assertThat(db.rows("SELECT id FROM o WHERE id < 0 AND x > " + raising)).isEmpty();
    assertThat(db.state("SELECT id FROM o WHERE id > 5 AND x > " + raising)).isEqualTo("22012");
    assertThat(db.rows("SELECT id FROM o WHERE id = 5 OR (id < 0 AND x > " + raising + ")"))
        .containsExactly("5");
  }

  private static String ofKey() {
    return "(SELECT MAX(y) FROM i WHERE i.k = o.k)";
  }

  @Test
  void changesFindTheirValuesTogether() {
    db.script("CREATE TABLE u (k INTEGER, v BIGINT)", "INSERT INTO u SELECT id, 0 FROM o");
    db.run("UPDATE u SET v = (SELECT COUNT(*) FROM i WHERE i.k = u.k)");
    assertThat(sorted("SELECT k, v FROM u"))
        .isEqualTo(
            sorted(
                "SELECT id, COALESCE(n, 0) FROM o LEFT JOIN"
                    + " (SELECT k, COUNT(*) AS n FROM i GROUP BY k) g ON g.k = o.id"));
    db.run("DELETE FROM u WHERE 5 < (SELECT COUNT(*) FROM i WHERE i.k = u.k)");
    assertThat(db.rows("SELECT COUNT(*) FROM u WHERE v > 5")).containsExactly("0");
    assertThat(sorted("SELECT k FROM u")).isEqualTo(sorted("SELECT k FROM u WHERE v <= 5"));
  }
}
