package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Numbers as text become what {@link BigDecimal} makes of them, or raise the same SQLSTATE, by
 * kernels, on the host, through the bridge, as bound values and as literals. {@code -Dgpdb.seed=S}
 * replays one round, {@code -Dgpdb.fuzz=N} runs N rounds of 40 texts.
 */
class NumberTextsTest {
  private static final int ROUNDS = 1;
  private static final int TEXTS = 40;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?");
  private static final String NOT_A_NUMBER = "22018";
  private static final String OUT_OF_RANGE = "22003";

  /** A type of SQL and what a number is there. */
  private record Target(String type, Kind kind, int digits, int scale) {}

  private static final List<Target> TARGETS =
      List.of(
          new Target("TINYINT", Kind.TINYINT, 0, 0),
          new Target("SMALLINT", Kind.SMALLINT, 0, 0),
          new Target("INTEGER", Kind.INTEGER, 0, 0),
          new Target("BIGINT", Kind.BIGINT, 0, 0),
          new Target("DECIMAL(18, 0)", Kind.DECIMAL, 18, 0),
          new Target("DECIMAL(18, 18)", Kind.DECIMAL, 18, 18),
          new Target("DECIMAL(7, 3)", Kind.DECIMAL, 7, 3),
          new Target("REAL", Kind.REAL, 0, 0),
          new Target("DOUBLE", Kind.DOUBLE, 0, 0));

