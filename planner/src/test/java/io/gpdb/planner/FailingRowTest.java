package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.GpdbException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FailingRowTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTables() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, n INT, p DECIMAL(6, 2), v VARCHAR(10))",
        "INSERT INTO t VALUES (11, 10, 1, '1'), (12, 20, 2, 'two'), (13, 2147483647, NULL, '3'),"
            + " (14, 0, 4, 'x'), (15, 0, 9999, NULL)",
        "CREATE TABLE plain (n INT)",
        "INSERT INTO plain VALUES (1), (2), (0), (0)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void assertError(
      String state, String message, String sql, @Nullable Object... parameters) {
    GpdbException error = db.error(sql, parameters);
    assertThat(error.getMessage()).as(sql).isEqualTo(message);
    assertThat(error.code().sqlState()).isEqualTo(state);
  }

  @Test
  void aKernelThatDividesByZeroNamesTheLowestRow() {
    assertError(
        "22012",
        "division by zero in (100 / N) with N = 0: table T, row ID = 14",
        "SELECT id, 100 / n FROM t");
    assertError(
        "22012",
        "division by zero in (100 / N) with N = 0: table T, row ID = 14",
        "SELECT sum(id) FROM t WHERE 100 / n < 3");
    assertError(
        "22012",
        "division by zero in (10 / N) with N = 0: table PLAIN, row 3",
        "SELECT n, 10 / n FROM plain");
    assertError(
        "22012",
        "division by zero in (7 / N) with N = 0: table T, row ID = 14",
        "SELECT id FROM t WHERE 3 > CAST(? AS INTEGER) / n",
        7);
  }

  @Test
  void aKernelThatLeavesTheTypeNamesTheValueAndTheRow() {
    assertError(
        "22003",
        "2147483648 is out of range for INTEGER in (N + 1) with N = 2147483647: table T,"
            + " row ID = 13",
        "SELECT (n + 1) * 2 FROM t");
    assertError(
        "22003",
        "2147483648 is out of range for INTEGER in (N + 1) with N = 2147483647: table T,"
            + " row ID = 13",
        "SELECT max(n + 1) FROM t");
    assertError(
        "22003",
        "2147483648 is out of range for INTEGER in (N + 1) with N = 2147483647: table T,"
            + " row ID = 13",
        "SELECT n + 1, count(*) FROM t GROUP BY n + 1");
    assertError(
        "22003",
        "2147483648 is out of range for INTEGER in (N + 1) with N = 2147483647: table T,"
            + " row ID = 13",
        "SELECT id FROM t ORDER BY n + 1 LIMIT 2");
  }

  @Test
  void aTextThatIsNoNumberIsNamedWithItsRow() {
    assertError(
        "22018",
        "'two' is not a value of type INTEGER in CAST(V AS INTEGER) with V = 'two': table T, row ID"
            + " = 12",
        "SELECT CAST(v AS INTEGER) FROM t");
    assertError(
        "22018",
        "'x' is not a value of type INTEGER in CAST(V AS INTEGER) with V = 'x': table T, row ID ="
            + " 14",
        "SELECT CAST(v AS INTEGER) FROM t WHERE id > 12");
  }

  @Test
  void anUpdateNamesTheColumnToo() {
    assertError(
        "22012",
        "division by zero in (100 / N) with N = 0: table T, row ID = 14: for column N of table T",
        "UPDATE t SET v = 'a', n = 100 / n");
    assertError(
        "22003",
        "2147483648 is out of range for INTEGER in (N + 1) with N = 2147483647: table T,"
            + " row ID = 13: for column N of table T",
        "UPDATE t SET n = n + 1 WHERE id > 1");
    assertError(
        "22012",
        "division by zero in (100 / N) with N = 0: table T, row ID = 14",
        "DELETE FROM t WHERE 100 / n = 3");
  }

  @Test
  void anInsertOfAQueryNamesSourceRowAndTargetColumn() {
    assertError(
        "22012",
        "division by zero in (100 / N) with N = 0: table T, row ID = 14: for column N of table"
            + " PLAIN",
        "INSERT INTO plain SELECT 100 / n FROM t");
  }

  @Test
  void aValueOfAKeyedChangeNamesColumnAndRow() {
    assertError(
        "22012",
        "division by zero: for column N of table T, which is INTEGER: row 1",
        "UPDATE t SET n = 1 / n WHERE id = 14");
    assertError(
        "22012",
        "division by zero: for column N of table T, which is INTEGER: row 2",
        "INSERT INTO t (id, n) VALUES (1, 1), (2, 1 / 0)");
  }

  @Test
  void whatCannotFailForTheRowIsNotBlamed() {
    assertError(
        "22012",
        "division by zero in (N / 0) with N = 10: table T, row ID = 11",
        "SELECT CASE WHEN n = 0 THEN 1 / n ELSE n / 0 END FROM t");
    assertThat(db.rows("SELECT id FROM t WHERE n <> 0 AND 100 / n = 5")).containsExactly("12");
  }

  @Test
  void anErrorInARecursionNamesTheValuesOfItsRow() {
    assertError(
        "22012",
        "division by zero in (6 / N) with N = 0",
        "WITH RECURSIVE r (n) AS (SELECT 2 FROM t WHERE id = 11 UNION ALL"
            + " SELECT 6 / n - 3 FROM r WHERE n < 5) SELECT n FROM r");
  }

  @Test
  void anErrorBelowAWindowNamesItsRow() {
    assertError(
        "22012",
        "division by zero in (100 / N) with N = 0: table T, row ID = 14",
        "SELECT RANK() OVER (ORDER BY 100 / n), 7 / 2 FROM t");
    assertError(
        "22018",
        "'two' is not a value of type INTEGER in CAST(V AS INTEGER) with V = 'two': table T,"
            + " row ID = 12",
        "SELECT LAG(CAST(v AS INTEGER)) OVER (ORDER BY id) FROM t");
    assertError(
        "22012",
        "division by zero in (100 / N) with N = 0: table T, row ID = 14",
        "SELECT RANK() OVER (ORDER BY m) FROM (SELECT DISTINCT 100 / n AS m FROM t) AS d");
  }

  @Test
  void theHostNamesTheValuesOfTheRow() {
    assertError(
        "22003",
        "9996000599960001.00000000 is out of range for DECIMAL(18, 6) in (((P * P) * P) * P) with"
            + " P = 9999.00",
        "SELECT p * p * p * p / 3 FROM t");
  }
}
