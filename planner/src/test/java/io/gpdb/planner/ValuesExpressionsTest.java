package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ValuesExpressionsTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTable() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, at TIMESTAMP, day DATE DEFAULT CURRENT_DATE,"
            + " d DOUBLE, v VARCHAR(30) DEFAULT 'x' || LPAD('7', 3, '0'))");
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void theTimeOfTheStatementMayBeInserted() {
    db.run("INSERT INTO t (id, at) VALUES (1, CURRENT_TIMESTAMP), (2, LOCALTIMESTAMP)");
    assertThat(
            db.rows(
                "SELECT count(*), count(DISTINCT at), count(DISTINCT day) FROM t"
                    + " WHERE at > CURRENT_TIMESTAMP - INTERVAL '1' HOUR"
                    + " AND at <= CURRENT_TIMESTAMP AND day = CAST(at AS DATE)"))
        .containsExactly("2|1|1");
  }

  @Test
  void aKeyedUpdateTakesTheTimeWithoutAScan() {
    db.run("INSERT INTO t (id) VALUES (1)");
    assertThat(db.rows("EXPLAIN UPDATE t SET at = CURRENT_TIMESTAMP WHERE id = 1"))
        .first()
        .asString()
        .contains("key look-up");
    assertThat(db.run("UPDATE t SET at = CURRENT_TIMESTAMP WHERE id = 1")).isEqualTo(1);
    assertThat(
            db.rows("SELECT at <= CURRENT_TIMESTAMP, at > TIMESTAMP '2020-01-01 00:00:00' FROM t"))
        .containsExactly("TRUE|TRUE");
    assertThat(db.rows("SELECT id FROM t WHERE id = 1 AND day <= CURRENT_DATE"))
        .containsExactly("1");
  }

  @Test
  void allRowsOfABatchHaveOneTime() {
    db.batch(
        "INSERT INTO t (id, at) VALUES (?, CURRENT_TIMESTAMP)",
        List.of(new Object[] {1}, new Object[] {2}, new Object[] {3}));
    db.batch(
        "UPDATE t SET day = CURRENT_DATE, d = id + ? WHERE id = ?",
        List.of(new Object[] {7, 1}, new Object[] {5, 2}));
    assertThat(db.rows("SELECT count(*), count(DISTINCT at), max(d) FROM t"))
        .containsExactly("3|1|8.0");
  }

  @Test
  void whatTheHostLacksIsComputedByTheBridge() {
    db.run("INSERT INTO t (id, d) VALUES (1, POWER(2, 10)), (2, EXP(0) + LOG10(100))");
    db.run("INSERT INTO t (id, v) VALUES (?, REPEAT(?, 2) || 'é')", 3, "ab");
    db.batch(
        "INSERT INTO t (id, v, d) VALUES (?, REVERSE(?), SQRT(?) + FLOOR(POWER(?, 2)))",
        List.of(new Object[] {4, "abc", 4, 3}, new Object[] {5, "xyz", 9, 2}));
    assertThat(db.rows("SELECT id, d, v FROM t ORDER BY id"))
        .containsExactly("1|1024.0|x007", "2|3.0|x007", "3|NULL|ababé", "4|11.0|cba", "5|7.0|zyx");
  }

  @Test
  void aValueMayBeAQuery() {
    db.run("INSERT INTO t (id, d) VALUES (1, 5)");
    db.run("INSERT INTO t (id, d) VALUES ((SELECT max(id) + 1 FROM t), ? * 2)", 8);
    assertThat(db.rows("SELECT id, d FROM t ORDER BY id")).containsExactly("1|5.0", "2|16.0");
  }
}
