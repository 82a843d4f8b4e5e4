package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.expression.compiler.Functions;
import io.gpdb.planner.expression.compiler.ScalarFunction;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.dialect.GpOperatorTable;
import io.gpdb.sql.dialect.SessionNames;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlTableFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every function of the registry has one outcome in kernels, on the host and through the bridge, is
 * NULL as it says, and raises only if it says so. {@code -Dgpdb.seed=S} replays one round, {@code
 * -Dgpdb.fuzz=N} runs N rounds.
 */
class FunctionsTest {
  private static final int ROUNDS = 1;
  private static final int ROWS = 12;
  private static final String[] COLUMNS = {
    "b BOOLEAN", "c BOOLEAN", "i SMALLINT", "j SMALLINT", "n INTEGER", "m INTEGER", "l BIGINT",
    "h BIGINT", "d DECIMAL(9, 3)", "f DECIMAL(18, 0)", "x DOUBLE", "y DOUBLE", "r REAL", "q REAL",
    "s VARCHAR(20)", "t VARCHAR(20)", "v CHAR(3)", "e DATE", "a DATE", "o TIME", "p TIME",
    "z TIMESTAMP", "w TIMESTAMP", "g DECIMAL(24, 4)", "u DECIMAL(24, 4)", "k DECIMAL(38, 0)"
  };

  /** What the converter makes other calls of, before there is anything to compute. */
  private static final Set<String> CONVERTED =
      Set.of(
          "DAYOFMONTH",
          "DAYOFWEEK",
          "DAYOFYEAR",
          "HOUR",
          "MINUTE",
          "MONTH",
          "QUARTER",
          "SECOND",
          "TIMESTAMPADD",
          "TIMESTAMPDIFF",
          "WEEK",
          "YEAR",
          "NULLIF",
          "IFNULL",
          "NVL");

  /** Has no expression of its own in SQL. */
  private static final Set<String> INTERNAL =
      Set.of(
          "ROW",
          "ITEM",
          "$NEXT_VALUE",
          "$CURRENT_VALUE",
          "$LAST_VALUE",
          "$RANDOM_UUID",
          "$RANDOM_SHARE",
          "$REQUIRED");

  private static final Map<String, List<String>> SAMPLES = new TreeMap<>();

