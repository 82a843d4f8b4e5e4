package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A condition goes below a join only if it raises no error, whatever is in the columns: random
 * expressions that go below one are computed over the least and greatest values of their types.
 */
class TotalCallsTest {
  private static final int ROUNDS = 60;
  private static final int EXPRESSIONS = 12;
  private static final int ROWS = 300;

  /** The type of each column, and values at its ends. */
  private static final Map<String, List<String>> COLUMNS = new LinkedHashMap<>();

  static {
    COLUMNS.put("w SMALLINT", List.of("-32768", "32767", "0", "-1"));
    COLUMNS.put("i INTEGER", List.of("-2147483648", "2147483647", "0", "-1", "1"));
    COLUMNS.put("l BIGINT", List.of("-9223372036854775808", "9223372036854775807", "0", "-1"));
    COLUMNS.put("m DECIMAL(5, 2)", List.of("-999.99", "999.99", "0.01", "0"));
    COLUMNS.put("n DECIMAL(18, 4)", List.of("-99999999999999.9999", "99999999999999.9999", "0"));
    COLUMNS.put("o DECIMAL(38, 6)", List.of("-" + "9".repeat(32) + ".999999", "9".repeat(32), "0"));
    COLUMNS.put("r REAL", List.of("-3.4028234E38", "3.4028234E38", "0", "1E-45"));
    COLUMNS.put("f DOUBLE", List.of("-1.7976931348623157E308", "1.7976931348623157E308", "0"));
    COLUMNS.put("d DATE", List.of("DATE '0001-01-01'", "DATE '9999-12-31'", "DATE '2000-02-29'"));
    COLUMNS.put(
        "t TIMESTAMP",
        List.of("TIMESTAMP '0001-01-01 00:00:00'", "TIMESTAMP '9999-12-31 23:59:59.999999'"));
    COLUMNS.put("s VARCHAR(12)", List.of("''", "'ßßßßßßßßßßßß'", "'%_\\'", "'12'", "' x '"));
  }

  private EndToEnd db;

  @BeforeEach
  void open() {
    db = new EndToEnd();
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void whatGoesBelowAJoinRaisesNoError() {
    List<String> problems = new ArrayList<>();
    int[] total = new int[1];
    fill(new Random(1));
    RandomSeeds.of(ROUNDS)
        .forEach(
            seed -> {
              Random random = new Random(seed);
              for (int i = 0; i < EXPRESSIONS; i++) {
                String condition = new Expressions(random).condition();
                if (isTotal(condition)) {
                  total[0]++;
                  check("-Dgpdb.seed=" + seed, condition, problems);
                }
              }
            });
    assertThat(problems).isEmpty();
    assertThat(total[0]).isPositive();
  }

  private void check(String replay, String condition, List<String> problems) {
    for (String rows : List.of("", " AND k < 30")) {
      try {
        db.rows("SELECT COUNT(*) FROM e WHERE " + condition + rows);
      } catch (GpdbException e) {
        problems.add(replay + " " + condition + ": " + e.getMessage());
      }
    }
  }

  /** Whether it goes below a join; what cannot be planned does not. */
  private boolean isTotal(String condition) {
    String plan;
    try {
      plan = db.plan("SELECT 1 FROM e, u WHERE e.k = u.k AND (" + condition + ")");
    } catch (GpdbException e) {
      return false;
    }
    return plan.indexOf("filter", plan.indexOf("join")) > 0;
  }

  private void fill(Random random) {
    db.run("CREATE TABLE u (k INTEGER)");
    db.run("CREATE TABLE e (k INTEGER, " + String.join(", ", COLUMNS.keySet()) + ")");
    List<String> rows = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      StringBuilder row = new StringBuilder("(" + k);
      for (List<String> values : COLUMNS.values()) {
        int at = random.nextInt(values.size() + 1);
        row.append(", ").append(at == values.size() ? "NULL" : values.get(at));
      }
      rows.add(row.append(")").toString());
    }
    db.run("INSERT INTO e VALUES " + String.join(", ", rows));
  }

  /** Expressions of a few operators over the columns. */
  private record Expressions(Random random) {
    String condition() {
      String compared = pick("=", "<>", "<", ">=");
      return switch (random.nextInt(4)) {
        case 0 -> text(3) + " " + compared + " s";
        case 1 -> time(2) + " " + compared + " t";
        default -> number(3) + " " + compared + " f";
      };
    }

    private String pick(String... of) {
      return of[random.nextInt(of.length)];
    }

    private String column() {
      return pick("w", "i", "l", "m", "n", "o", "r", "f");
    }

