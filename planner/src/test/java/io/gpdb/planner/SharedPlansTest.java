package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.statement.StatementKind;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.math.BigDecimal;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharedPlansTest {
  private static final int STATEMENTS = 300;

  private static final String[] COLUMNS = {"id", "s", "b", "d", "r", "f", "v", "c", "day", "yes"};

  private static final String[] LITERALS = {
    "0",
    "1",
    "2",
    "-1",
    "7",
    "40000",
    "-2147483648",
    "3000000000",
    "16777217",
    "9007199254740993",
    "999999999999999999",
    "9999999999999999999",
    "1.5",
    "0.1",
    "-0.25",
    "1.005",
    "2.0",
    "99999.99",
    "'a'",
    "'it''s'",
    "'a '",
    "''",
    "'7'",
    "'x?y'",
    "'2001-02-03'",
    "'longer than the column'",
    "NULL",
    "TRUE",
    "1e2",
    "DATE '2001-02-03'",
    "X'0a'"
  };

  private final EndToEnd db = new EndToEnd();

  @BeforeEach
  void createTable() {
    db.script(
        "CREATE TABLE t (id INT PRIMARY KEY, s SMALLINT, b BIGINT, d DECIMAL(7, 2), r REAL,"
            + " f DOUBLE, v VARCHAR(12), c CHAR(3), day DATE, yes BOOLEAN)",
        "INSERT INTO t VALUES (0, 0, 0, 0, 0, 0, '', '', '2001-02-03', TRUE),"
            + " (1, 1, 3000000000, 1.5, 0.1, 0.1, 'a', 'a', '2001-02-04', FALSE),"
            + " (2, -1, -1, 0.25, 16777216, 9007199254740992, 'it''s', '7', NULL, NULL),"
            + " (7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, TRUE)");
  }

  @AfterEach
  void close() {
    db.close();
  }

  private Prepared prepare(String sql) {
    return db.inTransaction(tx -> db.engine.prepare(sql, tx));
  }

  private static List<Object> taken(String sql) {
    SharedText text = SharedText.of(sql);
    return text == null ? List.of() : text.literals();
  }

  @Test
  void statementsThatDifferInLiteralsShareAPlan() {
    for (String sql :
        new String[] {
          "SELECT v FROM t WHERE id = 1",
          "SELECT count(*) FROM t WHERE d > 1.25 AND (v = 'a' OR t.b <> -5)",
          "SELECT v FROM t WHERE id IN (1, -2) AND v NOT IN ('a', 'bb')",
          "SELECT v FROM t WHERE id BETWEEN -1 AND 5 AND NOT t.d NOT BETWEEN 1 AND 1.5",
          "SELECT id FROM t ORDER BY 1 LIMIT 2 OFFSET 1",
          "UPDATE t SET v = 'b', d = 2.5 WHERE id = 1",
          "DELETE FROM t WHERE id = 99",
          "INSERT INTO t (id, v) VALUES (100, 'q')"
        }) {
      assertThat(prepare(sql)).as(sql).isInstanceOf(LiteralPlan.class);
    }
    assertThat(db.rows("SELECT v FROM t WHERE id = 1")).containsExactly("a");
    assertThat(db.rows("SELECT v FROM t WHERE id = 2")).containsExactly("it's");
  }

  @Test
  void aScanThatSetsAStringStaysAKernel() {
    assertThat(db.rows("EXPLAIN UPDATE t SET v = ? WHERE b > 0", "x").toString())
        .contains("[kernel scan]")
        .doesNotContain("[host]");
    assertThat(db.run("UPDATE t SET v = 'q', d = 1.5 WHERE b > 0")).isEqualTo(1);
    assertThat(db.run("UPDATE t SET v = 'r', d = 2.5 WHERE b > -9")).isEqualTo(3);
    assertThat(db.rows("SELECT id, v, d FROM t ORDER BY id"))
        .containsExactly("0|r|2.50", "1|r|2.50", "2|r|2.50", "7|NULL|NULL");
    assertThat(db.rows("SELECT DISTINCT CAST(? AS VARCHAR), v FROM t WHERE id < 3", "z"))
        .containsExactly("z|r");
  }

  @Test
  void literalsThatShapeAStatementStay() {
    for (String sql :
        new String[] {
          "SELECT id FROM t ORDER BY 1 LIMIT 100000",
          "SELECT id FROM (SELECT id FROM t LIMIT 2) AS x",
          "SELECT id + 5, id = 5 FROM t",
          "SELECT v FROM t WHERE v LIKE 'a%'",
          "SELECT v FROM t WHERE id IN (1, s)",
          "SELECT v FROM t WHERE id + 1 IN (1, 2)",
          "SELECT v FROM t WHERE (id, s) IN ((1, 2))",
          "SELECT v FROM t WHERE id IN (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17)",
          "SELECT v FROM t WHERE id + 1 = 2 + 3",
          "SELECT v FROM t WHERE id BETWEEN 1 AND s + 5",
          "SELECT v FROM t WHERE id BETWEEN s AND 5",
          "SELECT v FROM t WHERE id BETWEEN SYMMETRIC 5 AND 1",
          "SELECT v FROM t WHERE id BETWEEN 1 AND 5 + s",
          "SELECT v FROM t WHERE day = DATE '2001-02-03'",
          "SELECT CAST(d AS DECIMAL(5, 1)) FROM t WHERE id > 1 + 1",
          "SELECT id FROM t WHERE id = 5 -- why",
          "SELECT id FROM t WHERE id = ? AND s = 5",
          "WITH q AS (SELECT id FROM t WHERE id = 5) SELECT * FROM q",
          "CREATE TABLE u (a INT DEFAULT 5)",
          "INSERT INTO t (id) SELECT 5 FROM t"
        }) {
      assertThat(taken(sql)).as(sql).isEmpty();
    }
    assertThat(taken("SELECT 1 FROM t WHERE id = 5 GROUP BY 1 HAVING id = 6 LIMIT 7"))
        .containsExactly(BigDecimal.valueOf(5), BigDecimal.valueOf(7));
    assertThat(taken("SELECT 1 FROM t WHERE id BETWEEN 1 AND -2 AND v IN ('a', 'b') AND s = 3"))
        .containsExactly(BigDecimal.ONE, BigDecimal.valueOf(-2), "a", "b", BigDecimal.valueOf(3));
    assertThat(taken("SELECT 1 FROM t WHERE id = -5 UNION SELECT 2 FROM t WHERE \"V\" = 'it''s'"))
        .containsExactly(BigDecimal.valueOf(-5), "it's");
  }

  @Test
  void aLiteralThatItsParameterCannotHoldIsPlannedForItself() {
    for (String sql :
        new String[] {
          "SELECT id FROM t WHERE id = 3000000000",
          "SELECT id FROM t WHERE r = 0.1",
          "SELECT id FROM t WHERE d = 1.505",
          "SELECT id FROM t WHERE v = 7"
        }) {
      assertThat(prepare(sql)).as(sql).isNotInstanceOf(LiteralPlan.class);
    }
    assertThat(db.rows("SELECT id FROM t WHERE c = 'a'")).containsExactly("1");
    assertThat(db.rows("SELECT id FROM t WHERE id = 3000000000")).isEmpty();
  }

  @Test
  void sharedPlansAnswerAsPlansOfTheirOwnDo() {
    long seed = Long.getLong("gpdb.seed", 20261126L);
    System.out.println("SharedPlansTest: -Dgpdb.seed=" + seed);
    Random random = new Random(seed);
    int shared = 0;
    for (int i = 0; i < STATEMENTS; i++) {
      String sql = statement(random);
      shared += taken(sql).isEmpty() ? 0 : 1;
      assertThat(outcome(db.engine, sql)).as(sql).isEqualTo(outcome(db.unshared, sql));
    }
    assertThat(shared).isGreaterThan(STATEMENTS / 3);
  }

  /** What a statement does: its rows or its error, and the table after it. */
  private String outcome(QueryEngine engine, String sql) {
    Transaction tx = db.begin();
    try {
      String result;
      try {
        Prepared prepared = engine.prepare(sql, tx);
        result =
            prepared.kind() == StatementKind.QUERY
                ? prepared.columns() + " " + EndToEnd.rows(engine, tx, sql)
                : prepared.execute(tx, EndToEnd.bound(prepared)).toString();
      } catch (GpdbException e) {
        result = e.sqlState(); // which of several rows is named is open
      }
      return result + " " + EndToEnd.rows(db.unshared, tx, "SELECT * FROM t ORDER BY id");
    } finally {
      tx.rollback();
    }
  }

  private static String statement(Random random) {
    return switch (random.nextInt(6)) {
      case 0, 1 ->
          "SELECT id, v FROM t WHERE "
              + condition(random)
              + " ORDER BY 1 LIMIT "
              + random.nextInt(4)
              + (random.nextBoolean() ? " OFFSET 1" : "");
      case 2 -> "SELECT count(*) FROM t WHERE " + condition(random) + " GROUP BY s ORDER BY 1";
      case 3 ->
          "UPDATE t SET "
              + assignment(random)
              + (random.nextBoolean() ? ", " + assignment(random) : "")
              + " WHERE "
              + condition(random);
      case 4 -> "DELETE FROM t WHERE " + condition(random);
      default ->
          "INSERT INTO t (id, "
              + column(random)
              + ") VALUES (9, "
              + literal(random)
              + "), ("
              + literal(random)
              + ", "
              + literal(random)
              + ")";
    };
  }

  private static String condition(Random random) {
    String one = column(random) + comparison(random) + literal(random);
    String not = random.nextBoolean() ? " NOT" : "";
    return switch (random.nextInt(8)) {
      case 5, 6 -> column(random) + not + " IN (" + list(random) + ")";
      case 7 -> column(random) + not + " BETWEEN " + literal(random) + " AND " + literal(random);
      case 0 -> one + " AND " + condition(random);
      case 1 -> "(" + one + " OR " + condition(random) + ")";
      case 2 -> "NOT (" + one + ")";
      case 3 -> "id = " + literal(random);
      default -> one;
    };
  }

  private static String list(Random random) {
    int more = random.nextInt(3);
    StringBuilder list = new StringBuilder(literal(random));
    for (int i = 0; i < more; i++) {
      list.append(", ").append(literal(random));
    }
    return list.toString();
  }

  private static String assignment(Random random) {
    return column(random) + " = " + literal(random);
  }

  private static String column(Random random) {
    return COLUMNS[random.nextInt(COLUMNS.length)];
  }

  private static String comparison(Random random) {
    String[] all = {" = ", "<>", " < ", ">=", " > ", " <= "};
    return all[random.nextInt(all.length)];
  }

  private static String literal(Random random) {
    return LITERALS[random.nextInt(LITERALS.length)];
  }
}