  static {
    sample("AND", "b AND c", "b AND c IS NOT NULL");
    sample("OR", "b OR c", "b OR c IS NULL");
    sample("NOT", "NOT b");
    for (String test : List.of("NULL", "TRUE", "FALSE")) {
      String of = test.equals("NULL") ? "s" : "b";
      sample("IS " + test, of + " IS " + test);
      sample("IS NOT " + test, of + " IS NOT " + test);
    }
    for (String comparison : List.of("<", "IS DISTINCT FROM")) {
      for (String pair :
          List.of(
              "n m", "l i", "d n", "f d", "x y", "r x", "s t", "v t", "e a", "z w", "o p", "b c",
              "g u", "g k", "g n", "d g", "f k", "l k", "g x", "k r")) {
        sample(comparison, pair.replace(" ", " " + comparison + " "));
      }
    }
    for (String comparison : List.of("=", "<>", "<=", ">", ">=", "IS NOT DISTINCT FROM")) {
      sample(comparison, "d " + comparison + " n", "s " + comparison + " t");
      sample(comparison, "g " + comparison + " u", "k " + comparison + " g");
      sample(comparison, "d " + comparison + " g", "l " + comparison + " k");
    }
    sample("CASE", "CASE WHEN b THEN g WHEN c THEN n ELSE d END", "CASE WHEN b THEN k END");
    sample("COALESCE", "COALESCE(g, u, 0)", "COALESCE(n, k)", "COALESCE(d, l)");
    for (String extreme : List.of("GREATEST", "LEAST")) {
      for (String of : List.of("n, m, i", "d, n, x", "g, u, 0", "k, l", "e, a", "z, w", "b, c")) {
        sample(extreme, extreme + "(" + of + ")");
      }
    }
    for (String to : List.of("DOUBLE", "REAL", "BIGINT", "SMALLINT", "VARCHAR", "CHAR(4)")) {
      sample("CAST", "CAST(g AS " + to + ")", "CAST(k AS " + to + ")");
    }
    for (String from : List.of("i", "l", "d", "f", "g", "k", "x", "r", "s")) {
      sample("CAST", "CAST(" + from + " AS DECIMAL(30, 6))", "CAST(" + from + " AS DECIMAL(19))");
    }
    sample("CAST", "CAST(g AS DECIMAL(9, 2))", "CAST(k AS DECIMAL(18))");
    sample(
        "CASE", "CASE WHEN b THEN n WHEN c THEN l END", "CASE WHEN n > m THEN s ELSE 'none' END");
    sample("COALESCE", "COALESCE(n, l)", "COALESCE(s, t, 'none')", "COALESCE(e, a)");
    for (String cast : List.of("s AS DOUBLE", "x AS SMALLINT", "d AS CHAR(4)", "f AS REAL")) {
      sample("CAST", "CAST(" + cast + ")"); // CastsAgreeTest has the others
    }
    sample("CAST", "CAST(s AS DATE)", "CAST(z AS DATE)", "CAST(e AS TIMESTAMP)", "CAST(z AS TIME)");
    sample("CAST", "CAST(z AS TIMESTAMP(0))", "CAST(o AS TIME(1))", "CAST(z AS VARCHAR)");
    sample("$KEPT", "CAST(CAST(n AS DOUBLE) AS VARCHAR)");
    sample("Reinterpret", "TIMESTAMPDIFF(DAY, e, a)", "TIMESTAMPDIFF(MONTH, z, w)");
    for (String operation : List.of("+", "-", "*", "/")) {
      for (String pair :
          List.of(
              "i j", "n m", "l h", "l i", "d n", "f d", "x y", "r q", "r x", "n x", "g u", "g k",
              "k u", "d g", "f k", "l g", "i k", "g x", "r k")) {
        sample(operation, pair.replace(" ", " " + operation + " "));
      }
    }
    for (String interval : List.of("'1' MONTH", "'3' YEAR", "'40' DAY", "'-100' SECOND")) {
      sample("+", "e + INTERVAL " + interval, "z + INTERVAL " + interval);
      sample("-", "e - INTERVAL " + interval, "z - INTERVAL " + interval);
    }
    sample("+", "o + INTERVAL '90' MINUTE");
    String hours = "CAST(n AS INTERVAL HOUR(18))";
    sample("+", hours + " + INTERVAL '1:30' HOUR TO MINUTE");
    sample("-", hours + " - CAST(i AS INTERVAL SECOND(18))");
    sample("*", "n * INTERVAL '1.5' SECOND", "INTERVAL '7' MONTH * d", hours + " * x");
    sample("/", hours + " / i", "INTERVAL '7' MONTH / d", "INTERVAL '7' SECOND / x");
    sample("prefix -", "-" + hours);
    sample("ABS", "ABS(" + hours + ")");
    sample("EXTRACT", "EXTRACT(DAY FROM " + hours + " + INTERVAL '1' DAY)");
    sample("EXTRACT", "EXTRACT(SECOND FROM CAST(d AS INTERVAL SECOND(18)))");
    sample("CAST", "CAST(" + hours + " AS VARCHAR)", "CAST(s AS INTERVAL DAY)");
    sample(
        "MOD",
        "MOD(n, m)",
        "MOD(l, i)",
        "MOD(d, n)",
        "MOD(n, d)",
        "MOD(i, j)",
        "MOD(g, u)",
        "MOD(k, n)",
        "MOD(d, g)");
    sample("%", "n % m", "l % h");
    sample("prefix -", "-i", "-n", "-l", "-d", "-x", "-r", "-g", "-k");
    sample("prefix +", "+n", "+s");
    sample("ABS", "ABS(i)", "ABS(n)", "ABS(l)", "ABS(d)", "ABS(x)", "ABS(r)", "ABS(g)", "ABS(k)");
    sample("SQRT", "SQRT(n)", "SQRT(x)", "SQRT(d)", "SQRT(g)");
    for (String function : List.of("FLOOR", "CEIL")) {
      for (String of :
          List.of("n", "l", "d", "f", "g", "k", "x", "r", "z TO MONTH", "e TO YEAR", "o TO HOUR")) {
        sample(function, function + "(" + of + ")");
      }
    }
    for (String function :
        List.of(
            "ACOS", "ASIN", "ATAN", "CBRT", "COS", "COSH", "COT", "DEGREES", "EXP", "LN", "LOG10",
            "RADIANS", "SIN", "SINH", "TAN", "TANH")) {
      sample(function, function + "(x)", function + "(n)");
    }
    sample("ATAN2", "ATAN2(x, y)");
    sample("LOG", "LOG(x, y)", "LOG(2, n)", "LOG(n, d)");
    sample("PI", "PI + x");
    sample("POWER", "POWER(x, y)", "POWER(n, m)");
    sample(
        "ROUND",
        "ROUND(d, 1)",
        "ROUND(x)",
        "ROUND(n)",
        "ROUND(g, 1)",
        "ROUND(k)",
        "ROUND(l, i + 0)",
        "ROUND(x, i + 0)");
    sample("ROUND", "ROUND(r, 1)", "ROUND(g, j + 0)", "ROUND(i, -1)");
    sample("SIGN", "SIGN(n)", "SIGN(d)", "SIGN(x)", "SIGN(g)", "SIGN(r)", "SIGN(i)");
    sample("TRUNCATE", "TRUNCATE(d, 1)", "TRUNCATE(x)", "TRUNCATE(g, 1)", "TRUNCATE(l, i + 0)");
    sample("||", "s || t", "s || v || t");
    sample("CONCAT", "CONCAT(s, t)");
    for (String not : List.of("", "NOT ")) {
      sample(not + "LIKE", "s " + not + "LIKE t", "s " + not + "LIKE t ESCAPE '1'");
      sample(not + "ILIKE", "s " + not + "ILIKE t");
      sample(not + "SIMILAR TO", "s " + not + "SIMILAR TO 'a%'", "s " + not + "SIMILAR TO t");
    }
    for (String function :
        List.of(
            "ASCII",
            "BIT_LENGTH",
            "CHAR_LENGTH",
            "CHARACTER_LENGTH",
            "LENGTH",
            "INITCAP",
            "LOWER",
            "UPPER",
            "REVERSE",
            "OCTET_LENGTH")) {
      sample(function, function + "(s)");
    }
    sample("UPPER", "UPPER(v)");
    sample("SOUNDEX", "{fn SOUNDEX(s)}");
    sample("DIFFERENCE", "{fn DIFFERENCE(s, t)}", "{fn DIFFERENCE(s, 'ab')}");
    sample("CHR", "CHR(n)");
    sample("CHAR", "{fn CHAR(n)}");
    sample("SPACE", "{fn SPACE(n)}");
    sample("LEFT", "LEFT(s, i)", "LEFT(s, 2)");
    sample("RIGHT", "RIGHT(s, n)", "RIGHT(s, 2)");
    sample("LPAD", "LPAD(s, 4)", "LPAD(s, 6, t)");
    sample("RPAD", "RPAD(s, 4)", "RPAD(s, 6, t)");
    sample("LTRIM", "LTRIM(s)", "LTRIM(s, 'a1')", "LTRIM(s, t)");
    sample("RTRIM", "RTRIM(s)", "RTRIM(s, 'a1')", "RTRIM(s, t)");
    sample("TRIM", "TRIM(s)", "TRIM(LEADING 'a' FROM s)", "TRIM(BOTH t FROM s)");
    sample("OVERLAY", "OVERLAY(s PLACING t FROM 2)", "OVERLAY(s PLACING 'x' FROM i FOR j)");
    sample("POSITION", "POSITION(t IN s)", "POSITION('a' IN s FROM 2)");
    sample("SUBSTRING USING OCTETS", "SUBSTRING(s FROM i FOR 2 USING OCTETS)");
    sample("POSITION USING OCTETS", "POSITION(t IN s USING OCTETS)");
    sample("OVERLAY USING OCTETS", "OVERLAY(s PLACING t FROM i FOR j USING OCTETS)");
    sample("HEX", "HEX(s)");
    sample("MD5", "MD5(s)");
    sample("SHA1", "SHA1(s)");
    sample("SHA256", "SHA256(s)");
    sample("SHA512", "SHA512(s)");
    sample("NORMALIZE", "NORMALIZE(s)", "NORMALIZE(s, NFKD)", "NORMALIZE(s, t)");
    sample("REGEXP_SUBSTR", "REGEXP_SUBSTR(s, '[a-c]1?')", "REGEXP_SUBSTR(s, t, i, j, 'i')");
    sample("REGEXP_INSTR", "REGEXP_INSTR(s, '[a-c]1?')", "REGEXP_INSTR(s, t, i, j)");
    sample("REGEXP_COUNT", "REGEXP_COUNT(s, '[a-c]1?')", "REGEXP_COUNT(s, t, i, 'i')");
    sample("SPLIT_PART", "SPLIT_PART(s, t, i)", "SPLIT_PART(s, 'a', n)");
    sample("TO_CHAR", "TO_CHAR(e, 'YYYY-MM-DD Day')", "TO_CHAR(z, 'HH:MI:SS.FF3 AM')");
    sample("TO_DATE", "TO_DATE(s, 'YYYY-MM-DD')", "TO_DATE(TO_CHAR(e, 'YYYYDDD'), 'YYYYDDD')");
    sample("TO_TIMESTAMP", "TO_TIMESTAMP(s, 'YYYY-MM-DD')", "TO_TIMESTAMP(s, t)");
    sample("WIDTH_BUCKET", "WIDTH_BUCKET(d, 0, g, i)", "WIDTH_BUCKET(x, n, y, 7)");
    sample("REGEXP_LIKE", "REGEXP_LIKE(s, t)", "REGEXP_LIKE(s, '[a-c]1?', 'i')");
    sample(
        "REGEXP_REPLACE",
        "REGEXP_REPLACE(s, '[a-c]', t)",
        "REGEXP_REPLACE(s, t, 'x')",
        "REGEXP_REPLACE(s, 'A', '<$0>', 'i')");
    sample("TRANSLATE3", "TRANSLATE(s, 'ab1', 'xy')", "TRANSLATE(s, t, v)");
    sample("REPEAT", "REPEAT(s, 3)", "REPEAT(s, MOD(n, 5))");
    sample("REPLACE", "REPLACE(s, 'a', t)", "REPLACE(s, t, 'b')");
    sample("STRPOS", "STRPOS(s, t)");
    for (String ofIntegers : List.of("BITAND", "BITOR", "BITXOR", "GCD", "LCM")) {
      sample(ofIntegers, ofIntegers + "(l, h)", ofIntegers + "(i, n)", ofIntegers + "(n, 12)");
    }
    sample("SUBSTR", "SUBSTR(s, 2)", "SUBSTR(s, i, j)");
    sample("SUBSTRING", "SUBSTRING(s FROM i)", "SUBSTRING(s FROM 2 FOR n)");
    for (String unit :
        List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOW", "DOY", "CENTURY", "EPOCH")) {
      sample("EXTRACT", "EXTRACT(" + unit + " FROM e)", "EXTRACT(" + unit + " FROM z)");
    }
    for (String unit : List.of("HOUR", "MINUTE", "SECOND", "MILLISECOND")) {
      sample("EXTRACT", "EXTRACT(" + unit + " FROM o)", "EXTRACT(" + unit + " FROM z)");
    }
    sample("$EXTRACT_WHOLE", "SECOND(o)", "SECOND(z)");
    sample(
        "$AT_TIME_ZONE",
        "CAST(z AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE 'Asia/Tokyo'",
        "CAST(z AS TIMESTAMP WITH TIME ZONE) AT TIME ZONE s");
    sample("LAST_DAY", "LAST_DAY(e)", "LAST_DAY(z)");
    sample("DAYNAME", "{fn DAYNAME(e)}", "{fn DAYNAME(z)}");
    sample("MONTHNAME", "{fn MONTHNAME(e)}", "{fn MONTHNAME(z)}");
    sample("CURRENT_DATE", "CURRENT_DATE > e");
    sample("CURRENT_TIME", "CURRENT_TIME IS NULL");
    sample("LOCALTIME", "LOCALTIME IS NULL");
    sample("CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP > z");
    sample("LOCALTIMESTAMP", "LOCALTIMESTAMP > z");
  }