    private String number(int depth) {
      if (depth == 0) {
        return random.nextInt(3) == 0
            ? pick("0", "1", "-1", "7", "2.5", "100000", "0.001", "5000000000", "1E0")
            : column();
      }
      String a = number(depth - 1);
      return switch (random.nextInt(13)) {
        case 0, 1 -> "(" + a + pick(" + ", " - ", " * ") + number(depth - 1) + ")";
        case 2 -> "(" + a + " / " + pick("7", "-1", "2.5", "0", "i") + ")";
        case 3 -> "MOD(" + a + ", " + pick("7", "-1", "0", "i", "2.5") + ")";
        case 4 -> "ABS(" + a + ")";
        case 5 -> "(- " + a + ")";
        case 6, 7 -> "CAST(" + a + " AS " + numberType() + ")";
        case 8 -> "COALESCE(" + a + ", " + number(depth - 1) + ")";
        case 9 -> "CASE WHEN i > 0 THEN " + a + " ELSE " + number(0) + " END";
        case 10 ->
            "EXTRACT(" + pick("YEAR", "MONTH", "DAY", "DOY") + " FROM " + pick("d", "t") + ")";
        case 11 -> pick("CHAR_LENGTH", "OCTET_LENGTH", "ASCII") + "(" + text(depth - 1) + ")";
        default -> "POSITION(" + text(0) + " IN " + text(depth - 1) + ")";
      };
    }

    private String numberType() {
      return pick(
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "DECIMAL(5, 2)",
          "DECIMAL(6, 1)",
          "DECIMAL(18, 4)",
          "DECIMAL(20, 0)",
          "DECIMAL(38, 6)",
          "REAL",
          "DOUBLE");
    }

    private String text(int depth) {
      if (depth == 0) {
        return pick("s", "s", "'a'", "''", "'ß'");
      }
      String a = text(depth - 1);
      return switch (random.nextInt(9)) {
        case 0 -> pick("UPPER", "LOWER", "INITCAP", "REVERSE", "LTRIM", "RTRIM") + "(" + a + ")";
        case 1 -> "SUBSTRING(" + a + " FROM " + pick("2", "-1", "i") + ")";
        case 2 -> "SUBSTRING(" + a + ", " + pick("2", "-1", "i") + ", " + pick("3", "0", "i") + ")";
        case 3 -> "TRIM(" + pick("' '", "'ab'", "s") + " FROM " + a + ")";
        case 4 -> pick("LEFT", "RIGHT") + "(" + a + ", " + pick("2", "-1", "i") + ")";
        case 5 ->
            "CAST(" + pick(number(1), time(1)) + " AS VARCHAR" + pick("", "(64)", "(5)") + ")";
        case 6 -> "COALESCE(" + a + ", " + text(0) + ")";
        case 7 -> "CAST(" + a + " AS " + pick("VARCHAR(3)", "VARCHAR(40)", "CHAR(20)") + ")";
        default -> "(" + a + " || " + text(0) + ")";
      };
    }

    private String time(int depth) {
      if (depth == 0) {
        return pick("d", "t", "DATE '2000-01-31'");
      }
      String a = time(depth - 1);
      return switch (random.nextInt(5)) {
        case 0 -> "CAST(" + a + " AS " + pick("DATE", "TIMESTAMP", "TIMESTAMP(0)") + ")";
        case 1 -> "(" + a + pick(" + ", " - ") + "INTERVAL '1' " + pick("DAY", "YEAR") + ")";
        case 2 -> "COALESCE(" + a + ", " + time(0) + ")";
        default -> a;
      };
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "r > 100",
        "f > n",
        "f > l",
        "o > CAST(i AS DECIMAL(20, 3))",
        "t > d",
        "CAST(t AS DATE) > d",
        "MOD(i, 7) = 1",
        "l / 7 > 1",
        "CAST(i AS BIGINT) + w * 3 > 10",
        "ABS(CAST(i AS BIGINT)) > 10",
        "- CAST(i AS BIGINT) > 10",
        "r * r > f",
        "EXTRACT(YEAR FROM d) = 2000",
        "COALESCE(r, 0) > 1",
        "UPPER(s) = 'X'",
        "SUBSTRING(s, 2, 3) = 'x'",
        "CAST(d AS VARCHAR(64)) = 'x'",
        "s LIKE 'a!%' ESCAPE '!'"
      })
  void whatHasAValueForAllGoesBelowAJoin(String condition) {
    fill(new Random(2));
    assertThat(isTotal(condition)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "i + 1 > 10",
        "l / -1 > 1",
        "MOD(i, w) = 1",
        "ABS(i) > 10",
        "- l > 10",
        "CAST(f AS REAL) > 1",
        "CAST(m AS DECIMAL(4, 2)) > 1",
        "CAST(m AS DECIMAL(3, 0)) > 1",
        "CAST(s AS INTEGER) = 5",
        "SUBSTRING(s, 2, i) = 'x'",
        "CAST(i AS VARCHAR(5)) = 'x'",
        "s LIKE s ESCAPE '!'",
        "n * n > 1",
        "d + INTERVAL '1' DAY > d"
      })
  void whatMayRaiseAnErrorStaysAbove(String condition) {
    fill(new Random(2));
    assertThat(isTotal(condition)).isFalse();
  }
}
