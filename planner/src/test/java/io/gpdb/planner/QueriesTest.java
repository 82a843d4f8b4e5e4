package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Answers worked out by hand; each query returns the same with kernels and through the bridge. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class QueriesTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeAll
  void fill() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, g VARCHAR(5), n INT, d DOUBLE, at TIMESTAMP)",
        "INSERT INTO t VALUES (1, 'a', 10, 1.5, TIMESTAMP '2020-02-29 10:11:12.5'),"
            + " (2, 'b', NULL, 2.5, TIMESTAMP '2021-12-31 23:59:59'), (3, 'a', 30, NULL, NULL),"
            + " (4, NULL, 30, -1.0, TIMESTAMP '1969-07-20 20:17:40'),"
            + " (5, 'b', 50, 0.0, TIMESTAMP '2020-02-29 10:11:12.5')",
        "CREATE TABLE u (id INT, t_id INT, w VARCHAR(5))",
        "INSERT INTO u VALUES (1, 1, 'a'), (2, 1, 'z'), (3, 3, 'b'), (4, NULL, NULL),"
            + " (5, 9, 'a')");
  }

  @AfterAll
  void close() {
    db.close();
  }

  private void assertRows(String sql, String... rows) {
    assertThat(db.rows(sql)).as(sql).containsExactly(rows);
    if (sql.contains("ORDER BY")) {
      assertThat(db.bridgeRows(sql)).as("bridge: %s", sql).containsExactly(rows);
    } else {
      assertThat(db.bridgeRows(sql)).as("bridge: %s", sql).containsExactlyInAnyOrder(rows);
    }
  }

  @Test
  void groupsAndAggregatesTreatNullsAsOneGroupAndNoValue() {
    assertRows(
        "SELECT g, count(*), count(n), sum(n), avg(n), min(d), max(d) FROM t GROUP "
            + "BY g ORDER BY g",
        "a|2|2|40|20.000000|1.5|1.5",
        "b|2|1|50|50.000000|0.0|2.5",
        "NULL|1|1|30|30.000000|-1.0|-1.0");
    assertRows("SELECT count(DISTINCT g), count(DISTINCT n), sum(DISTINCT n) FROM t", "2|3|90");
    assertRows(
        "SELECT g, count(DISTINCT n), count(*) FROM t GROUP BY g ORDER BY g NULLS FIRST",
        "NULL|1|1",
        "a|2|2",
        "b|1|2");
    assertRows(
        "SELECT g, sum(n) FROM t GROUP BY ROLLUP(g) ORDER BY g NULLS LAST, 2",
        "a|40",
        "b|50",
        "NULL|30",
        "NULL|120");
    assertRows("SELECT DISTINCT n FROM t ORDER BY 1", "10", "30", "50", "NULL");
    assertRows(
        "SELECT g, LISTAGG(CAST(id AS VARCHAR), ',') WITHIN GROUP (ORDER BY id) FROM "
            + "t GROUP BY g ORDER BY g",
        "a|1,3",
        "b|2,5",
        "NULL|4");
    assertRows("SELECT max(g), min(g) FROM t WHERE id > 100", "NULL|NULL");
    assertRows("SELECT sum(n) FROM t HAVING sum(n) > 1000");
    assertRows("SELECT EVERY(n > 5), SOME(n > 40) FROM t", "TRUE|TRUE");
  }

  @Test
  void joinsMatchEqualKeysAndNeverNulls() {
    assertRows(
        "SELECT t.id, u.id FROM t JOIN u ON t.id = u.t_id ORDER BY 1, 2", "1|1", "1|2", "3|3");
    assertRows(
        "SELECT t.id, u.id FROM t LEFT JOIN u ON t.id = u.t_id AND u.w = 'z' ORDER " + "BY 1, 2",
        "1|2",
        "2|NULL",
        "3|NULL",
        "4|NULL",
        "5|NULL");
    assertRows(
        "SELECT t.id, u.id FROM t RIGHT JOIN u ON t.id = u.t_id ORDER BY 2",
        "1|1",
        "1|2",
        "3|3",
        "NULL|4",
        "NULL|5");
    assertRows(
        "SELECT t.id, u.id FROM t FULL JOIN u ON t.id = u.t_id ORDER BY 1, 2",
        "1|1",
        "1|2",
        "2|NULL",
        "3|3",
        "4|NULL",
        "5|NULL",
        "NULL|4",
        "NULL|5");
    assertRows(
        "SELECT t.id, u.id FROM t JOIN u ON t.g = u.w ORDER BY 1, 2",
        "1|1",
        "1|5",
        "2|3",
        "3|1",
        "3|5",
        "5|3");
    assertRows(
        "SELECT t.id, u.id FROM t JOIN u ON t.id < u.t_id ORDER BY 1, 2",
        "1|3",
        "1|5",
        "2|3",
        "2|5",
        "3|5",
        "4|5",
        "5|5");
    assertRows("SELECT count(*) FROM t, u", "25");
    assertRows(
        "SELECT a.id FROM t a JOIN t b ON a.id = b.id JOIN u ON u.t_id = b.id JOIN t "
            + "c ON c.g = a.g WHERE c.n > 10 ORDER BY 1",
        "1",
        "1",
        "3");
  }

  @Test
  void membershipAndExistenceFollowThreeValuedLogic() {
    assertRows("SELECT id FROM t WHERE id IN (SELECT t_id FROM u) ORDER BY 1", "1", "3");
    assertRows("SELECT id FROM t WHERE id NOT IN (SELECT t_id FROM u) ORDER BY 1");
    assertRows(
        "SELECT id FROM t WHERE id NOT IN (SELECT t_id FROM u WHERE t_id IS NOT "
            + "NULL) ORDER BY 1",
        "2",
        "4",
        "5");
    assertRows(
        "SELECT id FROM t WHERE n NOT IN (SELECT t_id FROM u WHERE t_id IS NOT NULL) "
            + "ORDER BY 1",
        "1",
        "3",
        "4",
        "5");
    assertRows(
        "SELECT id FROM t WHERE n NOT IN (SELECT t_id FROM u WHERE 1 = 0) ORDER BY 1",
        "1",
        "2",
        "3",
        "4",
        "5");
    assertRows(
        "SELECT id FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id AND u.w "
            + "> 'a') ORDER BY 1",
        "1",
        "3");
    assertRows(
        "SELECT id FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.t_id = t.id) " + "ORDER BY 1",
        "2",
        "4",
        "5");
    assertRows(
        "SELECT id, (SELECT max(w) FROM u WHERE u.t_id = t.id) FROM t ORDER BY 1",
        "1|z",
        "2|NULL",
        "3|b",
        "4|NULL",
        "5|NULL");
    assertRows("SELECT id FROM t WHERE (g, n) IN (SELECT 'a', 10 FROM u)", "1");
    assertRows(
        "SELECT t.* FROM t WHERE t.id = (SELECT max(id) FROM t)",
        "5|b|50|0.0|2020-02-29 10:11:12.5");
    assertRows(
        "SELECT id FROM t WHERE n > ALL (SELECT id FROM u) AND n < ANY (SELECT n "
            + "FROM t) ORDER BY 1",
        "1",
        "3",
        "4");
  }

  @Test
  void rowsComeInTheOrderAskedFor() {
    assertRows("SELECT id, n FROM t ORDER BY n, id", "1|10", "3|30", "4|30", "5|50", "2|NULL");
    assertRows("SELECT id, n FROM t ORDER BY n DESC, id", "2|NULL", "5|50", "3|30", "4|30", "1|10");
    assertRows("SELECT id, n FROM t ORDER BY n NULLS FIRST, id LIMIT 2 OFFSET 1", "1|10", "3|30");
    assertRows(
        "SELECT id, g FROM t ORDER BY g DESC NULLS LAST, id DESC",
        "5|b",
        "2|b",
        "3|a",
        "1|a",
        "4|NULL");
    assertRows("SELECT id FROM t ORDER BY id FETCH FIRST 2 ROWS ONLY", "1", "2");
    assertRows("SELECT id FROM t LIMIT 0");
  }

  @Test
  void setOperationsAndCommonTablesCombineQueries() {
    assertRows("SELECT g FROM t UNION SELECT w FROM u ORDER BY 1", "a", "b", "z", "NULL");
    assertRows(
        "SELECT g FROM t UNION ALL SELECT w FROM u ORDER BY 1",
        "a",
        "a",
        "a",
        "a",
        "b",
        "b",
        "b",
        "z",
        "NULL",
        "NULL");
    assertRows("SELECT g FROM t INTERSECT SELECT w FROM u ORDER BY 1", "a", "b", "NULL");
    assertRows("SELECT g FROM t EXCEPT SELECT w FROM u ORDER BY 1");
    assertRows(
        "WITH s AS (SELECT g, sum(n) AS total FROM t GROUP BY g), m AS (SELECT "
            + "max(total) AS top FROM s) SELECT s.g, total FROM s, m WHERE total = top",
        "b|50");
    assertRows(
        "WITH RECURSIVE r(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM r WHERE n < "
            + "5) SELECT sum(n) FROM r",
        "15");
    assertRows(
        "SELECT * FROM (VALUES (1, 'a'), (2, NULL)) AS v (x, y) ORDER BY x", "1|a", "2|NULL");
  }

  @Test
  void conditionalAndTextFunctionsWorkAsInTheStandard() {
    assertRows(
        "SELECT id, CASE WHEN n > 20 THEN 'big' WHEN n IS NULL THEN 'none' ELSE "
            + "'small' END, COALESCE(g, '-'), NULLIF(n, 30) FROM t ORDER BY id",
        "1|small|a|10",
        "2|none|b|NULL",
        "3|big|a|NULL",
        "4|big|-|NULL",
        "5|big|b|50");
    assertRows(
        "SELECT upper(g), lower(g), char_length(g), g || '!', substring('hello' FROM "
            + "2 FOR 3), position('l' IN 'hello'), trim('  x '), replace('abca', 'a', 'x') "
            + "FROM t WHERE id = 1",
        "A|a|1|a!|ell|3|x|xbcx");
    assertRows("SELECT id FROM t WHERE g LIKE 'a%' OR g LIKE '_' ORDER BY id", "1", "2", "3", "5");
    assertRows(
        "SELECT INITCAP('hello world'), LPAD('x', 3, 'ab'), LEFT('hello', 2), "
            + "RIGHT('hello', 2), REVERSE('abc'), REPEAT('ab', 2)",
        "Hello World|abx|he|lo|cba|abab");
  }

  @Test
  void datesAndNumbersAreTakenApartAndConverted() {
    assertRows(
        "SELECT EXTRACT(YEAR FROM at), EXTRACT(MONTH FROM at), EXTRACT(DAY FROM at), "
            + "EXTRACT(HOUR FROM at), EXTRACT(MINUTE FROM at), EXTRACT(SECOND FROM at), "
            + "EXTRACT(DOW FROM at), EXTRACT(DOY FROM at), EXTRACT(WEEK FROM at), "
            + "EXTRACT(QUARTER FROM at) FROM t ORDER BY id",
        "2020|2|29|10|11|12.500000|7|60|9|1",
        "2021|12|31|23|59|59.000000|6|365|52|4",
        "NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
        "1969|7|20|20|17|40.000000|1|201|29|3",
        "2020|2|29|10|11|12.500000|7|60|9|1");
    assertRows(
        "SELECT CAST(at AS DATE), at + INTERVAL '1' DAY, at - INTERVAL '1' MONTH, "
            + "CAST(at AS DATE) + INTERVAL '1' YEAR FROM t WHERE id IN (1, 2) ORDER BY id",
        "2020-02-29|2020-03-01 10:11:12.5|2020-01-29 10:11:12.5|2021-02-28",
        "2021-12-31|2022-01-01 23:59:59|2021-11-30 23:59:59|2022-12-31");
    assertRows("SELECT FLOOR(at TO HOUR) FROM t WHERE id = 1", "2020-02-29 10:00:00");
    assertRows(
        "SELECT CAST(12.5 AS INT), CAST('1.5' AS DOUBLE), CAST(1.255 AS "
            + "DECIMAL(4,2)), CAST(TRUE AS VARCHAR), CAST('2020-01-01' AS DATE)",
        "13|1.5|1.26|TRUE|2020-01-01");
    assertRows("SELECT 1, 'x', NULL, 1.5, DATE '2020-01-01'", "1|x|NULL|1.5|2020-01-01");
    assertRows(
        "SELECT n / 7, n % 7, n * 1.5, d / 2, power(2, 3), sqrt(4), abs(-3), mod(7, "
            + "3), round(2.567, 2), floor(-1.5), ceil(1.2), sign(-4) FROM t WHERE id = 1",
        "1|3|15.0|0.75|8.0|2.0|3|1|2.57|-2|2|-1");
    assertRows(
        "SELECT id FROM t WHERE at > TIMESTAMP '2020-01-01 00:00:00' AND CAST(at AS "
            + "DATE) = DATE '2020-02-29' ORDER BY id",
        "1",
        "5");
    assertRows("SELECT id FROM t WHERE d BETWEEN -1 AND 2 ORDER BY d DESC", "1", "5", "4");
  }

  @Test
  void windowFunctionsRunThroughTheBridge() {
    assertRows(
        "SELECT id, SUM(n) OVER (PARTITION BY g ORDER BY id), LAG(n) OVER (ORDER BY id),"
            + " RANK() OVER (ORDER BY n NULLS LAST) FROM t ORDER BY id",
        "1|10|NULL|1",
        "2|NULL|10|5",
        "3|40|NULL|2",
        "4|30|30|2",
        "5|50|30|4");
    assertRows(
        "SELECT id, ROW_NUMBER() OVER (ORDER BY id DESC), COUNT(n) OVER (), LEAD(g, 1, 'none')"
            + " OVER (ORDER BY id) FROM t WHERE id > 3 ORDER BY id",
        "4|2|2|b",
        "5|1|2|none");
  }

  @Test
  void averagesAreExactWhereTheirSumsExceedTheArgumentsType() {
    db.script(
        "CREATE TABLE w (n INT, p DECIMAL(9, 2), m INT NOT NULL)",
        "INSERT INTO w VALUES (2147483647, 9999999.99, 7), (2147483645, 0.02, 8), (NULL, NULL, 9)");
    assertRows(
        "SELECT AVG(n), AVG(p), AVG(m), AVG(DISTINCT n), SUM(n) FROM w",
        "2147483646.000000|5000000.005000|8.000000|2147483646.000000|4294967292");
    assertRows(
        "SELECT m, AVG(n), AVG(m) FROM w GROUP BY m HAVING AVG(n) IS NULL", "9|NULL|9.000000");
  }

  @Test
  void outputsThatOnlyAKernelAndOnlyTheHostCanComputeStandInOneList() {
    assertRows(
        "SELECT g || CAST(id AS VARCHAR), EXTRACT(YEAR FROM at) FROM t"
            + " WHERE g || 'y' <> 'ay' AND EXTRACT(MONTH FROM at) = 12",
        "b2|2021");
  }

  @Test
  void anUpdateSetsNullsAndRowsOfSeveralTabletsByTheHost() {
    db.script(
        "CREATE TABLE c (id INT, s VARCHAR(12), n INT)",
        "INSERT INTO c SELECT x.id, 'p', 1 FROM (SELECT t.id FROM t UNION ALL"
            + " SELECT t.id FROM t) x");
    while (Integer.parseInt(db.rows("SELECT COUNT(*) FROM c").getFirst()) < 70_000) {
      db.run("INSERT INTO c SELECT id, s, n FROM c");
    }
    db.run("DELETE FROM c WHERE id = 4");
    long rows = db.run("UPDATE c SET s = s || '-' || CAST(id AS VARCHAR), n = NULL");
    assertRows("SELECT COUNT(*), COUNT(n) FROM c", rows + "|0");
    assertRows(
        "SELECT s, COUNT(*) FROM c GROUP BY s ORDER BY s",
        "p-1|" + rows / 4,
        "p-2|" + rows / 4,
        "p-3|" + rows / 4,
        "p-5|" + rows / 4);
  }
}