  private static void sample(String function, String... expressions) {
    SAMPLES.computeIfAbsent(function, f -> new ArrayList<>()).addAll(List.of(expressions));
  }

  @Test
  void everyOperatorOfTheDialectIsInTheRegistry() {
    Set<String> missing = new TreeSet<>();
    for (SqlOperator operator : GpOperatorTable.INSTANCE.getOperatorList()) {
      boolean scalar =
          operator instanceof SqlFunction
              && !(operator instanceof SqlAggFunction)
              && !(operator instanceof SqlTableFunction)
              && SessionNames.value(operator, SchemaPath.PUBLIC) == null;
      if (scalar && !CONVERTED.contains(operator.getName()) && Functions.of(operator) == null) {
        missing.add(operator.getName());
      }
    }
    assertThat(missing).isEmpty();
  }

  @Test
  void everyFunctionHasASample() {
    Set<String> names = new TreeSet<>(INTERNAL);
    names.addAll(SAMPLES.keySet());
    assertThat(Functions.all())
        .extracting(ScalarFunction::name)
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void everyFunctionHasOneOutcomeAndKeepsItsRules() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private static void round(long seed, List<String> problems) {
    Random random = new Random(seed);
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (id INTEGER PRIMARY KEY, " + String.join(", ", COLUMNS) + ")");
      List<Map<String, Object>> rows = new ArrayList<>();
      for (int k = 0; k < ROWS; k++) {
        rows.add(k == 0 ? Map.of() : row(random));
        List<@Nullable Object> values = new ArrayList<>();
        values.add(k);
        for (String column : COLUMNS) {
          values.add(rows.get(k).get(column.substring(0, 1)));
        }
        db.run("INSERT INTO t VALUES (?" + ", ?".repeat(COLUMNS.length) + ")", values.toArray());
      }
      for (ScalarFunction function : Functions.all()) {
        if (!INTERNAL.contains(function.name())) {
          new Check(db, function, rows, "-Dgpdb.seed=" + seed + ": ", problems).run();
        }
      }
    }
  }

