package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Functions of random values beside H2's and HSQLDB's, of columns and of literals: the same
 * results. {@code -Dgpdb.seed=S} replays a run.
 */
class FunctionsBesideOthersTest {
  private static final int ROWS = 40;
  private static final int ROUNDS = 25;
  private static final double CLOSE = 1e-9;

  private static final String LETTERS = "abcABC 1äß.*";
  private static final List<String> PATTERNS =
      List.of(
          "a", "^a", "[a-c]+$", "(b|c)\\d?", ".B", "\\s", "^$", "a.*c", "ä", "[^a-zA-Z]", "(a)(.)");

  /** Spellings of functions that are others here; dates are compared as such. */
  private static final List<String> SPELLINGS =
      List.of(
          "LCASE(s)",
          "UCASE(s)",
          "LOCATE('b', s)",
          "LOCATE('b', s, x - 1)",
          "INSTR(s, 'a')",
          "SPACE(x) || '.'",
          "BITAND(x, 5 - id)",
          "BITOR(-x, id)",
          "BITXOR(x, id)",
          "GCD(6 * x, id - 20)",
          "LCM(x, id - 20)",
          "NVL2(s, x, -1)",
          "DECODE(s, NULL, 'none', 'a', 'b', 'else')",
          "DECODE(x, 3, 'three', 4, 'four')",
          "DATEADD(DAY, x, DATE '2020-02-27')",
          "DATEADD(MONTH, -x, DATE '2020-03-31')",
          "DATEADD('YEAR', x, DATE '2020-02-29')",
          "CAST(DATE_TRUNC('month', DATEADD(DAY, 9 * x, TIMESTAMP '2020-02-27 10:00:00')) AS DATE)",
          "CAST(DATE_TRUNC('quarter', DATEADD(DAY, 99 * x, TIMESTAMP '2020-02-27 10:00:00')) AS DATE)",
          "DAY_OF_WEEK(DATEADD(DAY, x, DATE '2020-02-27'))",
          "DAY_OF_YEAR(DATEADD(DAY, x, DATE '2020-02-27'))",
          "DAY_OF_MONTH(DATEADD(DAY, x, DATE '2020-02-27'))",
          "DAY(DATEADD(DAY, x, DATE '2020-02-27'))",
          "DAYNAME(DATEADD(DAY, x, DATE '2020-02-27'))",
          "MONTHNAME(DATEADD(MONTH, x, DATE '2020-02-27'))",
          "DATEDIFF(DAY, DATE '2020-02-27', DATEADD(DAY, 9 * x, DATE '2020-02-27'))",
          "DATEDIFF(MONTH, DATEADD(DAY, 99 * x, DATE '2020-02-27'), DATE '2020-02-27')",
          "DATEDIFF('QUARTER', DATE '2020-02-27', DATEADD(DAY, 9 * x, DATE '2020-02-27'))",
          "DATEDIFF(YEAR, DATE '2020-02-27', DATEADD(DAY, 99 * x, DATE '2020-02-27'))",
          "DATEDIFF(HOUR, TIMESTAMP '2020-02-27 10:59:59', DATEADD(MINUTE, 9 * x, TIMESTAMP '2020-02-27 10:59:00'))",
          "CONCAT_WS('-', s, 'x', NULL, s)",
          "BTRIM(s, 'ab')",
          "BTRIM(s)",
          "REGEXP_SUBSTR(s, '[a-c]+')",
          "REGEXP_SUBSTR(s, '[a-c]', 1, 2)",
          "REGEXP_SUBSTR(s, 'B', 1, 1, 'i')",
          "TO_CHAR(DATEADD(HOUR, 99 * x, TIMESTAMP '2020-02-27 10:20:30.456'), 'YYYY-MM-DD HH24:MI:SS.FF3 Q')",
          "TO_CHAR(DATEADD(HOUR, 99 * x, TIMESTAMP '2020-02-27 10:20:30.456'), 'DD-MON-YY HH12:MI AM Dy D')",
          "TO_CHAR(DATEADD(DAY, 99 * x, DATE '2020-02-27'), 'Month, DAY; IYYY')");

  private static final List<String> FLAGS = List.of("i", "c", "m", "n", "in");

  private final long seed = Long.getLong("gpdb.seed", 20261126L);
  private final Random random = new Random(seed);

