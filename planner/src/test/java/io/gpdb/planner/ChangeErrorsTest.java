package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChangeErrorsTest {
  private EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTable() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, n INT NOT NULL, sm SMALLINT, p DECIMAL(6, 2),"
            + " v VARCHAR(3), vb VARBINARY(2), b BIGINT, UNIQUE (b, v))",
        "INSERT INTO t (id, n, v, b) VALUES (1, 10, 'a', 1), (2, 20, 'b', 1), (3, 30, NULL, 1)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void assertError(String state, String sql, String... parts) {
    GpdbException error = db.error(sql);
    assertThat(error.code().sqlState()).as("%s: %s", sql, error.getMessage()).isEqualTo(state);
    for (String part : parts) {
      assertThat(error.getMessage()).contains(part);
    }
  }

  @Test
  void aStringThatIsTooLongNamesColumnAndRow() {
    assertError(
        "22001",
        "INSERT INTO t (id, n, v) VALUES (8, 1, 'abc'), (9, 1, 'abcd')",
        "'abcd'",
        "V",
        "row 2");
    assertError("22001", "INSERT INTO t (id, n, vb) VALUES (9, 1, X'010203')", "010203", "VB");
    assertError("22001", "UPDATE t SET v = 'abcd' WHERE id = 1", "V");
    assertError("22001", "UPDATE t SET v = v || 'xyz'", "V", "row 1");
    assertError("22001", "INSERT INTO t (id, n, v) SELECT id + 10, n, v || 'xyz' FROM t", "V");
    assertThat(db.run("INSERT INTO t (id, n, v) VALUES (9, 1, 'abc   ')")).isEqualTo(1);
    assertThat(db.rows("SELECT v FROM t WHERE id = 9")).containsExactly("abc");
  }

  @Test
  void longValuesAreCutInMessages() {
    db.script(
        "CREATE TABLE long (k VARCHAR PRIMARY KEY)",
        "INSERT INTO long VALUES (REPEAT('k', 6000))",
        "CREATE TABLE child (k VARCHAR REFERENCES long)");
    for (String sql :
        List.of(
            "INSERT INTO long VALUES (REPEAT('k', 6000))",
            "INSERT INTO long SELECT k FROM long",
            "INSERT INTO child VALUES (REPEAT('n', 6000))",
            "INSERT INTO t (id, n, v) VALUES (8, 1, REPEAT('n', 6000))")) {
      assertThat(db.error(sql).getMessage()).as(sql).contains("…").hasSizeLessThan(400);
    }
  }

  @Test
  void aNumberOutOfRangeNamesColumnAndRow() {
    assertError("22003", "INSERT INTO t (id, n, sm) VALUES (9, 1, 32768)", "32768", "SM", "row 1");
    assertError("22003", "INSERT INTO t (id, n, p) VALUES (9, 1, 9999.995)", "9999.995", "P");
    assertError("22003", "UPDATE t SET sm = n * 10000 WHERE n > 10", "SM");
    assertError("22003", "UPDATE t SET p = 12345 WHERE id = 2", "12345", "P");
    assertError("22003", "UPDATE t SET n = n + 2147483640");
    db.run("UPDATE t SET p = 9999.994 WHERE id = 2");
    assertThat(db.rows("SELECT p FROM t WHERE id = 2")).containsExactly("9999.99");
  }

  @Test
  void divisionByZeroFails() {
    assertError("22012", "SELECT n / (id - 2) FROM t");
    assertError("22012", "UPDATE t SET n = n / 0");
    assertError("22012", "INSERT INTO t VALUES (9, 1 / 0, 1, 1, 'a', NULL, 1)");
    assertError("22012", "SELECT id FROM t WHERE MOD(n, id - 2) = 0");
    assertThat(db.rows("SELECT id FROM t WHERE id <> 2 AND n / (id - 2) = 30"))
        .containsExactly("3");
  }

  @Test
  void nullInANotNullColumnNamesColumnAndRow() {
    assertError("23502", "INSERT INTO t (id, n) VALUES (8, 1), (9, NULL)", "N", "row 2");
    assertError("23502", "INSERT INTO t (id) VALUES (9)", "N");
    assertError("23502", "INSERT INTO t (id, n) SELECT NULLIF(id, 2), n FROM t", "ID");
    assertError("23502", "UPDATE t SET n = NULL WHERE id = 1", "N");
    assertError("23502", "UPDATE t SET n = NULLIF(n, 20)", "N");
    assertError("23502", "UPDATE t SET n = NULL", "N");
  }

  @Test
  void aDuplicateKeyNamesKeyColumnsValuesAndRow() {
    assertError(
        "23505", "INSERT INTO t (id, n) VALUES (7, 1), (1, 1)", "T_PKEY", "ID", "1", "row 2");
    assertError("23505", "INSERT INTO t (id, n) VALUES (7, 1), (8, 1), (7, 1)", "T_PKEY", "row 3");
    assertError("23505", "INSERT INTO t (id, n, v, b) VALUES (7, 1, 'b', 1)", "B, V", "(1, b)");
    assertError("23505", "UPDATE t SET id = 3 WHERE n = 10", "ID");
    assertError("23505", "UPDATE t SET id = 3 WHERE id = 1", "ID");
    assertError("23505", "INSERT INTO t (id, n) SELECT MOD(id, 2) + 10, n FROM t", "T_PKEY");
    assertThat(db.run("INSERT INTO t (id, n, v, b) VALUES (7, 1, NULL, 1), (8, 1, NULL, 1)"))
        .isEqualTo(2);
  }

  @Test
  void keysMayMoveThroughEachOtherInOneUpdate() {
    assertThat(db.run("UPDATE t SET id = id + 1")).isEqualTo(3);
    assertThat(db.rows("SELECT id, n FROM t ORDER BY id")).containsExactly("2|10", "3|20", "4|30");
    assertThat(db.run("UPDATE t SET id = 6 - id")).isEqualTo(3);
    assertThat(db.rows("SELECT n FROM t WHERE id = 4")).containsExactly("10");
    assertThat(db.rows("SELECT n FROM t WHERE id = 2")).containsExactly("30");
  }

  @Test
  void aStatementThatFailsLeavesNothingBehindAndTheTransactionGoesOn() {
    Transaction tx = db.begin();
    db.run(tx, "INSERT INTO t (id, n) VALUES (50, 1)");
    List<String> before = db.rows(tx, "SELECT * FROM t");
    for (String sql :
        List.of(
            "INSERT INTO t (id, n) VALUES (60, 1), (61, NULL)",
            "INSERT INTO t (id, n) VALUES (60, 1), (50, 1)",
            "INSERT INTO t (id, n, v) SELECT id + 100, n, v || 'xyz' FROM t",
            "INSERT INTO t (id, n) SELECT 100 / (3 - id), n FROM t",
            "UPDATE t SET n = 100 / (id - 3)",
            "UPDATE t SET id = 1",
            "UPDATE t SET v = 'long', n = 0 WHERE id = 2",
            "DELETE FROM t WHERE 1 / (id - 3) = 5")) {
      assertThatThrownBy(() -> db.run(tx, sql)).as(sql).isInstanceOf(GpdbException.class);
      assertThat(db.rows(tx, "SELECT * FROM t")).as(sql).isEqualTo(before);
    }
    tx.commit();
    assertThat(db.rows("SELECT * FROM t")).isEqualTo(before);
    assertThat(db.rows("SELECT n FROM t WHERE id = 60")).isEmpty();
  }

  @Test
  void aBatchThatFailsLeavesNothingBehind() {
    List<@Nullable Object[]> rows =
        List.of(new Object[] {70, 1}, new Object[] {71, 1}, new Object[] {70, 1});
    assertThatThrownBy(() -> db.batch("INSERT INTO t (id, n) VALUES (?, ?)", rows))
        .isInstanceOfSatisfying(
            GpdbException.class,
            e -> {
              assertThat(e.code()).isEqualTo(SqlCondition.DUPLICATE_KEY);
              assertThat(e.getMessage()).contains("(70)", "row 3");
            });
    List<@Nullable Object[]> changes =
        List.of(new Object[] {1, 1}, new @Nullable Object[] {null, 2});
    assertThatThrownBy(() -> db.batch("UPDATE t SET n = ? WHERE id = ?", changes))
        .isInstanceOfSatisfying(
            GpdbException.class, e -> assertThat(e.getMessage()).contains("N", "row 2"));
    assertThat(db.rows("SELECT id, n FROM t")).containsExactly("1|10", "2|20", "3|30");
  }

  @Test
  void unknownNamesAndTypesAreTheUsersErrors() {
    assertError("42S02", "SELECT * FROM nowhere", "NOWHERE");
    assertError("42S22", "SELECT nothing FROM t", "NOTHING");
    assertError("42601", "SELECT FROM WHERE");
    assertError("42S01", "CREATE TABLE t (id INT)", "T");
    assertError("21000", "SELECT (SELECT id FROM t) FROM t");
  }
}