  /** One function over all rows; columns that are NULL have no entry in a row. */
  private record Check(
      EndToEnd db,
      ScalarFunction function,
      List<Map<String, Object>> rows,
      String replay,
      List<String> problems) {
    void run() {
      boolean lenient = false;
      for (String expression : SAMPLES.getOrDefault(function.name(), List.of())) {
        for (int k = 0; k < rows.size(); k++) {
          String kernels = outcome(db.engine, expression, "id + 0 = ?", k);
          String bridge = outcome(db.bridge, expression, "id + 0 = ?", k);
          String host = outcome(db.engine, expression, "id = ?", k);
          String what = replay + expression + " of " + rows.get(k) + ": ";
          if (!kernels.equals(bridge) || !kernels.equals(host)) {
            problems.add(what + "kernels " + kernels + ", host " + host + ", bridge " + bridge);
          }
          boolean missing = !rows.get(k).keySet().containsAll(columns(expression));
          lenient |= missing && !kernels.equals("NULL") && !kernels.startsWith("error");
          if (missing && function.strict() && !kernels.equals("NULL")) {
            problems.add(what + kernels + " for NULL");
          }
          if (kernels.startsWith("error") && !function.raises()) {
            problems.add(what + kernels + ", though it never raises");
          }
        }
      }
      boolean timed = function.name().contains("TIME") || function.name().equals("CURRENT_DATE");
      if (!function.strict() && !lenient && !timed) {
        problems.add(replay + function.name() + " is NULL for every NULL");
      }
    }

    private String outcome(QueryEngine engine, String expression, String condition, int k) {
      Transaction tx = db.begin();
      try {
        String sql = "SELECT " + expression + " FROM t WHERE " + condition;
        return String.join(";", EndToEnd.rows(engine, tx, sql, k));
      } catch (GpdbException e) {
        return "error " + e.code().sqlState();
      } finally {
        tx.rollback();
      }
    }
  }

