package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The columns of a recursive query hold the rows of all its members. */
class RecursiveQueriesTest {
  private static TestDatabase database;

  @BeforeAll
  static void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE p (id INTEGER PRIMARY KEY, parent INTEGER, name VARCHAR(10))",
            "INSERT INTO p VALUES (1, NULL, 'a'), (2, 1, 'b'), (3, 2, 'c')",
            "CREATE TABLE short (s VARCHAR(3))");
  }

  @AfterAll
  static void close() throws SQLException {
    database.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      textBlock =
          """
          'a'; s || 'b'; a, ab, abb, abbb
          CAST('a' AS CHAR(3)); s || 'b'; a  , a  b, a  bb, a  bbb
          CAST('a' AS CHAR(3)); CASE WHEN s = 'a' THEN CAST('b' AS CHAR(4)) ELSE 'cccc' END; a   , b   , cccc, cccc
          CAST('a' AS VARCHAR(1)); 'bc' || s; a, bca, bcbca, bcbcbca
          1; s + CAST(3000000000 AS BIGINT); 1, 3000000001, 6000000001, 9000000001
          1; s + 0.5; 1.0, 1.5, 2.0, 2.5
          1; s + CAST(0.5 AS DOUBLE); 1.0, 1.5, 2.0, 2.5
          CAST(1 AS SMALLINT); s * 1000; 1, 1000, 1000000, 1000000000
          CAST(9 AS DECIMAL(1)); s * 10; 9, 90, 900, 9000
          CAST(1 AS DECIMAL(2, 1)); s * 1.25; 1.00000000000000000000000, 1.25000000000000000000000, 1.56250000000000000000000, 1.95312500000000000000000
          NULL; COALESCE(s, 0) + 1; null, 1, 2, 3
          NULL; COALESCE(s, '') || 'x'; null, x, xx, xxx
          NULL; COALESCE(s + 1, 10000000000); null, 10000000000, 10000000001, 10000000002
          NULL; COALESCE(2 * s, 10000000000); null, 10000000000, 20000000000, 40000000000
          NULL; COALESCE(s + 1 - 1, 10000000000); null, 10000000000, 10000000000, 10000000000
          NULL; CAST(COALESCE(s + CAST(1 AS DOUBLE), 9000000000) / 1e9 AS INTEGER); null, 9, 0, 0
          NULL; COALESCE(s + s, 5); null, 5, 10, 20
          NULL; COALESCE(s - 0.5, 10000000000); null, 10000000000.0, 9999999999.5, 9999999999.0
          NULL; COALESCE(MOD(s, 7), 10000000000); null, 10000000000, 4, 4
          NULL; COALESCE(-s, 10000000000); null, 10000000000, -10000000000, 10000000000
          1; NULLIF(s + 1, 3); 1, 2, null, null
          1; CASE WHEN s IS NULL THEN 7 END; 1, null, 7, null
          1; CAST(s AS VARCHAR(9)) || 'a'; 1, 1a, 1aa, 1aaa
          DATE '2020-02-28'; s + INTERVAL '1' DAY; 2020-02-28, 2020-02-29, 2020-03-01, 2020-03-02
          DATE '2020-02-28'; TIMESTAMP '2020-03-01 10:00:00'; 2020-02-28 00:00:00, 2020-03-01 10:00:00, 2020-03-01 10:00:00, 2020-03-01 10:00:00
          TIME '22:00:00'; s + INTERVAL '1' HOUR; 22:00:00, 23:00:00, 00:00:00, 01:00:00
          X'ab'; s || X'cd'; ab, abcd, abcdcd, abcdcdcd
          true; NULL; TRUE, null, null, null
          """)
  void columnsAreAsWideAsTheirMembers(String seed, String step, String expected)
      throws SQLException {
    List<String> rows =
        database.rows(
            "WITH RECURSIVE t(n, s) AS (SELECT 1, "
                + seed
                + " UNION ALL SELECT n + 1, "
                + step
                + " FROM t WHERE n < 4) SELECT '[' || CAST(s AS VARCHAR) || ']' FROM t ORDER BY n");
    List<String> wanted =
        List.of(expected.split(", ", -1)).stream()
            .map(s -> s.equals("null") ? s : "[" + s + "]")
            .toList();
    assertThat(rows).isEqualTo(wanted);
  }

  private void assertRows(String sql, String... rows) throws SQLException {
    assertThat(database.rows(sql)).containsExactly(rows);
  }

  @Test
  void aPathGrows() throws SQLException {
    assertRows(
        "WITH RECURSIVE t(id, path) AS (SELECT id, name FROM p WHERE parent IS NULL UNION ALL"
            + " SELECT p.id, t.path || '>' || p.name FROM p JOIN t ON p.parent = t.id)"
            + " SELECT * FROM t",
        "1|a",
        "2|a>b",
        "3|a>b>c");
  }

  @Test
  void typesMoveFromColumnToColumn() throws SQLException {
    assertRows(
        "WITH RECURSIVE t(a, b, c, n) AS (SELECT 'x', 'y', 1, 1 UNION ALL"
            + " SELECT b, b || c, c + 0.5, n + 1 FROM t WHERE n < 4) SELECT * FROM t",
        "x|y|1.0|1",
        "y|y1.0|1.5|2",
        "y1.0|y1.01.5|2.0|3",
        "y1.01.5|y1.01.52.0|2.5|4");
  }

  @Test
  void equalRowsAreOneInTheWiderType() throws SQLException {
    assertRows(
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION SELECT MOD(n + 1, 3) + 0.0 FROM t)"
            + " SELECT n FROM t ORDER BY n",
        "0.0",
        "1.0",
        "2.0");
    assertRows(
        "WITH RECURSIVE t(n) AS (SELECT CAST(0 AS DOUBLE) UNION SELECT -n FROM t) SELECT n FROM t",
        "0.0");
  }

  @Test
  void severalMembersMayRefer() throws SQLException {
    String step = " SELECT n || 'b' FROM t WHERE n LIKE '_'";
    assertRows(
        "WITH RECURSIVE t(n) AS (SELECT 'a' UNION ALL"
            + step
            + " UNION ALL SELECT n || 'cc' FROM t WHERE n LIKE '__' UNION ALL SELECT 'ddd')"
            + " SELECT n FROM t ORDER BY n",
        "a",
        "ab",
        "abcc",
        "ddd");
    assertThatThrownBy(
            () ->
                database.rows(
                    "WITH RECURSIVE t(n) AS (SELECT 'a' UNION ALL"
                        + step
                        + " UNION SELECT n FROM t) SELECT n FROM t"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("0A000"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT m + 1 FROM (SELECT DISTINCT n AS m FROM t) AS x WHERE m < 4",
        "SELECT MAX(n) + 1 FROM t WHERE n < 4 HAVING COUNT(*) > 0",
        "SELECT n + 1 FROM t WHERE n < 4 GROUP BY n",
        "SELECT n + 1 FROM (SELECT n FROM t ORDER BY n LIMIT 1) AS x WHERE n < 4",
        "SELECT n + 1 FROM (SELECT n FROM t INTERSECT SELECT n FROM t) AS x WHERE n < 4",
        "SELECT n + 1 FROM (SELECT n FROM t EXCEPT SELECT 4) AS x",
        "SELECT n + 1 FROM (SELECT n, ROW_NUMBER() OVER (ORDER BY n) FROM t) AS x WHERE n < 4",
        "SELECT t.n + 1 FROM t LEFT JOIN t AS u ON t.n = u.n WHERE t.n < 4"
      })
  void aStepMayHaveAnyOperator(String step) throws SQLException {
    assertRows(
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL " + step + ") SELECT n FROM t",
        "1",
        "2",
        "3",
        "4");
  }

  @Test
  void recursionsReadEachOther() throws SQLException {
    assertRows(
        "WITH RECURSIVE plain AS (SELECT 1 AS n EXCEPT SELECT 2),"
            + " t(n) AS (SELECT n FROM plain UNION ALL SELECT n + 0.5 FROM t WHERE n < 2),"
            + " u(s) AS (SELECT CAST(n AS VARCHAR(3)) FROM t UNION ALL"
            + " SELECT s || '!' FROM u WHERE CHAR_LENGTH(s) < 4)"
            + " SELECT * FROM u ORDER BY s",
        "1.0",
        "1.0!",
        "1.5",
        "1.5!",
        "2.0",
        "2.0!");
    assertRows(
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT m FROM (WITH RECURSIVE u(m) AS"
            + " (SELECT n + 0.25 FROM t WHERE n < 2 UNION SELECT m FROM u) SELECT m FROM u) AS v)"
            + " SELECT MAX(n) FROM t",
        "2.00");
  }

  @Test
  void recursionsMayBeAnywhere() throws SQLException {
    String recursion =
        "WITH RECURSIVE t(s) AS (SELECT name FROM p AS q WHERE q.id = %s UNION ALL"
            + " SELECT s || '!' FROM t WHERE CHAR_LENGTH(s) < 3) SELECT %s FROM t";
    assertRows(
        "SELECT id, (" + recursion.formatted("p.id", "MAX(s)") + ") FROM p ORDER BY id",
        "1|a!!",
        "2|b!!",
        "3|c!!");
    database.execute("INSERT INTO short " + recursion.formatted("1", "s"));
    database.execute("INSERT INTO short VALUES ((" + recursion.formatted("2", "MAX(s)") + "))");
    database.execute(
        "UPDATE short SET s = (" + recursion.formatted("3", "MAX(s)") + ") WHERE s = 'a'");
    assertRows("SELECT s FROM short ORDER BY s", "a!", "a!!", "b!!", "c!!");
    database.execute("CREATE TABLE made AS " + recursion.formatted("1", "s"));
    assertRows("SELECT s FROM made ORDER BY s", "a", "a!", "a!!");
  }

  @Test
  void parametersWidenToo() throws SQLException {
    try (PreparedStatement query =
        database
            .connection()
            .prepareStatement(
                "WITH RECURSIVE t(n, s) AS (SELECT CAST(? AS INTEGER), CAST(? AS VARCHAR(2)) UNION"
                    + " ALL SELECT n + ?, s || ? FROM t WHERE CHAR_LENGTH(s) < ?) SELECT n, s FROM"
                    + " t")) {
      query.setInt(1, 1);
      query.setString(2, "ab");
      query.setInt(3, 10);
      query.setString(4, "cd");
      query.setInt(5, 6);
      assertThat(TestDatabase.rows(query.executeQuery()))
          .containsExactly("1|ab", "11|abcd", "21|abcdcd");
    }
  }

  @Test
  void whatTheWidestTypeDoesNotHoldRaises22003() {
    assertThatThrownBy(
            () ->
                database.rows(
                    "WITH RECURSIVE f(n, a, b) AS (SELECT 1, CAST(0 AS DECIMAL(1)),"
                        + " CAST(1 AS DECIMAL(1)) UNION ALL SELECT n + 1, b, a + b FROM f"
                        + " WHERE n < 95) SELECT MAX(a) FROM f"))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("22003"));
  }
}