  private String text() {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(8);
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  private static String quoted(String text) {
    return "'" + text + "'";
  }

  private String any(List<String> of) {
    return quoted(of.get(random.nextInt(of.size())));
  }

  private void fill(List<String> statements) {
    for (int i = 0; i < ROWS; i++) {
      String s = random.nextInt(8) == 0 ? "NULL" : quoted(text());
      String x = random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(9) + 2);
      statements.add(
          "INSERT INTO t VALUES (%d, %s, %s, %s)"
              .formatted(i, s, x, String.format(Locale.ROOT, "%.3f", random.nextDouble() * 6 - 3)));
    }
  }

  /** An expression and whether it is a floating point number. */
  private record Tried(String sql, boolean isFloat) {}

  private Tried ofH2() {
    String s = random.nextInt(4) == 0 ? quoted(text()) : "s";
    return switch (random.nextInt(12)) {
      case 0 -> new Tried("REGEXP_LIKE(%s, %s)".formatted(s, any(PATTERNS)), false);
      case 1 -> new Tried("REGEXP_LIKE(%s, %s, %s)".formatted(s, any(PATTERNS), any(FLAGS)), false);
      case 2 ->
          new Tried(
              "REGEXP_REPLACE(%s, %s, %s)"
                  .formatted(s, any(PATTERNS), any(List.of("", "z", "<$0>"))),
              false);
      case 3 ->
          new Tried(
              "REGEXP_REPLACE(%s, %s, 'q', %s)".formatted(s, any(PATTERNS), any(FLAGS)), false);
      case 4 -> new Tried("BIT_LENGTH(%s)".formatted(s), false);
      case 5 -> new Tried("LOG(%d, x)".formatted(random.nextInt(9) + 2), true);
      case 6 -> new Tried(List.of("SINH", "COSH", "TANH").get(random.nextInt(3)) + "(d)", true);
      case 7, 8, 9, 10 -> new Tried(SPELLINGS.get(random.nextInt(SPELLINGS.size())), false);
      default ->
          new Tried(
              List.of("PERCENT_RANK", "CUME_DIST").get(random.nextInt(2))
                  + "() OVER ("
                  + (random.nextBoolean() ? "PARTITION BY CHAR_LENGTH(s) " : "")
                  + "ORDER BY x"
                  + (random.nextBoolean() ? " DESC NULLS LAST" : " NULLS FIRST")
                  + ")",
              true);
    };
  }

  private Tried ofHsqldb() {
    return new Tried(
        "TRANSLATE(%s, 'abcä', %s)"
            .formatted(
                random.nextBoolean() ? "s" : quoted(text()),
                quoted("xyz".substring(random.nextInt(3)))),
        false);
  }

  @Test
  void theResultsAreThoseOfOtherDatabases() throws SQLException {
    List<String> statements = new ArrayList<>();
    statements.add(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, s VARCHAR(8), x INTEGER, d DOUBLE PRECISION)");
    fill(statements);
    try (EndToEnd db = new EndToEnd();
        OtherEngine h2 = new OtherEngine("H2", "jdbc:h2:mem:functions" + seed);
        OtherEngine hsqldb = new OtherEngine("HSQLDB", "jdbc:hsqldb:mem:functions" + seed)) {
      for (String sql : statements) {
        db.run(sql);
        h2.run(sql);
        hsqldb.run(sql);
      }
      for (int round = 0; round < ROUNDS; round++) {
        compare(db, h2, ofH2());
        compare(db, hsqldb, ofHsqldb());
      }
      assertThat(h2.refused + hsqldb.refused).as("seed %s", seed).isZero();
    }
  }

  private void compare(EndToEnd db, OtherEngine other, Tried tried) {
    String sql = "SELECT 100 + id, " + tried.sql + " FROM t";
    List<String> expected = other.rows(sql);
    List<String> found = db.rows(sql).stream().sorted().toList();
    assertThat(found).as("seed %s: %s by %s", seed, sql, other.name).hasSameSizeAs(expected);
    for (int i = 0; i < found.size(); i++) {
      String own = found.get(i).substring(4);
      String others = expected.get(i).substring(4);
      boolean same =
          !tried.isFloat || own.equals("NULL") || others.equals("NULL")
              ? own.equalsIgnoreCase(others)
              : Math.abs(Double.parseDouble(own) - Double.parseDouble(others)) < CLOSE;
      assertThat(same)
          .as("seed %s: %s is %s, by %s %s", seed, sql, own, other.name, others)
          .isTrue();
    }
  }
}
