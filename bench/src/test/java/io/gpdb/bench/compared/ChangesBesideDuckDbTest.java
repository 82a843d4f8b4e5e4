package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.compared.Scope.Column;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random UPDATE and DELETE, with subqueries, FROM and USING, leave the rows that they leave in
 * DuckDB. {@code -Dgpdb.seed=S} replays one round, {@code -Dgpdb.fuzz=N} runs N rounds, from the
 * seed's on where both are given.
 */
class ChangesBesideDuckDbTest {
  private static final int ROUNDS = 2;
  private static final int CHANGES = 15;

  private final List<String> problems = new ArrayList<>();
  private int compared;

  @Test
  void randomChangesLeaveTheRowsThatDuckDbHas() throws SQLException {
    long[] seeds = Seeds.of(ROUNDS);
    for (long seed : seeds) {
      round(seed);
    }
    System.out.println("ChangesBesideDuckDbTest: " + compared + " compared");
    assertThat(problems).isEmpty();
    assertThat(compared).isGreaterThan(seeds.length * CHANGES * 3 / 4);
  }

  private void round(long seed) throws SQLException {
    Random random = new Random(seed);
    try (Connection gpdb = DriverManager.getConnection("jdbc:gpdb:mem:");
        Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      Map<String, List<Column>> tables = new LinkedHashMap<>();
      for (int i = 0; i < QueriesBesideDuckDbTest.TABLES; i++) {
        tables.put("t" + i, QueriesBesideDuckDbTest.table(random, "t" + i, gpdb, duck));
      }
      duck.setAutoCommit(false);
      RandomSelect queries = new RandomSelect(random, tables);
      for (int i = 0; i < CHANGES; i++) {
        String table = "t" + random.nextInt(tables.size());
        String sql = Kind.unmarked(change(random, queries, tables, table));
        if (!isSame(seed, sql, table, gpdb, duck)) {
          return; // what follows would differ, too
        }
      }
    }
  }

  private static String change(
      Random random, RandomSelect queries, Map<String, List<Column>> tables, String table) {
    RandomExpression expressions = queries.begin();
    String other = "t" + random.nextInt(tables.size());
    boolean joined = random.nextInt(4) == 0;
    Scope scope = Scope.within(null);
    named("y", tables.get(table), scope);
    if (joined) {
      named("z", tables.get(other), scope);
    }
    String condition = expressions.condition(scope, joined ? RandomExpression.DEPTH_MAX : 0, 2);
    String where = " WHERE " + (joined ? "y.id = z.id AND " : "") + condition;
    String source = joined ? other + " AS z" : "";
    if (random.nextInt(3) == 0) {
      return "DELETE FROM " + table + " AS y" + (joined ? " USING " + source : "") + where;
    }
    List<Column> columns = tables.get(table);
    Column column = columns.get(1 + random.nextInt(columns.size() - 1));
    String value = expressions.of(column.kind(), scope, 0, 2);
    String cast = column.kind() == Kind.TEXT ? "VARCHAR(60)" : column.kind().sql;
    String assigned = "CAST(" + value + " AS " + cast + ")";
    return "UPDATE %s AS y SET %s = %s%s%s"
        .formatted(
            table,
            column.sql(),
            column.kind() == Kind.TEXT ? "SUBSTRING(" + assigned + ", 1, 20)" : assigned,
            joined ? " FROM " + source : "",
            where);
  }

  private static void named(String alias, List<Column> columns, Scope scope) {
    columns.forEach(
        column -> scope.own().add(new Column(alias + "." + column.sql(), column.kind())));
  }

  /** Whether both have the same rows still; what one of them refuses changes none. */
  private boolean isSame(long seed, String sql, String table, Connection gpdb, Connection duck)
      throws SQLException {
    if (!isKnown(sql, duck)) {
      duck.rollback();
      return true;
    }
    try {
      QueriesBesideDuckDbTest.execute(sql, gpdb);
    } catch (SQLException e) {
      boolean refused = "0A000".equals(e.getSQLState());
      if (!refused) {
        problems.add("-Dgpdb.seed=" + seed + ": " + sql + "\n  " + e);
      }
      duck.rollback();
      return refused;
    }
    duck.commit();
    compared++;
    List<String> found = rows(gpdb, table);
    List<String> expected = rows(duck, table);
    if (!found.equals(expected)) {
      problems.add(
          "-Dgpdb.seed=%d: %s%n  leaves %s%n  DuckDB %s".formatted(seed, sql, found, expected));
    }
    return found.equals(expected);
  }

  /** Runs a change on DuckDB, but for what it has not: IN of several columns of outer rows. */
  private static boolean isKnown(String sql, Connection duck) throws SQLException {
    try {
      QueriesBesideDuckDbTest.execute(sql, duck);
      return true;
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).startsWith("Not implemented Error")) {
        return false;
      }
      throw e;
    }
  }

  private static List<String> rows(Connection database, String table) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
      return QueriesBesideDuckDbTest.rows(rows);
    }
  }
}
