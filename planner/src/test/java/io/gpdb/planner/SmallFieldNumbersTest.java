package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.List;
import org.apache.calcite.rex.RexInputRef;
import org.junit.jupiter.api.Test;

/**
 * Calcite keeps a name for each number of a field, up to the greatest that there ever was: one
 * number of a million is a million strings for as long as the process lives.
 */
class SmallFieldNumbersTest {
  /** More than the fields of any row of these statements. */
  private static final int NAMES_MAX = 10_000;

  @Test
  void joinsOfSubqueriesNumberTheirFieldsFromTheBeginning() throws Exception {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (a INTEGER, b INTEGER)");
      db.run("INSERT INTO t VALUES (1, 2), (2, 3)");
      for (String not : List.of("", "NOT ")) {
        db.rows(
            "SELECT a FROM t WHERE "
                + not
                + "EXISTS (SELECT 1 FROM t x WHERE x.a = t.b AND x.b > t.a + 1)");
        db.rows("SELECT a FROM t WHERE a " + not + "IN (SELECT b FROM t)");
      }
    }
    Field names = RexInputRef.class.getDeclaredField("NAMES");
    names.setAccessible(true);
    assertThat((List<?>) names.get(null)).hasSizeLessThan(NAMES_MAX);
  }
}
