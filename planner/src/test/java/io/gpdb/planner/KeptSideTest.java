package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** An inner join keeps the side with fewer rows, which the order of its rows shows. */
class KeptSideTest {
  /**
   * By themselves, the filter would be taken to leave a quarter of its rows, and the joins below
   * not to lose any.
   */
  @Test
  void theModelSaysWhichSideIsKept() {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE c (k INT PRIMARY KEY, g INT)");
      db.run("CREATE TABLE o (k INT PRIMARY KEY, c INT)");
      db.run("CREATE TABLE l (id INT, o INT, d DATE)");
      db.run("INSERT INTO c SELECT i, MOD(i, 10) FROM TABLE(GENERATE_SERIES(0, 99)) AS s(i)");
      db.run("INSERT INTO o SELECT i, MOD(i, 100) FROM TABLE(GENERATE_SERIES(0, 1999)) AS s(i)");
      db.run(
          "INSERT INTO l SELECT i, MOD(i * 7919, 2000), DATE '1995-01-01' + MOD(i, 1000) * INTERVAL"
              + " '1' DAY FROM TABLE(GENERATE_SERIES(0, 7899)) AS s(i)");
      List<String> rows =
          db.rows(
              "SELECT l.id FROM l JOIN o ON l.o = o.k JOIN c ON o.c = c.k"
                  + " WHERE l.d >= DATE '1995-02-01' AND c.g = 3");
      assertThat(rows).hasSizeBetween(500, 790).isSortedAccordingTo(byNumber());
    }
  }

  private static java.util.Comparator<String> byNumber() {
    return java.util.Comparator.comparingInt(Integer::parseInt);
  }
}
