package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Transaction;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyedStatementsTest {
  private final EndToEnd db = new EndToEnd();

  @AfterEach
  void close() {
    db.close();
  }

  private static List<@Nullable Object[]> rows(Object[]... rows) {
    return List.of(rows);
  }

  private static Object[] row(Object... values) {
    return values;
  }

  @Test
  void aCompositeKeyOfNumberStringAndDateNamesOneRow() {
    db.script(
        "CREATE TABLE k (a BIGINT, s VARCHAR(10), d DATE, n INT, PRIMARY KEY (a, s, d))",
        "INSERT INTO k VALUES (1, 'x', DATE '2020-01-01', 1), (1, 'x', DATE '2020-01-02', 2),"
            + " (1, 'y', DATE '2020-01-01', 3), (2, 'x', DATE '2020-01-01', 4)");
    String where = " WHERE d = DATE '2020-01-01' AND a = 1 AND 'x' = s";
    assertThat(db.rows("EXPLAIN SELECT n FROM k" + where)).first().asString().contains("K_PKEY");
    assertThat(db.rows("SELECT n FROM k" + where)).containsExactly("1");
    assertThat(db.rows("SELECT n FROM k" + where + " AND n > 1")).isEmpty();
    assertThat(db.rows("SELECT n FROM k WHERE a = ? AND s = ? AND d = ?", 1, "x", "2020-01-02"))
        .containsExactly("2");
    assertThat(db.rows("SELECT n FROM k WHERE a = ? AND s = ? AND d = ?", 1, "z", "2020-01-02"))
        .isEmpty();
    assertThat(db.rows("SELECT n FROM k WHERE a = ? AND s = ? AND d = ?", 1, null, "2020-01-02"))
        .isEmpty();
    assertThat(db.rows("SELECT n FROM k WHERE a = 1 AND s = 'x' ORDER BY n"))
        .containsExactly("1", "2");
    assertThat(db.run("UPDATE k SET n = n * 10, s = 'moved'" + where)).isEqualTo(1);
    assertThat(db.rows("SELECT n FROM k" + where)).isEmpty();
    assertThat(db.rows("SELECT n FROM k WHERE a = 1 AND s = 'moved' AND d = DATE '2020-01-01'"))
        .containsExactly("10");
    assertThat(db.run("DELETE FROM k WHERE a = 2 AND s = 'x' AND d = DATE '2020-01-01'"))
        .isEqualTo(1);
    assertThat(db.run("DELETE FROM k WHERE a = 2 AND s = 'x' AND d = DATE '2020-01-01'")).isZero();
    assertThat(db.rows("SELECT COUNT(*) FROM k")).containsExactly("3");
  }

  @Test
  void keysOfEveryExactTypeFindTheirRows() {
    List<String> types =
        List.of("SMALLINT", "INTEGER", "BIGINT", "DECIMAL(8, 2)", "VARCHAR(9)", "CHAR(9)");
    for (String type : types) {
      String name = "k" + types.indexOf(type);
      db.run("CREATE TABLE " + name + " (k " + type + " PRIMARY KEY, n INT)");
      db.run("INSERT INTO " + name + " VALUES (?, 1), (?, 2)", key(type, 5), key(type, 6));
      assertThat(db.rows("SELECT n FROM " + name + " WHERE k = ?", key(type, 6)))
          .as(type)
          .containsExactly("2");
      String literal = type.contains("CHAR") ? "'6'" : "6";
      assertThat(db.rows("SELECT n FROM " + name + " WHERE k = " + literal))
          .as(type)
          .containsExactly("2");
      assertThat(db.run("UPDATE " + name + " SET n = 9 WHERE k = " + literal)).isEqualTo(1);
      assertThat(db.run("DELETE FROM " + name + " WHERE k = ? AND n = 9", key(type, 6)))
          .isEqualTo(1);
      assertThat(db.state("INSERT INTO " + name + " VALUES (?, 1)", key(type, 5)))
          .isEqualTo("23505");
    }
  }

  private static Object key(String type, int value) {
    return type.contains("CHAR")
        ? Integer.toString(value)
        : type.startsWith("DEC") ? BigDecimal.valueOf(value) : (Object) value;
  }

  @Test
  void aBatchOfUpdatesWorksAsIfInOrder() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, n INT, s VARCHAR(10))",
        "INSERT INTO t VALUES (1, 0, 'a'), (2, 0, 'b'), (3, 0, 'c')");
    assertThat(
            db.batch(
                "UPDATE t SET n = n * 10 + ?, s = ? WHERE id = ?",
                rows(
                    row(1, "p", 1),
                    row(2, "q", 2),
                    row(3, "r", 1),
                    row(4, "s", 9),
                    row(5, "t", 1))))
        .containsExactly(1, 1, 1, 0, 1);
    assertThat(db.rows("SELECT * FROM t ORDER BY id")).containsExactly("1|135|t", "2|2|q", "3|0|c");
    assertThat(db.batch("UPDATE t SET id = ? WHERE id = ?", rows(row(4, 1), row(1, 2), row(2, 4))))
        .containsExactly(1, 1, 1);
    assertThat(db.rows("SELECT id, n FROM t ORDER BY id")).containsExactly("1|2", "2|135", "3|0");
  }

  @Test
  void aBatchOfDeletesCountsEachRowOnce() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, s VARCHAR(10) UNIQUE)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')");
    assertThat(db.batch("DELETE FROM t WHERE s = ?", rows(row("a"), row("z"), row("a"), row("c"))))
        .containsExactly(1, 0, 0, 1);
    assertThat(db.rows("SELECT id FROM t")).containsExactly("2");
    assertThat(db.batch("INSERT INTO t VALUES (?, ?)", rows(row(1, "a"), row(7, "g"))))
        .containsExactly(1, 1);
    assertThat(db.rows("SELECT id FROM t WHERE s = 'a'")).containsExactly("1");
  }

  @Test
  void aBatchOverSeveralTabletsChangesItsRowsOnly() {
    db.run("CREATE TABLE t (id INT PRIMARY KEY, n INT)");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 70_000; i++) {
      rows.add(row(i, i));
    }
    db.batch("INSERT INTO t VALUES (?, ?)", rows);
    List<@Nullable Object[]> changes = new ArrayList<>();
    for (int i = 69_999; i >= 0; i -= 100) {
      changes.add(row(i));
      changes.add(row(i));
    }
    long[] counts = db.batch("UPDATE t SET n = n + 1000000 WHERE id = ?", changes);
    assertThat(counts).hasSize(1400).containsOnly(1);
    assertThat(db.rows("SELECT COUNT(*), MIN(id) FROM t WHERE n = id + 2000000"))
        .containsExactly("700|99");
    assertThat(db.rows("SELECT COUNT(*) FROM t WHERE n = id")).containsExactly("69300");
  }

  @Test
  void batchesWithoutAKeyChangeEveryRowThatMatches() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, g INT, n INT)",
        "INSERT INTO t VALUES (1, 1, 0), (2, 1, 0), (3, 2, 0)");
    assertThat(
            db.batch("UPDATE t SET n = n + ? WHERE g = ?", rows(row(1, 1), row(2, 2), row(5, 1))))
        .containsExactly(2, 1, 2);
    assertThat(db.rows("SELECT id, n FROM t ORDER BY id")).containsExactly("1|6", "2|6", "3|2");
    assertThat(db.batch("DELETE FROM t WHERE g = ?", rows(row(1), row(1)))).containsExactly(2, 0);
  }

  @Test
  void lookUpsSeeTheirTransactionsOwnChangesAndNoOthers() {
    db.script("CREATE TABLE t (id INT PRIMARY KEY, n INT)", "INSERT INTO t VALUES (1, 1)");
    Transaction reader = db.begin();
    assertThat(db.rows(reader, "SELECT n FROM t WHERE id = 1")).containsExactly("1");
    Transaction writer = db.begin();
    db.run(writer, "UPDATE t SET n = 2 WHERE id = 1");
    db.run(writer, "INSERT INTO t VALUES (2, 2)");
    assertThat(db.rows(writer, "SELECT n FROM t WHERE id = 1")).containsExactly("2");
    assertThat(db.rows(writer, "SELECT n FROM t WHERE id = 2")).containsExactly("2");
    assertThat(db.rows(reader, "SELECT n FROM t WHERE id = 1")).containsExactly("1");
    writer.commit();
    assertThat(db.rows(reader, "SELECT n FROM t WHERE id = 1")).containsExactly("1");
    assertThat(db.rows(reader, "SELECT n FROM t WHERE id = 2")).isEmpty();
    reader.commit();
    assertThat(db.rows("SELECT n FROM t WHERE id = 2")).containsExactly("2");
  }
}