  @Test
  void textsAreReadAsTheNumbersThatTheySpell() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE texts (k INTEGER PRIMARY KEY, s VARCHAR)");
      for (int i = 0; i < TEXTS; i++) {
        String text = text(random);
        db.run("DELETE FROM texts");
        db.run("INSERT INTO texts VALUES (1, ?)", text);
        for (Target target : TARGETS) {
          String problem = problem(db, text, target);
          if (!problem.isEmpty()) {
            problems.add("-Dgpdb.seed=" + seed + ": '" + text + "' " + target.type + problem);
          }
        }
      }
    }
  }

  private static String problem(EndToEnd db, String text, Target target) {
    String expected = expected(text, target);
    String cast = "CAST(s AS " + target.type + ")";
    StringBuilder problem = new StringBuilder();
    check(problem, "kernel", expected, answer(db, db.engine, "SELECT " + cast + " FROM texts"));
    check(problem, "bridge", expected, answer(db, db.bridge, "SELECT " + cast + " FROM texts"));
    String byKey = "SELECT " + cast + " FROM texts WHERE k = 1";
    check(problem, "host", expected, answer(db, db.engine, byKey));
    String bound = "SELECT CAST(? AS " + target.type + ")";
    check(problem, "bound", expected, answer(db, db.engine, bound, text));
    if (NUMBER.matcher(text.strip()).matches() && text.matches("[0-9.]{1,18}")) {
      String literal = "SELECT CAST(" + text + " AS " + target.type + ")";
      check(problem, "literal", expected, answer(db, db.engine, literal));
    }
    return problem.toString();
  }

  private static void check(StringBuilder problem, String path, String expected, String answer) {
    if (!answer.equals(expected)) {
      problem.append(": ").append(path).append(' ').append(answer).append(" not ").append(expected);
    }
  }

  private static String answer(EndToEnd db, QueryEngine engine, String sql, Object... parameters) {
    Transaction tx = db.begin();
    try {
      return EndToEnd.rows(engine, tx, sql, parameters).getFirst();
    } catch (GpdbException e) {
      return e.code().sqlState();
    } finally {
      tx.rollback();
    }
  }

  private static String expected(String text, Target target) {
    String digits = text.strip();
    if (!NUMBER.matcher(digits).matches()) {
      return NOT_A_NUMBER;
    }
    BigDecimal number = new BigDecimal(digits);
    return switch (target.kind) {
      case TINYINT -> whole(number, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole(number, Short.MIN_VALUE, Short.MAX_VALUE);
      case INTEGER -> whole(number, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> whole(number, Long.MIN_VALUE, Long.MAX_VALUE);
      case REAL -> {
        float real = Float.parseFloat(digits);
        yield Float.isInfinite(real) ? OUT_OF_RANGE : Float.toString(real);
      }
      case DOUBLE -> {
        double real = Double.parseDouble(digits);
        yield Double.isInfinite(real) ? OUT_OF_RANGE : Double.toString(real);
      }
      default -> {
        BigDecimal scaled = number.setScale(target.scale, RoundingMode.HALF_UP);
        yield scaled.precision() > target.digits ? OUT_OF_RANGE : scaled.toPlainString();
      }
    };
  }

  private static String whole(BigDecimal number, long least, long most) {
    BigDecimal whole = number.setScale(0, RoundingMode.HALF_UP);
    boolean held =
        whole.compareTo(BigDecimal.valueOf(least)) >= 0
            && whole.compareTo(BigDecimal.valueOf(most)) <= 0;
    return held ? whole.toPlainString() : OUT_OF_RANGE;
  }

  private static String text(Random random) {
    String number =
        switch (random.nextInt(8)) {
          case 0 -> edge(random);
          case 1 -> damaged(random);
          case 2 -> digits(random, 1 + random.nextInt(4));
          case 3 -> digits(random, 1 + random.nextInt(12)) + "." + digits(random, 1);
          case 4 -> "." + digits(random, 1 + random.nextInt(20));
          default ->
              digits(random, 1 + random.nextInt(20)) + "." + digits(random, random.nextInt(20));
        };
    String exponent =
        switch (random.nextInt(6)) {
          case 0 -> (random.nextBoolean() ? "e" : "E") + (random.nextInt(60) - 30);
          case 1 -> "e" + (random.nextInt(1600) - 800);
          case 2 -> random.nextInt(4) == 0 ? "e" + (random.nextInt(9000) - 4500) : "e+05";
          default -> "";
        };
    String sign = List.of("", "", "-", "+").get(random.nextInt(4));
    String blanks = random.nextInt(8) == 0 ? "  " : "";
    return blanks + sign + number + exponent + blanks;
  }

  private static String edge(Random random) {
    return List.of(
            "32767.5",
            "32768",
            "2147483647.4",
            "2147483648",
            "9223372036854775807",
            "9223372036854775808",
            "999999999999999999.5",
            "0.9999999999999999995",
            "3.4028235677973366e38",
            "3.4028236e38",
            "1.7976931348623158e308",
            "1.8e308",
            "4.9e-324",
            "2.4e-324",
            "1.401298464324817e-45",
            "0",
            "0.000",
            "1e400",
            "1e39")
        .get(random.nextInt(19));
  }

  private static String damaged(Random random) {
    return List.of(
            "", ".", "e5", "1e", "1_000", "0x10", "1d", "1.0f", "1 2", "--1", "1.2.3", "1e5.5",
            "١٢", "½", "1,5", "1e+", "abc")
        .get(random.nextInt(17));
  }

  private static String digits(Random random, int count) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < count; i++) {
      digits.append((char) ('0' + (random.nextInt(3) == 0 ? 9 : random.nextInt(10))));
    }
    return digits.toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 0x10",
        "SELECT 1_000",
        "SELECT 1a",
        "SELECT 1.5e, 2",
        "SELECT 1e5x",
        "SELECT .5_",
        "SELECT 1 AS a, 10FROM texts",
        "SELECT k FROM texts WHERE k = 1and s = 'a'",
        "SELECT 1é",
        "VALUES (1), (2x)"
      })
  void aNumberIsNotFollowedByALetter(String sql) {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE texts (k INTEGER PRIMARY KEY, s VARCHAR)");
      assertThat(db.error(sql).code().sqlState()).isEqualTo("42601");
      assertThat(db.error(sql).getMessage()).contains("a number ends where a letter follows");
    }
  }

  @Test
  void namesStringsAndCommentsMayHoldDigitsBeforeLetters() {
    try (EndToEnd db = new EndToEnd()) {
      assertThat(
              db.rows(
                  "SELECT a1b, \"1a\", '0x10' /* 1a */ FROM (VALUES (1, 2)) v(a1b, \"1a\") -- 2b"))
          .containsExactly("1|2|0x10");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT CAST('1e400' AS DOUBLE)",
        "SELECT CAST('-1e400' AS DOUBLE)",
        "SELECT CAST('1e39' AS REAL)",
        "SELECT CAST(1e39 AS REAL)",
        "SELECT CAST(x AS REAL) FROM (VALUES (1e39)) v(x)",
        "SELECT * FROM numbers WHERE x > '1e400'",
        "SELECT * FROM numbers WHERE x = '1e400'",
        "SELECT x + '1e400' FROM numbers",
        "SELECT 1e400",
        "INSERT INTO numbers (x) VALUES ('1e400')",
        "INSERT INTO numbers (r) VALUES ('1e39')",
        "INSERT INTO numbers (r) VALUES (1e39)",
        "UPDATE numbers SET x = '1e400'",
        "UPDATE numbers SET r = x * 1e300"
      })
  void whatIsBeyondFloatingPointIsRefused(String sql) {
    try (EndToEnd db = new EndToEnd()) {
      db.script("CREATE TABLE numbers (x DOUBLE, r REAL)", "INSERT INTO numbers VALUES (1, 1)");
      assertThat(db.state(sql)).isEqualTo("22003");
    }
  }

  @Test
  void whatIsTooSmallIsZero() {
    try (EndToEnd db = new EndToEnd()) {
      assertThat(db.rows("SELECT CAST('1e-400' AS DOUBLE), CAST('-1e-60' AS REAL)"))
          .containsExactly("0.0|-0.0");
      assertThat(db.rows("SELECT CAST(? AS DOUBLE)", new BigDecimal("1e-999999999")))
          .containsExactly("0.0");
    }
  }

  @Test
  void boundNumbersBeyondTheTypeAreRefused() {
    try (EndToEnd db = new EndToEnd()) {
      BigDecimal huge = new BigDecimal("1e400");
      for (String type : List.of("DOUBLE", "REAL", "BIGINT", "DECIMAL(18, 2)")) {
        assertThat(db.state("SELECT CAST(? AS " + type + ")", huge)).isEqualTo("22003");
        assertThat(db.state("SELECT CAST(? AS " + type + ")", "1e400")).isEqualTo("22003");
      }
      BigDecimal endless = new BigDecimal("1e999999999");
      assertThat(db.state("SELECT CAST(? AS BIGINT)", endless)).isEqualTo("22003");
      assertThat(db.state("SELECT CAST(? AS VARCHAR)", endless)).isEqualTo("54000");
    }
  }
}
