package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What statements made from the grammar once ended in. */
class GrammarFindingsTest {
  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE t (i INTEGER, v VARCHAR(20), y VARBINARY)",
        "INSERT INTO t VALUES (1, 'abc', X'00'), (2, '12', NULL)");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @Test
  void aNumberIsNoBytes() {
    assertThat(db.state("SELECT CAST(i AS VARBINARY) FROM t")).isEqualTo("42804");
    assertThat(db.state("CREATE TABLE n AS SELECT CAST(i AS VARBINARY) FROM t")).isEqualTo("42804");
    assertThat(db.rows("SELECT CAST(v AS VARBINARY) FROM t")).containsExactly("616263", "3132");
  }

  @Test
  void aParameterThatOnlyALeafOfTheBridgeReads() {
    String sql =
        "SELECT COUNT(i) FROM LATERAL (SELECT ?, v FROM t) AS q (i, v) GROUP BY ROLLUP (?, v)";
    assertThat(db.rows(sql, 5, "x")).containsExactlyInAnyOrder("1", "1", "2", "2");
  }

  @Test
  void messagesNameNoFieldThatCalciteMadeUp() {
    String sql = "SELECT COUNT(*) FROM t GROUP BY y HAVING LISTAGG(v, ',') = TIME '23:59:59'";
    assertThat(db.error(sql))
        .hasMessageContaining("invalid TIME value")
        .hasMessageNotContaining("$");
  }

  @Test
  void aTextPaddedToNoLengthIsNull() {
    String sql = "SELECT i FROM t WHERE (%s(v, NULLIF(i, 1)) > 'z') IS NOT TRUE";
    assertThat(db.rows(sql.formatted("LPAD"))).containsExactly("1", "2");
    assertThat(db.rows(sql.formatted("RPAD"))).containsExactly("1", "2");
    assertThat(db.rows("SELECT LPAD('a', NULLIF(i, 1)) > 'b' FROM t"))
        .containsExactly("NULL", "FALSE");
  }

  @Test
  void rowsAreComparedValueByValueWhateverTheirTypes() {
    assertThat(db.rows("SELECT i FROM t WHERE NOT (1, NULL) = ('2', v)")).hasSize(2);
    assertThat(db.rows("SELECT i FROM t WHERE (NULL, i) < (v, '2')")).isEmpty();
    assertThat(db.rows("SELECT i FROM t WHERE (i, v) >= ('2', 'a')")).isEmpty();
    assertThat(db.rows("SELECT i FROM t WHERE (i, v) >= ('2', '12')")).containsExactly("2");
    assertThat(db.rows("SELECT i FROM t WHERE (i, 5) <> ('1', NULL)")).containsExactly("2");
    assertThat(db.rows("SELECT i FROM t WHERE (i, 5) IS DISTINCT FROM ('1', '5')"))
        .containsExactly("2");
  }

  @Test
  void aListOfSeveralTypesBesideAny() {
    assertThat(db.rows("SELECT i FROM t WHERE i <> SOME ('1', 1.0, i)")).containsExactly("2");
    assertThat(db.rows("SELECT i FROM t WHERE i >= ALL ('1', 1.5e0, NULLIF(i, 2))")).isEmpty();
    assertThat(db.rows("SELECT i FROM t WHERE i > SOME ('1', NULL)")).containsExactly("2");
    assertThat(db.state("SELECT i FROM t WHERE v <> SOME (TRUE, v)")).isEqualTo("22018");
  }

  @Test
  void rowsOfOneFieldWithoutAMatchStayAsManyAsTheyAre() {
    try (EndToEnd own = new EndToEnd()) {
      own.script(
          "CREATE TABLE a (i INTEGER)",
          "CREATE TABLE b (v INTEGER)",
          "INSERT INTO a VALUES (10)",
          "INSERT INTO b VALUES (5), (5), (NULL), (NULL), (70000), (70000)");
      assertThat(own.rows("SELECT v FROM a RIGHT JOIN b ON a.i < b.v"))
          .containsExactlyInAnyOrder("5", "5", "NULL", "NULL", "70000", "70000");
      assertThat(own.rows("SELECT v FROM a FULL JOIN b ON a.i > b.v + 100"))
          .containsExactlyInAnyOrder("5", "5", "NULL", "NULL", "70000", "70000", "NULL");
      assertThat(own.rows("SELECT ATAN(a.i) FROM a RIGHT JOIN b ON a.i > 100")).hasSize(6);
      assertThat(own.rows("SELECT COUNT(*) FROM a FULL JOIN b ON FALSE")).containsExactly("7");
    }
  }

  @Test
  void aCastToFewerCharactersIsNotLostInOneToMore() {
    try (EndToEnd own = new EndToEnd()) {
      own.script("CREATE TABLE w (w VARCHAR)", "INSERT INTO w VALUES ('x y z'), ('12')");
      String inner = "CAST(w AS VARCHAR(3))";
      assertThat(own.rows("SELECT CAST(%s AS VARCHAR) FROM w".formatted(inner)))
          .containsExactly("x y", "12");
      assertThat(own.rows("SELECT INITCAP(CAST(%s AS VARCHAR(9))) FROM w".formatted(inner)))
          .containsExactly("X Y", "12");
      assertThat(
              own.rows("SELECT CAST(x AS VARCHAR) FROM (SELECT %s AS x FROM w) q".formatted(inner)))
          .containsExactly("x y", "12");
      assertThat(own.rows("SELECT w FROM w WHERE %s = 'x y'".formatted(inner)))
          .containsExactly("x y z");
    }
  }

  @Test
  @Timeout(60)
  void planningEndsWhereABridgesLeafNeedsTheBridge() {
    assertThat(db.state("SELECT STRING_AGG(v, ',' ORDER BY MULTISET[i]) FROM t"))
        .isEqualTo("0A000");
  }

  @Test
  void boundsOfBetweenAreOfOneKindBesideNullToo() {
    assertThat(db.state("SELECT COALESCE(NULL, i BETWEEN NULL AND TRUE) FROM t"))
        .isEqualTo("42804");
    assertThat(
            db.state("SELECT CASE WHEN i = 1 THEN i BETWEEN NULL AND DATE '2020-01-01' END FROM t"))
        .isEqualTo("42804");
  }

  @Test
  void aNumberAndATimeHaveNoCommonType() {
    for (String sql :
        new String[] {
          "SELECT i FROM t EXCEPT SELECT TIME '01:02:03' FROM t",
          "SELECT TIMESTAMP '2001-02-03 04:05:06' FROM t INTERSECT ALL SELECT i FROM t",
          "VALUES (1), (TIME '01:02:03')",
          "SELECT CASE WHEN i = 1 THEN i ELSE DATE '2001-02-03' END FROM t",
          "SELECT COALESCE(i, TIME '01:02:03') FROM t"
        }) {
      assertThat(db.state(sql)).as(sql).isEqualTo("42804");
    }
  }

  @Test
  void aNumberBeyondDoubleIsOutOfRangeWhereverItStands() {
    assertThat(db.state("SELECT SUM(1e400) FILTER (WHERE i = 1) FROM t")).isEqualTo("22003");
    assertThat(
            db.state("SELECT LISTAGG(v, ',') WITHIN GROUP (ORDER BY LPAD(v, 1e400, NULL)) FROM t"))
        .isEqualTo("22003");
  }

  @Test
  void aDecadeThatBeginsBeforeTheFirstYearIsOutOfRange() {
    assertThat(db.state("SELECT FLOOR(DATE '0001-01-01' TO DECADE)")).isEqualTo("22008");
    assertThat(db.state("SELECT FLOOR(TIMESTAMP '0009-01-01 00:00:00' TO DECADE)"))
        .isEqualTo("22008");
    assertThat(db.rows("SELECT CEIL(DATE '0001-02-01' TO DECADE)")).containsExactly("0010-01-01");
  }

  @Test
  void aParameterIsNoRow() {
    assertThat(db.state("SELECT i FROM t WHERE ? IN (SELECT * FROM t)", 1)).isEqualTo("42804");
    assertThat(db.state("SELECT ? = ANY (SELECT i, v FROM t) FROM t", 1)).isEqualTo("42804");
    assertThat(db.rows("SELECT i FROM t WHERE ? IN (SELECT i FROM t) ORDER BY i", 2))
        .containsExactly("1", "2");
  }

  @Test
  void aDateAndAnIntervalHaveNoCommonType() {
    for (String sql :
        new String[] {
          "VALUES (DATE '2001-02-03'), (INTERVAL '3' DAY)",
          "VALUES (INTERVAL '3' MONTH), (TIME '01:02:03')",
          "SELECT DATE '2001-02-03' FROM t UNION ALL SELECT INTERVAL '3' DAY FROM t",
          "SELECT CASE WHEN i = 1 THEN TIME '01:02:03' ELSE INTERVAL '3' DAY END FROM t",
          "SELECT COALESCE(TIMESTAMP '2001-02-03 04:05:06', INTERVAL '3' DAY) FROM t"
        }) {
      assertThat(db.state(sql)).as(sql).isEqualTo("42804");
    }
    assertThat(db.rows("SELECT DATE '2001-02-03' + INTERVAL '3' DAY FROM t WHERE i = 1"))
        .containsExactly("2001-02-06");
  }

  @Test
  void messagesNameNoClassAndNoRecord() {
    assertThat(db.error("SELECT 1 FROM t WHERE v LIKE 'a' ESCAPE '!' LIKE 'b' ESCAPE '!'"))
        .hasMessageContaining("misplaced ESCAPE")
        .hasMessageNotContaining("org.");
    assertThat(db.error("SELECT EXISTS (SELECT MULTISET[.5] FROM t) FROM t"))
        .hasMessageNotContaining("Record");
  }

  @Test
  void theSumOfUntypedNullsByGroupIsNull() {
    for (String sum : new String[] {"SUM(NULL)", "SUM(DISTINCT NULL)", "VARIANCE(NULL)"}) {
      assertThat(db.rows("SELECT " + sum + " FROM t GROUP BY i")).containsExactly("NULL", "NULL");
    }
    String nested = "SELECT 1 FROM (SELECT SUM(NULL), COUNT(v) FROM t GROUP BY i) AS q (n, c), t";
    assertThat(db.rows(nested)).containsExactly("1", "1", "1", "1");
  }

  @Test
  void aTextAsBytesIsReadAsBytes() {
    assertThat(db.rows("SELECT CAST(CAST(v AS VARBINARY) AS VARCHAR) FROM t"))
        .containsExactly("616263", "3132");
  }

  @Test
  void anyAndAllOfAQueryCompareInOneTypeAsInDoes() {
    String[] queries = {
      "SELECT '1' UNION ALL SELECT '9'",
      "SELECT i + 8 FROM t UNION SELECT '1'",
      "VALUES '1', '9'",
      "WITH q AS (SELECT '1' AS n) SELECT n FROM q",
      "WITH q AS (SELECT v FROM t WHERE i = 2) SELECT REPLACE(v, '2', '') FROM q"
    };
    for (String query : queries) {
      String where = "SELECT i FROM t WHERE i %s (" + query + ")";
      assertThat(db.rows(where.formatted("IN"))).as(query).containsExactly("1");
      assertThat(db.rows(where.formatted("= ANY"))).as(query).containsExactly("1");
      assertThat(db.rows(where.formatted("<> ALL"))).as(query).containsExactly("2");
      assertThat(db.rows(where.formatted(">= ALL (SELECT '1') AND i = ANY")))
          .as(query)
          .containsExactly("1");
    }
    assertThat(db.rows("SELECT i FROM t WHERE i < ANY (SELECT i FROM t UNION SELECT '10')"))
        .containsExactly("1", "2");
    assertThat(db.state("SELECT i FROM t WHERE i < ANY (SELECT i FROM t UNION SELECT v FROM t)"))
        .isEqualTo("22018");
  }

  /** An OR compares on the host, a lone comparison and a list of constants in a kernel. */
  @Test
  void aCastThatCutsCountsInAComparison() {
    String cut = "CAST(v AS VARCHAR(1))";
    String[] conditions = {
      cut + " = 'a'",
      "'a' = " + cut,
      cut + " = CAST('abc' AS VARCHAR(1))",
      "CAST(v AS CHAR(1)) = 'a'",
      "NOT " + cut + " <> 'a'",
      cut + " IN ('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o')",
      cut + " = 'a' OR UPPER(v) = 'Z' || i",
      cut + " IN (SELECT 'a' FROM t)",
      "CAST(CAST(v AS VARBINARY) AS VARCHAR) = '616263'"
    };
    for (String condition : conditions) {
      assertThat(db.rows("SELECT i FROM t WHERE " + condition)).as(condition).containsExactly("1");
    }
    assertThat(db.rows("SELECT i FROM t WHERE CAST(y AS VARCHAR) = '00'")).containsExactly("1");
    assertThat(db.rows("SELECT i FROM t WHERE " + cut + " = ?", "a")).containsExactly("1");
  }

  @Test
  void bytesBesideATextCompareWithItsBytes() {
    String[] conditions = {
      "CAST(v AS VARBINARY) = v",
      "CAST(v AS VARBINARY) <= v",
      "v BETWEEN CAST(v AS VARBINARY) AND v",
      "CAST(v AS VARBINARY) IN (v, 'z')",
      "CAST(v AS VARBINARY) IN (SELECT v FROM t)",
      "v IN (SELECT CAST(v AS VARBINARY) FROM t)",
      "CAST(v AS VARBINARY) IN (SELECT v FROM t UNION ALL SELECT 'x')"
    };
    for (String condition : conditions) {
      assertThat(db.rows("SELECT i FROM t WHERE " + condition))
          .as(condition)
          .containsExactly("1", "2");
    }
    assertThat(db.rows("SELECT i FROM t WHERE CAST(v AS VARBINARY) = 'abc'")).containsExactly("1");
    assertThat(db.rows("SELECT i FROM t WHERE X'616263' = v")).containsExactly("1");
    assertThat(db.rows("SELECT i FROM t WHERE y < '1'")).containsExactly("1");
  }

  @Test
  void textsThatAQueryChoosesByTheirValueAreNotReadAsNumbers() {
    String[] queries = {
      "SELECT '01' EXCEPT SELECT '1'",
      "SELECT '01' INTERSECT SELECT '01'",
      "SELECT n FROM (VALUES '10', '9') AS q (n) ORDER BY n LIMIT 1",
      "VALUES '10', '9' ORDER BY 1 LIMIT 1"
    };
    for (String query : queries) {
      for (String operator : new String[] {"IN", "= ANY", "<> ALL"}) {
        String sql = "SELECT i FROM t WHERE i " + operator + " (" + query + ")";
        assertThat(db.state(sql)).as(sql).isEqualTo("0A000");
        assertThat(db.error(sql)).hasMessageContaining("compared as");
      }
    }
    assertThat(
            db.rows(
                "SELECT i FROM t WHERE i IN (SELECT CAST(n AS INT) FROM ("
                    + queries[0]
                    + ") AS q (n))"))
        .containsExactly("1");
    assertThat(db.rows("SELECT i FROM t WHERE i IN (SELECT '1' LIMIT 1)")).containsExactly("1");
  }

  @Test
  void aComparisonWithAConstantNullLeavesTheOtherTermsOfOr() {
    String[] conditions = {
      "i <> CASE WHEN FALSE THEN 1 END OR i <> 5",
      "i <> NULLIF(1, 1) OR i <> 5",
      "i <> ANY (CASE WHEN FALSE THEN 1 END, 5)",
      "v <> TRIM(NULL) OR v <> 'z'",
      "NOT (i = NULLIF(1, 1) AND i = 5)"
    };
    assertHoldForBothRows(conditions);
    assertThat(db.rows("SELECT i = NULLIF(1, 1) FROM t")).containsExactly("NULL", "NULL");
  }

  @Test
  void membershipAmongRowsWithNullMayBeUnknown() {
    String none = "(SELECT NULLIF(i, i) FROM t)";
    String[] conditions = {
      "(3 IN " + none + ") IS NOT TRUE",
      "(3 IN " + none + ") IS NOT FALSE",
      "(3 NOT IN " + none + ") IS NOT TRUE",
      "(3 NOT IN " + none + ") IS NOT FALSE",
      "(TRUE = ANY (SELECT NULL FROM t)) IS NOT TRUE",
      "(3 IN " + none + ") IS NULL",
      "((1, 3) IN (SELECT i, NULLIF(i, i) FROM t)) IS NOT FALSE",
      "CASE WHEN 3 IN " + none + " THEN FALSE ELSE TRUE END"
    };
    assertHoldForBothRows(conditions);
  }

  @Test
  void aTextAmongNumbersAndNullIsANumber() {
    assertThat(db.rows("SELECT '1.0' IN (i, NULL), '1.0' >= ANY (NULL, i) FROM t WHERE i = 1"))
        .containsExactly("TRUE|TRUE");
    assertThat(db.rows("SELECT '12' IN (i, 0.5) FROM (SELECT NULLIF(i, 1) AS i FROM t) AS q"))
        .containsExactly("NULL", "FALSE");
    assertThat(db.rows("SELECT 'TRUE' IN (i > 0, NULL) FROM t")).containsExactly("TRUE", "TRUE");
  }

  @Test
  void aParameterIsLookedForInAList() {
    assertThat(db.rows("SELECT i FROM t WHERE ? IN (i, NULL)", 2)).containsExactly("2");
    assertThat(db.rows("SELECT i FROM t WHERE ? = ANY (i, 7)", 2)).containsExactly("2");
    assertThat(db.rows("SELECT i FROM t WHERE ? IN (?, NULL)", "a", "a")).containsExactly("1", "2");
  }

  @Test
  void bytesAreTheirDigitsAtTheLengthOfTheType() {
    String query = "SELECT '[' || CAST(y AS CHAR(4)) || CAST(y AS VARCHAR(1)) || ']' FROM t";
    assertThat(db.rows(query)).containsExactly("[00  0]", "NULL");
    assertThat(db.bridgeRows(query)).containsExactly("[00  0]", "NULL");
  }

  @Test
  void digitsDoNotGetLostInATextThatIsTooShort() {
    String[] casts = {
      "CAST(i + 1000 AS CHAR(2))",
      "CAST(i + 1000 AS VARCHAR(2))",
      "CAST(i * 0.125 AS VARCHAR(2))",
      "CAST(CAST(i AS DOUBLE) AS CHAR(2))",
      "CAST(i > 0 AS VARCHAR(2))",
      "CAST(DATE '2020-01-01' AS VARCHAR(2))"
    };
    for (String cast : casts) {
      String query = "SELECT " + cast + " FROM t";
      assertThat(db.state(query)).as(cast).isEqualTo("22001");
      assertThatThrownBy(() -> db.bridgeRows(query))
          .as(cast)
          .hasMessageContaining("is longer than 2 characters");
    }
  }

  @Test
  void theTextOfANumberIsThatOfItsType() {
    String[] queries = {
      "SELECT CAST(CAST(i AS DOUBLE) AS VARCHAR(9)), CAST(CAST(i AS DECIMAL(5, 2)) AS CHAR(4)) FROM t",
      "SELECT '' || x, CAST(y AS VARCHAR(9))"
          + " FROM (SELECT CAST(i AS DOUBLE), CAST(i AS DECIMAL(5, 2)) FROM t) AS q (x, y)"
    };
    for (String query : queries) {
      assertThat(db.rows(query)).as(query).containsExactly("1.0|1.00", "2.0|2.00");
      assertThat(db.bridgeRows(query)).as(query).containsExactly("1.0|1.00", "2.0|2.00");
    }
    assertThat(db.rows("SELECT CAST(CAST(CAST(i + 0.1 AS REAL) AS DOUBLE) AS VARCHAR) FROM t"))
        .containsExactly("1.100000023841858", "2.0999999046325684");
    String insert = "INSERT INTO t (i, v) SELECT 9, CAST(i AS DOUBLE) FROM t WHERE i = 1";
    assertThat(db.rowsAfter(insert, "SELECT v FROM t WHERE i = 9")).containsExactly("1.0");
  }

  @Test
  void aParameterThatIsNullIsNoValueOfAGroup() {
    Object[] none = {null, null, null};
    assertThat(
            db.rows(
                "SELECT i, COUNT(?), MIN(CAST(? AS INTEGER)), SUM(CAST(? AS DOUBLE)) FROM t"
                    + " GROUP BY i",
                none))
        .containsExactlyInAnyOrder("1|0|NULL|NULL", "2|0|NULL|NULL");
    assertThat(db.rows("SELECT i, MIN(?) FROM t GROUP BY i", (Object) null))
        .containsExactlyInAnyOrder("1|NULL", "2|NULL");
    String order = "SELECT i FROM t ORDER BY CASE WHEN i = 2 THEN CAST(? AS BIGINT) ELSE i END";
    assertThat(db.rows(order + " NULLS FIRST", (Object) null)).containsExactly("2", "1");
    assertThat(db.rows(order + " NULLS LAST", (Object) null)).containsExactly("1", "2");
  }

  @Test
  void anAssignedNumberIsThatOfTheCast() {
    String cast = "CAST(CAST(2147483647 AS REAL) AS DECIMAL(18, 0))";
    String create = "CREATE TABLE m (a DECIMAL(18, 0), b DECIMAL(8, 3))";
    db.script(create, "INSERT INTO m VALUES (CAST(2147483647 AS REAL), 1.0005E0)");
    assertThat(db.rows("SELECT a, b FROM m"))
        .isEqualTo(db.rows("SELECT " + cast + ", CAST(1.0005E0 AS DECIMAL(8, 3))"))
        .containsExactly("2147483648|1.000");
    db.script("UPDATE m SET a = CAST(2147483647 AS REAL), b = a / 2E9");
    assertThat(db.rows("SELECT a, b FROM m")).containsExactly("2147483648|1.074");
  }

  @Test
  void aParameterThatAnExpressionDoesWithoutIsCounted() {
    String insert = "INSERT INTO t (i, v) VALUES (CASE WHEN TRUE THEN 9 ELSE ? END, ?)";
    assertThat(db.rowsAfter(insert, "SELECT v FROM t WHERE i = 9", 1, "x")).containsExactly("x");
  }

  private static void assertHoldForBothRows(String... conditions) {
    for (String condition : conditions) {
      assertThat(db.rows("SELECT " + condition + " FROM t"))
          .as(condition)
          .containsExactly("TRUE", "TRUE");
      assertThat(db.rows("SELECT i FROM t WHERE " + condition))
          .as(condition)
          .containsExactly("1", "2");
    }
  }
}
