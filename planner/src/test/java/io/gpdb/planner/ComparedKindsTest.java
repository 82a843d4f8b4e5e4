package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Values of any two types compare in the same way however the comparison is written. */
class ComparedKindsTest {
  private static final String[] VALUES = {
    "b",
    "i",
    "f",
    "n",
    "w",
    "12345678901234567890",
    "d",
    "z",
    "c",
    "v",
    "y",
    "g",
    "k",
    "'2020-01-01 00:00:00Z'",
    "'550e8400-e29b-41d4-a716-446655440000'",
    "'1'",
    "'2020-01-01'",
    "TRUE",
    "X'31'"
  };

  /** Each is TRUE where A and B are equal, and something else where they are not. */
  private static final String[] FORMS = {
    "A = B",
    "NOT A <> B",
    "A IN (B)",
    "A IN (B, NULL)",
    "A IN (NULL, B, B)",
    "NOT A NOT IN (B, NULL)",
    "(A, 1) = (B, 1)",
    "(A, 1) IN ((B, 1))",
    "A IN (SELECT B FROM t)",
    "A = ANY (SELECT B FROM t)",
    "A = ANY (B, NULL)",
    "A IS NOT DISTINCT FROM B",
    "A BETWEEN B AND B",
    "CASE A WHEN B THEN TRUE ELSE FALSE END",
    "NULLIF(A, B) IS NULL",
  };

  private static EndToEnd db;

  @BeforeAll
  static void create() {
    db = new EndToEnd();
    db.script(
        "CREATE TABLE t (b BOOLEAN, s SMALLINT, i INTEGER, l BIGINT, r REAL, f DOUBLE,"
            + " n DECIMAL(8, 2), w DECIMAL(30, 2), d DATE, o TIME, z TIMESTAMP, c CHAR(3), v VARCHAR(20),"
            + " y VARBINARY, g UUID, k TIMESTAMPTZ)",
        "INSERT INTO t VALUES (TRUE, 1, 1, 1, 1, 1, 1.0, 1.0, DATE '2020-01-01', TIME '01:00:00',"
            + " TIMESTAMP '2020-01-01 00:00:00', '1', '1', X'31',"
            + " '550e8400-e29b-41d4-a716-446655440000',"
            + " '2020-01-01 00:00:00')");
  }

  @AfterAll
  static void close() {
    db.close();
  }

  @Test
  void allFormsOfAComparisonAgree() {
    List<String> differ = new ArrayList<>();
    for (String a : VALUES) {
      for (String b : VALUES) {
        String plain = outcome(written(FORMS[0], a, b));
        if (agree(a, b, plain)) {
          continue;
        }
        for (String form : FORMS) {
          if (form.contains("NULL") && List.of("z", "k").containsAll(List.of(a, b))) {
            continue; // timestamps with and without a zone have no list in common
          }
          String condition = written(form, a, b);
          String outcome = outcome(condition);
          if (!outcome.equals(plain)) {
            differ.add(condition + " is " + outcome + ", not " + plain);
          }
        }
      }
    }
    assertThat(differ).isEmpty();
  }

  /** Whether all forms have that outcome in one statement. */
  private static boolean agree(String a, String b, String plain) {
    if (!plain.equals("TRUE") && !plain.equals("no")) {
      return false;
    }
    List<String> conditions = new ArrayList<>();
    for (String form : FORMS) {
      conditions.add("(" + written(form, a, b) + ") IS TRUE");
    }
    try {
      String row = db.rows("SELECT " + String.join(", ", conditions) + " FROM t").getFirst();
      return List.of(row.split("\\|")).stream()
          .allMatch(value -> value.equals(plain.equals("TRUE") ? "TRUE" : "FALSE"));
    } catch (GpdbException e) {
      return false;
    }
  }

  private static String written(String form, String a, String b) {
    return form.replaceAll("\\bA\\b", a).replaceAll("\\bB\\b", b);
  }

  /** TRUE, no, or the class of the error; the same of kernels, of the host and in a WHERE. */
  private static String outcome(String condition) {
    String query = "SELECT (" + condition + ") IS TRUE FROM t";
    try {
      String selected = db.rows(query).getFirst();
      boolean filtered = !db.rows("SELECT 1 FROM t WHERE " + condition).isEmpty();
      assertThat(filtered).as(condition).isEqualTo(selected.equals("TRUE"));
      assertThat(db.bridgeRows(query).getFirst()).as(condition).isEqualTo(selected);
      return filtered ? "TRUE" : "no";
    } catch (GpdbException e) {
      String state = e.code().sqlState();
      return state.startsWith("42") ? "not typed" : state;
    }
  }

  @Test
  void messagesNameBothTypes() {
    assertThat(db.error("SELECT TRUE <> ANY (SELECT v FROM t UNION SELECT 'a') FROM t"))
        .hasMessageContaining("BOOLEAN");
    assertThat(db.error("SELECT i FROM t WHERE INTERVAL '1' DAY = 'a'"))
        .hasMessage(
            "'a' is not an interval day, but is used with an expression of type INTERVAL DAY at line"
                + " 1, column 42");
    assertThat(db.state("SELECT i FROM t WHERE INTERVAL '1' DAY = 'a'")).isEqualTo("22006");
    assertThat(db.state("SELECT i FROM t WHERE i = TRUE")).isEqualTo("42804");
  }
}