  /** Columns have names of one letter. */
  private static Set<String> columns(String expression) {
    Set<String> columns = new TreeSet<>();
    Pattern.compile("'[^']*'|\\b[a-z]\\b")
        .matcher(expression)
        .results()
        .filter(found -> !found.group().startsWith("'"))
        .forEach(found -> columns.add(found.group()));
    return columns;
  }

  private static Map<String, Object> row(Random random) {
    Map<String, Object> row = new TreeMap<>();
    for (String column : COLUMNS) {
      if (random.nextInt(6) > 0) {
        row.put(column.substring(0, 1), value(random, column.substring(2)));
      }
    }
    return row;
  }

  private static Object value(Random random, String type) {
    boolean small = random.nextInt(3) > 0;
    return switch (type) {
      case "BOOLEAN" -> random.nextBoolean();
      case "SMALLINT" -> small ? random.nextInt(7) - 2 : random.nextBoolean() ? -32768 : 32767;
      case "INTEGER" ->
          small
              ? random.nextInt(7) - 2
              : random.nextBoolean() ? Integer.MIN_VALUE : random.nextInt();
      case "BIGINT" ->
          small
              ? random.nextInt(7) - 2L
              : random.nextBoolean() ? Long.MIN_VALUE : random.nextLong();
      case "DECIMAL(9, 3)" ->
          BigDecimal.valueOf(
              small ? random.nextInt(20) * 500L - 5000 : random.nextInt(999_999_999), 3);
      case "DECIMAL(18, 0)" ->
          BigDecimal.valueOf(
              small ? random.nextInt(7) - 2 : random.nextLong() % 1_000_000_000_000_000_000L);
      case "DECIMAL(24, 4)" ->
          small
              ? BigDecimal.valueOf(random.nextInt(20) * 5000L - 50000, 4)
              : new BigDecimal(new BigInteger(79, random), 4)
                  .multiply(random.nextBoolean() ? BigDecimal.ONE : BigDecimal.ONE.negate());
      case "DECIMAL(38, 0)" ->
          small
              ? BigDecimal.valueOf(random.nextInt(7) - 2)
              : new BigDecimal(new BigInteger(random.nextBoolean() ? 126 : 62, random))
                  .multiply(random.nextBoolean() ? BigDecimal.ONE : BigDecimal.ONE.negate());
      case "DOUBLE" ->
          small
              ? (random.nextInt(9) - 3) / 2.0
              : List.of(-0.0, 1e300, -1e300, 1e-300, Double.NaN, Double.POSITIVE_INFINITY)
                  .get(random.nextInt(6));
      case "REAL" ->
          small
              ? (random.nextInt(9) - 3) / 2f
              : List.of(-0f, 3e38f, 1e-40f, Float.NaN).get(random.nextInt(4));
      case "VARCHAR(20)" ->
          List.of(
                  "",
                  "a",
                  "1",
                  " 7 ",
                  "1e3",
                  "a%",
                  "_b",
                  "aab1",
                  "a1%",
                  "1%",
                  "Éa👍",
                  "2020-02-29",
                  "true",
                  "-12.5",
                  "99999999999",
                  "ab cd")
              .get(random.nextInt(16));
      case "CHAR(3)" -> List.of("", "a", "abc", "1").get(random.nextInt(4));
      case "DATE" ->
          List.of(
                  "2020-02-29",
                  "0001-01-01",
                  "9999-12-31",
                  "1969-12-31",
                  "2023-01-31",
                  "2000-10-10")
              .get(random.nextInt(6));
      case "TIME" ->
          List.of("00:00:00", "23:59:59.999999", "12:30:15.25", "01:02:03").get(random.nextInt(4));
      case "TIMESTAMP" ->
          List.of(
                  "2020-02-29 10:11:12.123456",
                  "0001-01-01 00:00:00",
                  "9999-12-31 23:59:59.999999",
                  "1969-12-31 23:59:59.5",
                  "2000-03-01 00:00:00")
              .get(random.nextInt(5));
      default -> throw new IllegalArgumentException(type);
    };
  }
}
