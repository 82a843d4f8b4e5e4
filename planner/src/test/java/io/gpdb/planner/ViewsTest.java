package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ViewsTest {
  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTables() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(10), n INT)",
        "INSERT INTO t VALUES (1, 'a', 10), (2, 'b', 20), (3, 'c', 30), (4, NULL, NULL)",
        "CREATE VIEW v AS SELECT id, name, n * 2 AS twice FROM t WHERE n > 10");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private void assertRows(String sql, String... rows) {
    assertThat(db.rows(sql)).as(sql).containsExactly(rows);
  }

  private void assertFails(String sql, String state, String message) {
    assertThatThrownBy(() -> db.script(sql))
        .as(sql)
        .isInstanceOfSatisfying(GpdbException.class, e -> assertThat(e.sqlState()).isEqualTo(state))
        .hasMessageContaining(message);
  }

  @Test
  void aViewIsReadWhereverATableIs() {
    assertRows("SELECT * FROM v ORDER BY id", "2|b|40", "3|c|60");
    assertRows("SELECT x.name FROM public.v AS x WHERE x.twice > 40", "c");
    assertRows("SELECT a, c FROM v AS x (a, b, c) WHERE b = 'b'", "2|40");
    assertRows("TABLE v ORDER BY id DESC LIMIT 1", "3|c|60");
    assertRows(
        "SELECT t.id, v.twice FROM t LEFT JOIN v ON v.id = t.id ORDER BY 1",
        "1|NULL",
        "2|40",
        "3|60",
        "4|NULL");
    assertRows("SELECT n FROM t WHERE id IN (SELECT id FROM v WHERE v.name = t.name)", "20", "30");
    assertRows("SELECT (SELECT max(twice) FROM v), count(*) FROM v, v AS w", "60|4");
    assertRows("SELECT id FROM v UNION SELECT -id FROM v ORDER BY 1", "-3", "-2", "2", "3");
    assertRows("SELECT id FROM t WHERE EXISTS (TABLE v) AND n = ?".replace("?", "20"), "2");
  }

  @Test
  void changesReadViewsAndDoNotChangeThem() {
    db.script("UPDATE t SET n = (SELECT max(twice) FROM v) WHERE id = 1");
    assertRows("SELECT n FROM t WHERE id = 1", "60");
    db.script("DELETE FROM t WHERE id IN (SELECT id FROM v WHERE twice = 40)");
    assertRows("SELECT count(*) FROM t", "3");
    db.script("INSERT INTO t SELECT id + 10, name, twice FROM v WHERE id = 3");
    assertRows("SELECT * FROM t WHERE id = 13", "13|c|60");
    db.script("CREATE TABLE u AS SELECT * FROM v");
    assertRows("SELECT count(*) FROM u", "3");
    for (String change :
        new String[] {
          "INSERT INTO v VALUES (9, 'x', 1)", "UPDATE v SET id = 1", "DELETE FROM v", "TRUNCATE v"
        }) {
      assertFails(change, "0A000", "V is a view");
    }
  }

  @Test
  void namesOfWithHideViewsAndNotInsideOfThem() {
    db.script("CREATE VIEW w (a, b) AS WITH v AS (SELECT 7 AS q) SELECT q, q + 1 FROM v");
    assertRows("SELECT * FROM w", "7|8");
    assertRows("WITH v AS (SELECT 1 AS one) SELECT * FROM v", "1");
    assertRows("WITH t AS (SELECT 99 AS id) SELECT id FROM v WHERE twice = 40", "2");
    assertRows(
        "WITH x AS (SELECT id FROM v), v AS (SELECT 5 AS id) SELECT v.id, x.id FROM v, x"
            + " ORDER BY 2",
        "5|2",
        "5|3");
    assertRows("WITH v AS (SELECT 1 AS one) SELECT count(*) FROM public.v", "2");
  }

  @Test
  void theColumnsAreThoseOfTheDefinition() {
    db.script("CREATE VIEW s AS SELECT count(*), upper(name), n + 1 AS more FROM t GROUP BY 2, 3");
    assertRows("SELECT \"count(*)\", \"upper(name)\" FROM s WHERE more = 21", "1|B");
    assertRows(
        "SELECT column_name, data_type FROM INFORMATION_SCHEMA.COLUMNS WHERE table_name = 'S'",
        "count(*)|BIGINT",
        "upper(name)|VARCHAR",
        "MORE|INTEGER");
    assertRows(
        "SELECT view_definition, is_updatable FROM INFORMATION_SCHEMA.VIEWS WHERE table_name = 'V'",
        "SELECT id, name, n * 2 AS twice FROM t WHERE n > 10|NO");
    assertRows(
        "SELECT table_type FROM INFORMATION_SCHEMA.TABLES WHERE table_name IN ('T', 'V') ORDER BY 1",
        "BASE TABLE",
        "VIEW");
    assertFails("SELECT nme FROM v", "42S22", "NAME");
  }

  @Test
  void whatAViewReadsStaysAsLongAsTheView() {
    db.script("CREATE VIEW w AS SELECT id FROM v");
    assertFails("DROP TABLE t RESTRICT", "2BP01", "view V reads table T");
    assertFails("DROP VIEW v RESTRICT", "2BP01", "view W reads view V");
    assertFails("DROP TABLE v", "42809", "V is a view");
    assertFails("DROP VIEW t", "42809", "T is a table");
    assertRows(
        "SELECT view_name, table_name FROM INFORMATION_SCHEMA.VIEW_TABLE_USAGE", "V|T", "W|V");
    assertFails("DROP VIEW x", "42S02", "view X does not exist");
    db.script("DROP VIEW IF EXISTS x", "DROP TABLE t CASCADE");
    assertRows("SELECT count(*) FROM INFORMATION_SCHEMA.VIEWS", "0");
    db.script("CREATE TABLE v (i INT)", "DROP TABLE v RESTRICT");
  }

  @Test
  void aViewWithoutWhatItReadsSaysWhatThatIs() {
    db.script("CREATE VIEW w AS SELECT id FROM v WHERE twice > 0", "CREATE VIEW x AS TABLE w");
    db.script("DROP VIEW v");
    for (String read : List.of("SELECT * FROM x", "TABLE w", "UPDATE t SET n = (TABLE x)")) {
      assertFails(read, "42S02", "view W reads V, which does not exist");
    }
    db.script("CREATE VIEW v AS SELECT 1 AS id");
    assertFails("SELECT id FROM x", "42S22", "view W is invalid: column TWICE does not exist");
    assertFails("SELECT idd FROM v", "42S22", "column IDD does not exist");
    assertFails("SELECT id FROM wx", "42S02", "table WX does not exist");
    db.script("DROP VIEW v", "CREATE TABLE v (twice INT, id INT)", "INSERT INTO v VALUES (1, 7)");
    assertRows("SELECT * FROM x", "7");
    db.script("DROP TABLE t", "INSERT INTO v VALUES (1, 8)");
    assertRows("SELECT * FROM x", "7", "8");
  }

  @Test
  void aViewIsReplacedByOneThatItsReadersCanRead() {
    assertFails("CREATE VIEW v AS SELECT 1 AS x", "42S01", "view V already exists");
    assertFails("CREATE OR REPLACE VIEW t AS SELECT 1 AS x", "42S01", "table T already exists");
    assertFails("CREATE TABLE v (i INT)", "42S01", "view V already exists");
    db.script("CREATE VIEW IF NOT EXISTS v AS SELECT 1 AS x", "CREATE VIEW w AS TABLE v");
    assertRows("SELECT count(*) FROM w", "2");
    db.script("CREATE OR REPLACE VIEW v AS SELECT id, name, n AS twice FROM t");
    assertRows("SELECT * FROM w WHERE id = 1", "1|a|10");
    assertFails("CREATE OR REPLACE VIEW v AS SELECT id FROM t", "2BP01", "must keep the names");
    assertFails(
        "CREATE OR REPLACE VIEW v AS SELECT id, name, 1.5 AS twice FROM t", "2BP01", "types");
    assertFails("CREATE OR REPLACE VIEW v AS TABLE w", "42000", "view V would read itself");
    assertFails("CREATE OR REPLACE VIEW v AS TABLE v", "42000", "view V would read itself");
    db.script("DROP VIEW w", "CREATE OR REPLACE VIEW v AS SELECT 5 AS five");
    assertRows("SELECT * FROM v", "5");
  }

  @Test
  void viewsWithinViewsHaveALimit() {
    db.script("CREATE VIEW v0 AS SELECT 1 AS x");
    for (int i = 1; i < 32; i++) {
      db.script("CREATE VIEW v" + i + " AS SELECT x + 1 AS x FROM v" + (i - 1));
    }
    assertRows("SELECT x FROM v31", "32");
    db.script("CREATE VIEW v32 AS SELECT x FROM v31");
    assertFails("SELECT x FROM v32", "54000", "nested too deeply");
  }

  /** A query over tables, and the same with each view replaced by its text. */
  private record Spelled(String byName, String asText) {}

  private static Spelled source(SplittableRandom random, List<Spelled> views) {
    int chosen = random.nextInt(-1, views.size());
    return chosen < 0
        ? new Spelled("t AS r (a, b, c)", "t AS r (a, b, c)")
        : new Spelled("g" + chosen + " AS r", "(" + views.get(chosen).asText + ") AS r (a, b, c)");
  }

  private static Spelled query(SplittableRandom random, List<Spelled> views) {
    Spelled from = source(random, views);
    Spelled in = source(random, views);
    int k = random.nextInt(1, 40);
    String[] shape =
        switch (random.nextInt(6)) {
          case 0 -> new String[] {"SELECT a + 1, b, c FROM ", " WHERE c > " + k};
          case 1 -> new String[] {"SELECT max(a), b, count(*) FROM ", " GROUP BY b"};
          case 2 -> new String[] {"SELECT DISTINCT c, 'x', a FROM ", " WHERE a < " + k};
          case 3 -> new String[] {"SELECT a, b, sum(c) OVER (ORDER BY a, c, b) FROM ", ""};
          case 4 -> new String[] {"SELECT a, b, c FROM ", " ORDER BY a, b, c LIMIT 3"};
          default -> null;
        };
    if (shape != null) {
      return new Spelled(shape[0] + from.byName + shape[1], shape[0] + from.asText + shape[1]);
    }
    String list = "SELECT r.a, (SELECT max(b) FROM ";
    String condition = " WHERE r.c >= " + k + "), r.c FROM ";
    return new Spelled(
        list + in.byName + condition + from.byName, list + in.asText + condition + from.asText);
  }

  @Test
  void aViewAnswersAsItsTextInItsPlaceDoes() {
    for (int seed = 0; seed < 12; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Spelled> views = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        Spelled query = query(random, views);
        db.script("CREATE OR REPLACE VIEW g" + i + " (a, b, c) AS " + query.byName);
        views.add(query);
        String sorted = " AS s (a, b, c) ORDER BY a, b, c";
        assertThat(db.rows("SELECT * FROM g" + i + sorted))
            .as(query.byName)
            .isEqualTo(db.rows("SELECT * FROM (" + query.asText + ")" + sorted));
      }
      db.script("DROP VIEW IF EXISTS g4", "DROP VIEW g0 CASCADE");
      for (int i = 1; i < 4; i++) {
        db.script("DROP VIEW IF EXISTS g" + i + " CASCADE");
      }
    }
  }
}
