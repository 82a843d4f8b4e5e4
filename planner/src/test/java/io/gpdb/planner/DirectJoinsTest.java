package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.sql.direct.DirectAnalysis;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Joins of tables of few rows, and set operations, that are planned from their words have the
 * columns, rows and errors that the planner's plans have. {@code -Dgpdb.seed=S} replays one round,
 * {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class DirectJoinsTest {
  private static final int ROUNDS = 3;
  private static final int QUERIES = 200;
  private static final int[] ROW_COUNTS = {0, 1, 3, 9, 40};

  /** Of so many queries at least one is answered without the planner. */
  private static final int DIRECT_IN = 6;

  private static final Pattern KEY_THAT_RAISES = Pattern.compile("\\w / \\S+ = [a-z]");

  private Random random = new Random(0);

  /** The names by which columns of the tables in FROM can be read. */
  private List<String> columns = List.of();

  @Test
  void directJoinsAgreeWithPlans() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  /** In which order tables are joined says which rows come first. */
  @Test
  void limitsOverJoinsAreLeftToThePlanner() {
    try (EndToEnd db = new EndToEnd()) {
      db.script("CREATE TABLE t (a INTEGER)", "CREATE TABLE u (k INTEGER)");
      for (String from : List.of("t, u", "t CROSS JOIN u", "t JOIN u ON a = k")) {
        for (String limit : List.of(" LIMIT 2", " OFFSET 1", " ORDER BY 1 LIMIT 1")) {
          String sql = "SELECT a FROM " + from + limit;
          assertThat(DirectAnalysis.of(sql, db.catalogSnapshot())).as(sql).isNull();
        }
        assertThat(DirectAnalysis.of("SELECT a FROM " + from, db.catalogSnapshot())).isNotNull();
      }
    }
  }

  private void round(long seed, List<String> problems) {
    random = new Random(seed);
    int direct = 0;
    try (EndToEnd db = EndToEnd.emulated(EmulatedOptions.standard())) {
      db.script(
          "CREATE TABLE t (a INTEGER, b BIGINT NOT NULL, d DECIMAL(8, 2), q REAL, n VARCHAR(9))",
          "CREATE TABLE u (k BIGINT PRIMARY KEY, a INTEGER NOT NULL, x INTEGER)",
          "CREATE TABLE v (y INTEGER, z DECIMAL(9, 2))");
      for (String table : List.of("t", "u", "v")) {
        fill(db, table, one(ROW_COUNTS));
      }
      for (int i = 0; i < QUERIES; i++) {
        String sql = query();
        String wanted = answer(db, db.unshared, sql);
        String found = answer(db, db.direct, sql);
        if (!wanted.equals(found) && !isKeyThatRaises(sql, wanted, found)) {
          problems.add("seed " + seed + ": " + sql + "\n " + wanted + "\n " + found);
        }
        direct += isDirect(db, sql) ? 1 : 0;
      }
    }
    assertThat(direct).as("seed %d", seed).isGreaterThan(QUERIES / DIRECT_IN);
  }

  private void fill(EndToEnd db, String table, int rows) {
    for (int r = 0; r < rows; r++) {
      db.run(
          "INSERT INTO "
              + table
              + " VALUES ("
              + switch (table) {
                case "t" ->
                    value()
                        + ", "
                        + random.nextInt(6)
                        + ", "
                        + one("NULL", "1", "2.5")
                        + ", 0.5, 'n'";
                case "u" -> r + ", " + random.nextInt(6) + ", " + value();
                default -> value() + ", " + one("NULL", "1.5", "2.50", "3");
              }
              + ")");
    }
    db.run("DELETE FROM t WHERE a = 3");
  }

  private String value() {
    return random.nextInt(6) == 0 ? "NULL" : String.valueOf(random.nextInt(7));
  }

  private String one(String... of) {
    return of[random.nextInt(of.length)];
  }

  private int one(int[] of) {
    return of[random.nextInt(of.length)];
  }

  // Queries

  private String query() {
    if (random.nextInt(3) > 0) {
      return select(1 + random.nextInt(3), false);
    }
    int width = 1 + random.nextInt(2);
    return Stream.generate(() -> select(width, true))
        .limit(2 + random.nextInt(3))
        .reduce((a, b) -> a + " " + operator() + " " + b)
        .orElseThrow();
  }

  private String operator() {
    return one("UNION", "EXCEPT", "INTERSECT", "UNION ALL", "EXCEPT ALL", "INTERSECT ALL")
        + one("", "", "", "", "", " DISTINCT");
  }

  private String select(int width, boolean combined) {
    String from = from(combined ? 1 + random.nextInt(2) : 2 + random.nextInt(3));
    String where =
        IntStream.range(0, random.nextInt(5))
            .mapToObj(i -> condition(2))
            .collect(Collectors.joining(" AND "));
    boolean grouped = !combined && random.nextInt(4) == 0;
    String key = column();
    String items =
        grouped
            ? key + ", COUNT(*), SUM(" + column() + "), MIN(" + column() + ")"
            : Stream.generate(this::item).limit(width).collect(Collectors.joining(", "));
    return "SELECT "
        + one("", "", "", "", "DISTINCT ")
        + (random.nextInt(20) == 0 && !grouped ? "*" : items)
        + from
        + (where.isEmpty() ? "" : " WHERE " + where)
        + (grouped ? " GROUP BY " + key : "")
        + (combined || random.nextInt(5) > 0 ? "" : " ORDER BY 1")
        + (combined && random.nextInt(25) == 0 ? " ORDER BY 1" : "");
  }

  private String from(int tables) {
    List<String> names = new ArrayList<>();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < tables; i++) {
      String table = one("t", "u", "v");
      String name = random.nextInt(30) == 0 ? table : table + i;
      names.add(name.equals(table) ? table : table + one(" ", " AS ") + name);
      for (String column : columnsOf(table)) {
        all.add(name + "." + column);
      }
    }
    columns = all;
    String from = names.getFirst();
    for (int i = 1; i < tables; i++) {
      from = i > 1 && isJoin(from) && random.nextInt(4) == 0 ? "(" + from + ")" : from;
      from += one(", ", ", ", " CROSS JOIN ", " JOIN ", " INNER JOIN ") + names.get(i);
      boolean on =
          from.endsWith(" JOIN " + names.get(i)) && !from.endsWith("CROSS JOIN " + names.get(i));
      from += on ? " ON " + condition(1) : "";
    }
    boolean grouped = (tables > 1 || random.nextInt(20) == 0) && random.nextInt(4) == 0;
    return " FROM " + (grouped && isJoin(from) ? "(" + from + ")" : from);
  }

  private static boolean isJoin(String from) {
    return !from.contains(",");
  }

  private List<String> columnsOf(String table) {
    return switch (table) {
      case "t" -> List.of("a", "b", "a", "b", one("d", "q", "n", "a"));
      case "u" -> List.of("k", "a", "x");
      default -> List.of("y", "y", one("z", "y"));
    };
  }

  private String column() {
    return columns.get(random.nextInt(columns.size()));
  }

  private String item() {
    return switch (random.nextInt(8)) {
      case 0 -> column() + " + " + random.nextInt(9);
      case 1 -> column() + " * " + column() + one("", " AS w");
      case 2 -> String.valueOf(random.nextInt(5));
      case 3 -> "CASE WHEN " + condition(1) + " THEN " + column() + " END";
      default -> column() + one("", "", " AS v", " k");
    };
  }

  private String condition(int depth) {
    return switch (random.nextInt(depth == 0 ? 7 : 13)) {
      case 0, 1 -> column() + " = " + column();
      case 2 -> column() + one(" < ", " >= ", " <> ") + column();
      case 3 -> column() + " = " + random.nextInt(7);
      case 4 -> random.nextInt(7) + " = " + column();
      case 5 -> column() + one(" IN (", " NOT IN (") + "1, 3, " + random.nextInt(7) + ")";
      case 6 -> column() + one(" IS NULL", " IS NOT NULL", " BETWEEN 1 AND 3", " = NULL");
      case 7 -> "(" + condition(depth - 1) + " OR " + condition(depth - 1) + ")";
      case 8 -> "NOT (" + condition(depth - 1) + ")";
      case 9 -> "COALESCE(" + column() + ", 2) = " + column();
      case 10 -> column() + one(" + ", " / ") + column() + " = " + column();
      case 11 -> one("1 = 1", "1 = 2", "NULL = 1", "-" + column() + " < 0");
      default -> column() + " = " + column();
    };
  }

  // Answers

  /**
   * Whether one of two answers is the error of a quotient that is a key of a join. Keys are
   * computed for all rows of their table, unless nothing is read because the condition can never
   * hold; which of both a plan does is free.
   */
  private static boolean isKeyThatRaises(String sql, String wanted, String found) {
    return KEY_THAT_RAISES.matcher(sql).find()
        && wanted.startsWith("DIVISION_BY_ZERO") != found.startsWith("DIVISION_BY_ZERO");
  }

  private static boolean isDirect(EndToEnd db, String sql) {
    Transaction tx = db.begin();
    try {
      EndToEnd.rows(db.direct, tx, sql);
      return db.direct.prepare(sql, tx) instanceof DirectPlan plan && !plan.isPlanned();
    } catch (GpdbException e) {
      return false;
    } finally {
      tx.rollback();
    }
  }

  /** The answer as text, its rows in no order: any table may be the outer one. */
  private static String answer(EndToEnd db, QueryEngine engine, String sql) {
    Transaction tx = db.begin();
    try {
      Prepared prepared = engine.prepare(sql, tx);
      List<String> rows = EndToEnd.rows(engine, tx, sql).stream().sorted().toList();
      return prepared.kind() + " " + prepared.columns() + " " + rows;
    } catch (GpdbException e) {
      return e.code() + " " + e.getMessage();
    } finally {
      tx.rollback();
    }
  }
}
