package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The order of strings whose codes come in another order, over several batches and tablets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StringOrderTest {
  private static final int ROWS = 70_000;
  private static final int NAMES = 20_000;

  private final EndToEnd db = new EndToEnd();

  @BeforeAll
  void fill() {
    db.script("CREATE TABLE t (id INT, name VARCHAR(20), n INT)");
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      int name = (int) (i * 7919L % NAMES);
      rows.add(new @Nullable Object[] {i, i % 1000 == 999 ? null : name(name), i % 10});
    }
    db.batch("INSERT INTO t VALUES (?, ?, ?)", rows);
  }

  @AfterAll
  void close() {
    db.close();
  }

  private static String name(int number) {
    return String.format("n%05d", number);
  }

  @Test
  void theLeastAndGreatestNameOfStoredStrings() {
    assertThat(db.rows("SELECT min(name), max(name) FROM t")).containsExactly("n00000|n19999");
    assertThat(db.rows("SELECT n, max(upper(name)) FROM t WHERE n < 2 GROUP BY n ORDER BY n"))
        .isEqualTo(
            db.bridgeRows("SELECT n, max(upper(name)) FROM t WHERE n < 2 GROUP BY n ORDER BY n"));
  }

  @Test
  void theLeastAndGreatestNameOfComputedStrings() {
    assertThat(
            db.rows("SELECT min(s), max(s) FROM (SELECT name || CAST(n AS VARCHAR) AS s FROM t)"))
        .containsExactly("n000000|n199991");
    String union = "(SELECT name AS s FROM t UNION ALL SELECT 'a' || name FROM t)";
    assertThat(db.rows("SELECT min(s), max(s) FROM " + union)).containsExactly("an00000|n19999");
  }

  @Test
  void firstRowsOfAnOrderAreThoseOfTheWholeOrder() {
    String all = "SELECT name, id FROM t WHERE n <> 3 ORDER BY name DESC NULLS LAST, id";
    List<String> sorted = db.rows(all);
    assertThat(db.rows(all + " LIMIT 7")).isEqualTo(sorted.subList(0, 7));
    assertThat(db.rows(all + " LIMIT 5 OFFSET 40000")).isEqualTo(sorted.subList(40_000, 40_005));
    assertThat(db.rows(all + " LIMIT ?", 0)).isEmpty();
    assertThat(db.rows(all + " LIMIT ? OFFSET ?", 3, 62_999))
        .isEqualTo(sorted.subList(62_999, sorted.size()));
    String computed = "SELECT name || 'x', id FROM t ORDER BY 1, 2 LIMIT 3";
    assertThat(db.rows(computed)).containsExactly("n00000x|0", "n00000x|20000", "n00000x|40000");
  }

  @Test
  void stringsAddedByOthersDoNotDisturbAnOpenTransaction() {
    Transaction tx = db.begin();
    String query = "SELECT min(name), max(name), count(DISTINCT name) FROM t";
    List<String> before = db.rows(tx, query);
    db.run("INSERT INTO t VALUES (?, ?, ?)", ROWS, "a first name", 0);
    db.run("INSERT INTO t VALUES (?, ?, ?)", ROWS + 1, "z last name", 0);
    assertThat(db.rows(tx, query)).isEqualTo(before);
    tx.rollback();
    assertThat(db.rows(query.replace(", count(DISTINCT name)", "")))
        .containsExactly("a first name|z last name");
    db.run("DELETE FROM t WHERE id >= ?", ROWS);
  }
}
