package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.sql.direct.DirectAnalysis;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What is planned from its words is what the whole planner makes of the text: columns, parameters
 * and rows of random statements, many of them wrong. {@code -Dgpdb.seed=S} replays one round,
 * {@code -Dgpdb.fuzz=N} runs N rounds.
 */
class DirectPlansTest {
  private static final int ROUNDS = 3;
  private static final int STATEMENTS = 300;
  private static final int[] ROW_COUNTS = {0, 1, 2, 33, 200, 513};
  private static final List<String> TABLES = List.of("t", "T", "u", "v", "\"t\"", "PUBLIC.t", "no");
  private static final List<String> COLUMNS =
      List.of("id", "ID", "a", "b", "name", "s", "d", "r", "k", "c", "date", "\"ID\"", "t.a", "no");
  private static final List<String> ALIASES =
      List.of("", "", "", "", "", " AS n", " n", " AS select", " user", " AS value", " \"n\"");
  private static final List<String> SIGNS =
      List.of("=", "=", "<>", "<", "<=", ">", ">=", "!=", "IS", "==");

  private Random random = new Random(0);
  private int direct;

  @Test
  void directPlansAgreeWithPlans() {
    List<String> problems = new ArrayList<>();
    RandomSeeds.of(ROUNDS).forEach(seed -> round(seed, problems));
    assertThat(problems).isEmpty();
  }

  private void round(long seed, List<String> problems) {
    random = new Random(seed);
    direct = 0;
    try (EndToEnd db = new EndToEnd()) {
      db.script(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b BIGINT NOT NULL UNIQUE, name"
              + " VARCHAR(10), s SMALLINT, d DECIMAL(8, 2), r DOUBLE, \"DATE\" DATE, c CHAR(3))",
          "CREATE TABLE u (k BIGINT, name VARCHAR(10), a INTEGER, PRIMARY KEY (name, k))",
          "CREATE VIEW v AS SELECT id, a FROM t");
      fill(db, ROW_COUNTS[random.nextInt(ROW_COUNTS.length)]);
      for (int i = 0; i < STATEMENTS; i++) {
        String sql = statement();
        List<@Nullable Object> values = new ArrayList<>();
        sql.chars().filter(c -> c == '?').forEach(_ -> values.add(value()));
        String wanted = answer(db, db.unshared, sql, values);
        String found = answer(db, db.direct, sql, values);
        if (!wanted.equals(found)) {
          problems.add("seed " + seed + ": " + sql + values + "\n " + wanted + "\n " + found);
        }
        direct += DirectAnalysis.of(sql, db.catalogSnapshot()) == null ? 0 : 1;
      }
    }
    assertThat(direct).as("direct statements").isGreaterThan(STATEMENTS / 10);
  }

  private void fill(EndToEnd db, int rows) {
    for (int r = 0; r < rows; r++) {
      String name = random.nextInt(5) == 0 ? "NULL" : "'n" + random.nextInt(9) + "'";
      db.run(
          "INSERT INTO t VALUES ("
              + r
              + ", "
              + number()
              + ", "
              + r * 3
              + ", "
              + name
              + ", 1, 2.5, 0.1, NULL, 'c')");
      if (random.nextInt(3) == 0) {
        db.run("INSERT INTO u VALUES (" + r + ", 'n" + random.nextInt(3) + "', " + number() + ")");
      }
    }
    db.run("DELETE FROM t WHERE a = 2");
  }

  private String number() {
    return one(List.of("NULL", "0", "1", "2", "7", "-5", "2147483647"));
  }

  private @Nullable Object value() {
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 -> "n" + random.nextInt(9);
      default -> (long) random.nextInt(40);
    };
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Mostly of the table's own columns; sometimes anything. */
  private String column(String table) {
    if (random.nextInt(20) == 0) {
      return one(COLUMNS);
    }
    return one(
        table.equals("u") ? List.of("k", "name", "a") : List.of("id", "a", "b", "name", "ID", "s"));
  }

  private String statement() {
    String table = random.nextInt(6) == 0 ? one(TABLES) : one(List.of("t", "u"));
    boolean totals = random.nextBoolean();
    String items =
        random.nextInt(8) == 0
            ? one(List.of("*", "COUNT(*)", "count( * )", "DISTINCT a", "a, *", "COUNT(*), a"))
            : IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(_ -> (totals ? total(table) : column(table)) + one(ALIASES))
                .collect(Collectors.joining(one(List.of(",", ", "))));
    return "SELECT "
        + items
        + one(List.of(" ", "\n"))
        + "FROM "
        + table
        + where(table)
        + one(List.of("", "", "", "", "", ";", " ;; ", " LIMIT 3", " ORDER BY 1"));
  }

  private String total(String table) {
    String function = one(List.of("COUNT", "SUM", "MIN", "MAX", "sum", "Count", "AVG"));
    return function + one(List.of("(", "( ", " (")) + column(table) + one(List.of(")", "\n )"));
  }

  private String where(String table) {
    if (random.nextInt(3) == 0) {
      return "";
    }
    if (random.nextInt(3) == 0) {
      return table.equals("u") ? " WHERE name = ? AND k = ?" : " WHERE id = ?";
    }
    return Stream.generate(() -> condition(table))
        .limit(1 + random.nextInt(2))
        .collect(Collectors.joining(random.nextInt(8) == 0 ? " OR " : " and ", " WHERE ", ""));
  }

  private String condition(String table) {
    String operand = random.nextInt(4) == 0 ? one(List.of("3", "'n1'", "NULL", "1.5")) : "?";
    return column(table) + " " + one(SIGNS) + " " + operand;
  }

  /** What a statement is and does, as text. */
  private static String answer(
      EndToEnd db, QueryEngine engine, String sql, List<@Nullable Object> values) {
    Transaction tx = db.begin();
    try {
      Prepared prepared = engine.prepare(sql, tx);
      List<ParameterDef> parameters = prepared.parameters();
      String is = prepared.kind() + " " + prepared.columns() + " " + parameters;
      Object[] fitting = new Object[parameters.size()];
      for (int i = 0; i < fitting.length; i++) {
        boolean text = parameters.get(i).type().kind().isCharacter();
        Object value = values.get(i);
        fitting[i] = value == null || text == value instanceof String ? value : text ? "n1" : 1L;
      }
      return is + EndToEnd.rows(engine, tx, sql, fitting);
    } catch (GpdbException e) {
      return e.code() + " " + e.getMessage();
    } finally {
      tx.rollback();
    }
  }
}
