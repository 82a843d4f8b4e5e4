package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import org.junit.jupiter.api.Test;

/**
 * What the published gpDB (Pandey et al. 2022) gets wrong and SQL can see, each shown to be right
 * here. Faults that only a crash shows are in bench's test of the same name.
 */
class PublishedFaultsTest {
  /** There, the catalog reaches persistent memory only when the database is closed. */
  @Test
  void theCatalogIsDurableWithTheCommitOfItsStatement() {
    try (CrashableDirectory medium = new CrashableDirectory()) {
      EndToEnd database = new EndToEnd(medium);
      database.script(
          "CREATE TABLE made (id INTEGER PRIMARY KEY, name VARCHAR(10) DEFAULT 'x')",
          "INSERT INTO made (id) VALUES (7)");
      try (EndToEnd recovered = new EndToEnd(medium.crash(CrashChoice.keepNothing()))) {
        assertThat(recovered.rows("SELECT id, name FROM made")).containsExactly("7|x");
      }
      database.close();
    }
  }

  /** There, the last row of an update is lost when it is the first of a tablet. */
  @Test
  void theLastRowOfAnUpdateIsUpdatedAlsoWhenItIsTheFirstOfATablet() {
    try (EndToEnd database = new EndToEnd()) {
      database.script(
          "CREATE TABLE d (n INTEGER)",
          "INSERT INTO d VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9), (10), (11),"
              + " (12), (13), (14), (15)",
          "CREATE TABLE t (id INTEGER, a INTEGER)",
          "INSERT INTO t SELECT e.n * 4096 + d1.n * 256 + d2.n * 16 + d3.n, 0"
              + " FROM d AS e, d AS d1, d AS d2, d AS d3",
          "INSERT INTO t VALUES (65536, 0)",
          "UPDATE t SET a = id + 1");
      assertThat(database.rows("SELECT count(*) FROM t WHERE a = id + 1")).containsExactly("65537");
      database.script("UPDATE t SET a = -5 WHERE id >= 65530");
      assertThat(database.rows("SELECT count(*), max(id) FROM t WHERE a = -5"))
          .containsExactly("7|65536");
    }
  }

  /** There, a single-row INSERT does nothing. */
  @Test
  void anInsertOfOneRowInsertsIt() {
    try (EndToEnd database = new EndToEnd()) {
      database.script("CREATE TABLE t (id INTEGER, f REAL)", "INSERT INTO t VALUES (1, 2.5)");
      assertThat(database.rows("SELECT id, f FROM t")).containsExactly("1|2.5");
    }
  }

  /** There, comparisons of an integer with a float compare raw bits. */
  @Test
  void anIntegerAndAFloatAreComparedByValue() {
    try (EndToEnd database = new EndToEnd()) {
      database.script(
          "CREATE TABLE t (i INTEGER, f REAL)",
          "INSERT INTO t VALUES (1, 1.0), (2, 1.5), (-3, -2.5), (1065353216, 1.0), (0, -0.0)");
      assertThat(database.rows("SELECT i FROM t WHERE i = f ORDER BY i")).containsExactly("0", "1");
      assertThat(database.rows("SELECT i FROM t WHERE i > f ORDER BY i"))
          .containsExactly("2", "1065353216");
      assertThat(database.rows("SELECT i FROM t WHERE i < f")).containsExactly("-3");
      assertThat(database.rows("SELECT i FROM t WHERE f > 1 ORDER BY i")).containsExactly("2");
    }
  }

  /** There, rows are updated by position, taken from ids that happen to equal positions. */
  @Test
  void rowsAreUpdatedByWhatTheyHoldNotByWhereTheyLie() {
    try (EndToEnd database = new EndToEnd()) {
      database.script(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)",
          "INSERT INTO t VALUES (3, 0), (0, 0), (2, 0), (1, 0), (70000, 0)",
          "DELETE FROM t WHERE id = 0",
          "UPDATE t SET a = 10 WHERE id = 1",
          "UPDATE t SET a = a + id WHERE id >= 2");
      assertThat(database.rows("SELECT id, a FROM t ORDER BY id"))
          .containsExactly("1|10", "2|2", "3|3", "70000|70000");
    }
  }
}
