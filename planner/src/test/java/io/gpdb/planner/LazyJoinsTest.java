package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An error of a query behind IN is raised if there is a row for which it is asked. */
class LazyJoinsTest {
  private static final int ROWS = 3000;

  /** A sum that leaves its type, of one of the groups. */
  private static final String FAILS =
      "(SELECT k FROM c GROUP BY k HAVING SUM(m) > %d)".formatted(ROWS);

  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTables() {
    db.script(
        "CREATE TABLE a (k INT, n INT)",
        "CREATE TABLE b (k INT, n INT)",
        "CREATE TABLE c (k INT, m BIGINT)",
        "CREATE TABLE none (k INT)",
        "INSERT INTO a SELECT x, x FROM GENERATE_SERIES(1, %d) AS s(x)".formatted(ROWS),
        "INSERT INTO b SELECT k, n FROM a",
        "INSERT INTO c SELECT k, k FROM a",
        "INSERT INTO c VALUES (7, 9223372036854775807)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void anErrorIsRaisedForARowOnly() {
    for (String not : new String[] {"", "NOT "}) {
      String in = " IN " + FAILS;
      assertThat(db.state("SELECT a.k FROM a JOIN b ON a.k = b.k WHERE " + not + "a.n" + in))
          .isEqualTo("22003");
      assertThat(db.state("SELECT a.k FROM a WHERE " + not + "a.n" + in)).isEqualTo("22003");
      String without = "SELECT a.k FROM a JOIN b ON a.k = b.k + %d WHERE ".formatted(2 * ROWS);
      assertThat(db.rows(without + not + "a.n" + in)).isEmpty();
      assertThat(db.rows("SELECT k FROM none WHERE " + not + "k" + in)).isEmpty();
    }
  }

  @Test
  void whatHasRowsIsNotRunToFindThatOut() {
    String plan =
        String.join(
            "\n",
            db.rows(
                "EXPLAIN ANALYZE SELECT a.k FROM a JOIN b ON a.k = b.k WHERE a.n IN "
                    + FAILS.replace("c GROUP", "c WHERE k <> 7 GROUP")));
    assertThat(plan).contains("semi join");
    assertThat(Pattern.compile("table A .*: " + ROWS + " rows").matcher(plan).find())
        .as(plan)
        .isTrue();
  }
}
