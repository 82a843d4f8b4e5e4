package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.direct.DirectAnalysis;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Expressions over few rows that are planned from their words have the columns, parameters, rows
 * and errors that the planner's plans have: random queries, many of which are wrong or fail. {@code
 * -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class DirectSelectionsTest {
  private static final int ROUNDS = 3;
  private static final int QUERIES = 400;
  private static final int[] ROW_COUNTS = {0, 1, 2, 7, 33};

  private static final Pattern JOINED = Pattern.compile("FROM .*(, [tu]|CROSS)");

  /** Of so many queries at least one is planned from its words. */
  private static final int DIRECT_IN = 5;

  private Random random = new Random(0);

  /** The names by which columns can be read. */
  private List<String> columns = List.of();

  private boolean grouped;

  @Test
  void directSelectionsAgreeWithPlans() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  /** What random queries seldom meet: where words seem to say one thing and mean another. */
  @Test
  void wordsThatMeanSomethingElseAreLeftToThePlanner() {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t (a INTEGER, b BIGINT NOT NULL, q REAL)",
          "CREATE TABLE u (k INTEGER)",
          "INSERT INTO u VALUES (1)",
          "INSERT INTO t VALUES (1, 2, 3E38), (-2, 5, 1), (NULL, 0, NULL), (1, 7, -3E38)");
      for (String sql :
          List.of(
              "SELECT q * CAST(3 AS REAL) FROM t",
              "SELECT q / 0 FROM t",
              "SELECT q - q * 1 FROM t",
              "SELECT - a AS a FROM t GROUP BY a HAVING a > 0",
              "SELECT b AS a, COUNT(*) FROM t GROUP BY a, b HAVING a > 0",
              "SELECT (a) DAY FROM t",
              "SELECT (a + 1) MONTHS FROM t",
              "SELECT a DAY FROM t",
              "SELECT COALESCE(CAST(NULL AS INTEGER), 1), COALESCE(CAST(NULL AS BIGINT), 1)",
              "SELECT COALESCE(CAST(CAST(NULL AS INTEGER) AS INTEGER), CAST(36 AS REAL))",
              "SELECT COALESCE(+ CAST(NULL AS INTEGER), CAST(36 AS REAL))",
              "SELECT COALESCE((SELECT a FROM t WHERE b = 2), 1) FROM t",
              "SELECT NULLIF((SELECT COUNT(*) FROM t), 4), 1 FROM t",
              "SELECT a FROM t y WHERE EXISTS(SELECT 1 FROM u AS y WHERE y.b = 2)",
              "SELECT a FROM t y WHERE EXISTS(SELECT 1 FROM u AS y WHERE b = 2)",
              "SELECT (SELECT a FROM t) FROM t",
              "SELECT (SELECT x.a FROM t x WHERE x.b = t.b) FROM t",
              "SELECT a FROM t x WHERE (SELECT SUM(x.a) FROM t) > 1",
              "SELECT COUNT(*), (SELECT MAX(b) FROM t) FROM t",
              "SELECT SUM(DISTINCT b), SUM(DISTINCT a) FROM t GROUP BY a LIMIT 2",
              "SELECT 1 FROM WHERE a = 1",
              "SELECT COUNT(*) HAVING COUNT(*) > 0",
              "SELECT COUNT(*) GROUP BY a",
              "SELECT x.a FROM t, t x LIMIT 1",
              "SELECT - 2147483648, + 2147483648, - + 5, + - 5 FROM t",
              "SELECT a BETWEEN SYMMETRIC 3 AND 1 FROM t",
              "SELECT a FROM t WHERE b = ANY (1, 2)",
              "SELECT a FROM t ORDER BY 1 NULLS FIRST",
              "SELECT a FROM t LIMIT 1 + 1",
              "SELECT a FROM t WHERE a = 99999999999",
              "SELECT MIN(a) FROM t WHERE b < 0 HAVING COUNT(*) = 0",
              "SELECT a FROM t WHERE CASE WHEN a = ? THEN 1 ELSE 0 END = 1",
              "SELECT a FROM t WHERE NULLIF(a, ?) = 1",
              "SELECT a FROM t WHERE b IN (?, 1, ?)",
              "SELECT a FROM t WHERE b BETWEEN ? AND 2147483648",
              "SELECT a FROM t WHERE a BETWEEN ? AND 2147483648",
              "SELECT a FROM t WHERE b IS NULL AND a > ?",
              "SELECT ? FROM t",
              "SELECT a FROM t WHERE + a = ?",
              "SELECT a FROM t WHERE ? = a LIMIT ?")) {
        Transaction tx = db.begin();
        assertThat(parameters(db.direct, sql, tx))
            .as(sql)
            .isEqualTo(parameters(db.unshared, sql, tx));
        tx.rollback();
        if (!sql.contains("?")) {
          assertThat(answer(db, db.direct, sql)).as(sql).isEqualTo(answer(db, db.unshared, sql));
        }
      }
    }
  }

  @Test
  void numbersAreRoundedAsThePlannerDoes() {
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE n (d DECIMAL(9, 3), q REAL, r DOUBLE, a INTEGER)",
          "INSERT INTO n VALUES (2.5, 2.5, 0.1, 7), (-2.5, -2.5, 0, -7), (0.499, 0.5, -0.5, 2)",
          "INSERT INTO n VALUES (-0.5, 16777217, 4.5, 3), (NULL, NULL, NULL, 1), (1, 0, 1E9, -1)",
          "INSERT INTO n VALUES (2, 9, 8, 16777217), (3, 0, 0, 4)",
          "INSERT INTO n VALUES (4, CAST('NaN' AS REAL), CAST('NaN' AS DOUBLE), 5)",
          "INSERT INTO n VALUES (5, CAST('-0.0' AS REAL), CAST('-0.0' AS DOUBLE), 6)");
      List<String> numbers = List.of("d", "q", "r", "a", "d * d", "AVG(a)", "- d", "ABS(r)");
      List<String> others = List.of("d", "q", "a", "AVG(a)", "16777217", "2147483648");
      for (String x : numbers) {
        for (String y : others) {
          for (String form :
              List.of("%s + %s", "%s - %s", "%s * %s", "%s / NULLIF(%s, 0)", "COALESCE(%s, %s)")) {
            requireSame(db, String.format(form, x, y));
          }
          requireSame(
              db, String.format("CASE WHEN %s < %s THEN 1 WHEN %1$s = %2$s THEN 2 END", x, y));
          requireSame(db, String.format("%s IN (%s, 1)", x, y));
          requireSame(db, String.format("%s IN (- %s, 16777216)", x, y));
          requireSame(db, String.format("%s BETWEEN %s AND 16777216", x, y));
        }
        for (String type : List.of("INTEGER", "BIGINT", "REAL")) {
          requireSame(db, String.format("CAST(%s AS %s)", x, type));
        }
        for (String aggregate :
            List.of("COUNT(", "MIN(", "MAX(", "SUM(", "AVG(", "COUNT(DISTINCT ")) {
          if (!x.startsWith("AVG")) {
            requireSame(db, "SELECT " + aggregate + x + ") FROM n");
          }
        }
      }
    }
  }

  private static void requireSame(EndToEnd db, String expression) {
    String sql =
        expression.startsWith("SELECT")
            ? expression
            : "SELECT "
                + expression
                + (expression.contains("AVG") ? ", a FROM n GROUP BY a, d" : ", a FROM n");
    assertThat(answer(db, db.direct, sql)).as(sql).isEqualTo(answer(db, db.unshared, sql));
  }

  private static String parameters(QueryEngine engine, String sql, Transaction tx) {
    try {
      return engine.prepare(sql, tx).parameters().toString();
    } catch (GpdbException e) {
      return e.code() + " " + e.getMessage();
    }
  }

  private void round(long seed, List<String> problems) {
    random = new Random(seed);
    int direct = 0;
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t (a INTEGER, b BIGINT NOT NULL, c INTEGER, name VARCHAR(10), s SMALLINT,"
              + " d DECIMAL(8, 2), r DOUBLE, f BOOLEAN, q REAL)",
          "CREATE TABLE u (k BIGINT PRIMARY KEY, a INTEGER NOT NULL, x INTEGER, n CHAR(3))");
      if (random.nextInt(4) == 0) {
        db.run("CREATE INDEX i ON t (a)");
      }
      fill(db, ROW_COUNTS[random.nextInt(ROW_COUNTS.length)]);
      for (int i = 0; i < QUERIES; i++) {
        String sql = query();
        String wanted = answer(db, db.unshared, sql);
        String found = answer(db, db.direct, sql);
        if (!wanted.equals(found)) {
          problems.add("seed " + seed + ": " + sql + "\n " + wanted + "\n " + found);
        }
        if (DirectAnalysis.of(sql, db.catalogSnapshot()) instanceof DirectStatement.Selection) {
          direct++;
        }
      }
    }
    assertThat(direct).as("seed %d", seed).isGreaterThan(QUERIES / DIRECT_IN);
  }

  private void fill(EndToEnd db, int rows) {
    for (int r = 0; r < rows; r++) {
      String name = random.nextInt(5) == 0 ? "NULL" : "'n" + random.nextInt(9) + "'";
      String truth = one(List.of("NULL", "TRUE", "FALSE"));
      db.run(
          String.format(
              "INSERT INTO t VALUES (%s, %d, %s, %s, 1, %s, %s, %s, %s)",
              value(),
              random.nextInt(9) - 4,
              value(),
              name,
              one(List.of("NULL", "2.5", "-1.25", "999999.99", "0", "3")),
              one(
                  List.of(
                      "NULL", "0.1", "-2.5", "1E300", "0", "7", "-0E0", "CAST('NaN' AS DOUBLE)")),
              truth,
              one(List.of("NULL", "0.1", "-7.5", "3E38", "0", "-0E0", "CAST('NaN' AS REAL)"))));
      if (random.nextInt(3) == 0) {
        db.run(String.format("INSERT INTO u VALUES (%d, %d, %s, 'c')", r, r % 4, value()));
      }
    }
    db.run("DELETE FROM t WHERE a = 2");
  }

  private String value() {
    return one(List.of("NULL", "0", "1", "2", "3", "7", "-5", "2147483647"));
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  // Queries

  private String query() {
    grouped = false;
    String from = from();
    boolean groups = random.nextInt(3) == 0;
    String where = random.nextInt(3) > 0 ? "" : " WHERE " + condition(2);
    List<String> all = columns;
    String by = "";
    if (groups) {
      List<String> keys = random.nextInt(3) == 0 ? List.of() : keys();
      by = keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys);
      columns = keys;
      grouped = true;
    }
    if (random.nextInt(6) == 0 && groups) {
      by += " HAVING " + condition(2);
    }
    boolean star = random.nextInt(20) == 0;
    int count = 1 + random.nextInt(4);
    String items =
        star ? "*" : Stream.generate(this::item).limit(count).collect(Collectors.joining(", "));
    columns = all;
    return "SELECT "
        + one(List.of("", "", "", "", "ALL ", "DISTINCT "))
        + items
        + from
        + where
        + by
        + order(count)
        + one(List.of("", "", "", "", "", " LIMIT 3", " LIMIT 2 OFFSET 1", " OFFSET 2", ";"));
  }

  private String from() {
    List<String> t = List.of("a", "b", "name", "s", "d", "d", "r", "r", "f", "A", "q", "q");
    List<String> whole = List.of("a", "b", "c", "a", "b", "c", "C", one(t), one(t));
    switch (random.nextInt(7)) {
      case 0 -> {
        columns = List.of();
        return "";
      }
      case 1 -> {
        columns = List.of("x.a", "x.b", "x.c", "b", "c", one(List.of("t.a", "x . a", "X.a")));
        return one(List.of(" FROM t AS x", " FROM t x", " FROM t AS x "));
      }
      case 2 -> {
        columns = List.of("t.a", "u.a", "k", "b", "x", "c", one(List.of("a", "u.b", "u.x")));
        return one(List.of(" FROM t, u", " FROM t CROSS JOIN u", " FROM u, t"));
      }
      case 3 -> {
        columns = List.of("x.a", "u.a", "x.k", "u.k", "x.x", one(List.of("a", "x")));
        return one(List.of(" FROM u, u AS x", " FROM u x CROSS JOIN u", " FROM u, u"));
      }
      case 4 -> {
        columns = List.of("k", "a", "x", "n", "u.a");
        return " FROM u";
      }
      default -> {
        columns = whole;
        return " FROM t";
      }
    }
  }

  private List<String> keys() {
    return columns.isEmpty()
        ? List.of()
        : Stream.generate(() -> one(columns)).limit(1 + random.nextInt(2)).toList();
  }

  private String item() {
    return number(3) + one(List.of("", "", "", "", " AS v", " w", " AS a", " b", " AS select"));
  }

  private String order(int items) {
    return random.nextInt(3) > 0
        ? ""
        : " ORDER BY "
            + Stream.generate(() -> sortKey(items) + one(List.of("", "", " ASC", " DESC")))
                .limit(1 + random.nextInt(3))
                .collect(Collectors.joining(", "));
  }

  private String sortKey(int items) {
    return random.nextInt(3) > 0 || columns.isEmpty()
        ? String.valueOf(1 + random.nextInt(items + (random.nextInt(20) == 0 ? 1 : 0)))
        : random.nextInt(4) == 0 ? one(List.of("v", "w", "a", "b")) : one(columns);
  }

  // Expressions

  private String literal() {
    return random.nextInt(30) == 0
        ? one(List.of("2147483647", "2147483648", "9223372036854775807", "1.5", "'n1'", "0"))
        : String.valueOf(random.nextInt(100));
  }

  private String leaf() {
    if (columns.isEmpty() || random.nextInt(3) == 0) {
      return random.nextInt(25) == 0 ? one(List.of("NULL", "( NULL )")) : literal();
    }
    return one(columns);
  }

  private String number(int depth) {
    if (depth == 0) {
      return leaf();
    }
    int below = depth - 1;
    if (grouped && random.nextInt(3) == 0) {
      return aggregate();
    }
    return switch (random.nextInt(22)) {
      case 0, 1 -> number(below) + one(List.of(" + ", " - ", "+")) + number(below);
      case 2, 3 -> number(below) + one(List.of(" * ", "*", " / ")) + number(below);
      case 4, 5 -> one(List.of("+ ", "- ", "- + ", "+ + ", "-")) + number(below);
      case 6, 7 -> "(" + one(List.of("", " ")) + number(below) + " )";
      case 8 -> "ABS( " + number(below) + " )";
      case 9 -> "COALESCE ( " + number(below) + ", " + number(below) + " )";
      case 10 -> "NULLIF ( " + number(below) + ", " + number(below) + " )";
      case 11 ->
          "CAST ( "
              + one(List.of("NULL", number(below), number(below), number(below)))
              + " AS "
              + one(List.of("INTEGER", "BIGINT", "INT", "REAL", "REAL", "SMALLINT"))
              + " )";
      case 12, 13 -> choice(below);
      case 14 -> random.nextInt(3) == 0 ? condition(below) : leaf();
      case 15 -> scalar();
      default -> leaf();
    };
  }

  private String scalar() {
    List<String> around = columns;
    boolean groupedAround = grouped;
    grouped = random.nextInt(6) > 0;
    columns = List.of();
    String item = grouped ? (random.nextBoolean() ? aggregate() : number(1)) : "y.a";
    String from = inner(around);
    columns = around;
    grouped = groupedAround;
    return "(SELECT " + item + from + ")";
  }

  /** FROM and WHERE of a subquery, whose table is called y. */
  private String inner(List<String> around) {
    boolean u = random.nextBoolean();
    List<String> own = u ? List.of("y.k", "y.x", "k", "y.a") : List.of("y.a", "y.b", "y.c", "b");
    columns = Stream.concat(own.stream(), around.stream()).toList();
    grouped = false;
    return " FROM " + (u ? "u" : "t") + " AS y" + (random.nextBoolean() ? "" : where());
  }

  private String where() {
    return " WHERE " + condition(1);
  }

  private String exists() {
    List<String> around = columns;
    boolean groupedAround = grouped;
    String exists = "EXISTS(SELECT " + one(List.of("1", "*", "y.a")) + inner(around) + ")";
    columns = around;
    grouped = groupedAround;
    return exists;
  }

  private String aggregate() {
    if (random.nextInt(4) == 0) {
      return one(List.of("COUNT(*)", "COUNT ( * )", "count( * )"));
    }
    grouped = false;
    List<String> keys = columns;
    columns = random.nextInt(3) == 0 || keys.isEmpty() ? List.of() : List.of("b", "b", "c", "a");
    String argument = number(2);
    columns = keys;
    grouped = true;
    return one(List.of("COUNT", "SUM", "MIN", "MAX", "SUM", "AVG"))
        + one(List.of("(", " ( "))
        + one(List.of("", "", "", "ALL ", "DISTINCT "))
        + argument
        + ")";
  }

  private String choice(int depth) {
    boolean of = random.nextInt(3) == 0;
    return "CASE "
        + (of ? number(depth) + " " : "")
        + Stream.generate(
                () ->
                    "WHEN "
                        + (of ? number(depth) : condition(depth))
                        + " THEN "
                        + number(depth)
                        + " ")
            .limit(1 + random.nextInt(2))
            .collect(Collectors.joining())
        + (random.nextInt(3) == 0 ? "" : "ELSE " + number(depth) + " ")
        + "END";
  }

  private String condition(int depth) {
    int below = Math.max(0, depth - 1);
    return switch (depth == 0 ? random.nextInt(6) : random.nextInt(13)) {
      case 0, 1, 2 -> number(below) + one(List.of(" = ", " < ", " >= ", " <> ")) + number(below);
      case 3 -> number(below) + one(List.of(" > ", "<=", " != ")) + leaf();
      case 4 -> number(below) + one(List.of(" IS NULL", " IS NOT NULL"));
      case 5 ->
          number(below)
              + one(List.of(" BETWEEN ", " NOT BETWEEN "))
              + number(below)
              + " AND "
              + number(below);
      case 6 ->
          number(below)
              + one(List.of(" IN ( ", " NOT IN ("))
              + Stream.generate(() -> number(0))
                  .limit(1 + random.nextInt(4))
                  .collect(Collectors.joining(", "))
              + ")";
      case 7 -> condition(below) + " AND " + condition(below);
      case 8 -> condition(below) + " OR " + condition(below);
      case 9 -> "NOT " + condition(below);
      case 10 -> "(" + condition(below) + ")";
      case 11 -> exists();
      default -> one(List.of("NOT NULL IS NOT NULL", "NULL = NULL", "(NULL) IS NULL", "f"));
    };
  }

  /** The answer as text, in no order where tables are joined: any may be the outer one. */
  static String answer(EndToEnd db, QueryEngine engine, String sql) {
    Transaction tx = db.begin();
    try {
      Prepared prepared = engine.prepare(sql, tx);
      List<String> rows = EndToEnd.rows(engine, tx, sql);
      if (JOINED.matcher(sql).find()) {
        rows = rows.stream().sorted().toList();
      }
      return prepared.kind() + " " + prepared.columns() + " " + rows;
    } catch (GpdbException e) {
      return e.code() + " " + e.getMessage();
    } finally {
      tx.rollback();
    }
  }
}
