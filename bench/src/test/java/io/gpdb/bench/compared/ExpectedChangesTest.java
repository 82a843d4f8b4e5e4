package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.compared.Scope.Column;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Random UPDATE, DELETE, INSERT, MERGE and upserts leave the rows, and count those, that a query
 * said before they would; within transactions that another connection sees nothing of before their
 * commit, with savepoints that are rolled back. {@code -Dgpdb.seed=S} replays one round, {@code
 * -Dgpdb.fuzz=N} runs N rounds, from the seed's on where both are given; {@code -Dgpdb.rows=N}
 * makes tables of up to N rows.
 */
class ExpectedChangesTest {
  private static final int ROUNDS = 2;
  private static final int TRANSACTIONS = 10;

  /** A key that is there already, none that ON CONFLICT could name, a value beyond its column. */
  private static final String NO_FAULT = "23505|42P10|22003";

  /** Between the ids of one change's new rows and the next one's. */
  private static final int FRESH = 1_000_000;

  /**
   * A change.
   *
   * @param rows a query with the rows that it leaves
   * @param count a query with one number, of the rows that it changes; empty for any
   */
  private record Change(String sql, String rows, String count) {
    Change unmarked() {
      return new Change(Kind.unmarked(sql), Kind.unmarked(rows), Kind.unmarked(count));
    }
  }

  private final List<String> problems = new ArrayList<>();
  private int compared;
  private int undecided;
  private int failed;

  @Test
  void changesLeaveTheRowsThatQueriesSaid() throws SQLException {
    long[] seeds = Seeds.of(ROUNDS);
    for (long seed : seeds) {
      new Round(seed).run();
    }
    String counts = "%d compared, %d undecided, %d failed".formatted(compared, undecided, failed);
    System.out.println("ExpectedChangesTest: " + counts);
    assertThat(problems).as(counts).isEmpty();
    assertThat(compared).isGreaterThan(seeds.length * TRANSACTIONS);
  }

  /** Tables, and transactions that change them. */
  private final class Round {
    private final long seed;
    private final Random random;
    private final Map<String, List<Column>> tables = new LinkedHashMap<>();
    private final RandomSelect queries;
    private RandomExpression expressions;
    private int fresh = FRESH;

    Round(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.queries = new RandomSelect(random, tables);
      this.expressions = queries.begin();
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    void run() throws SQLException {
      String url = "jdbc:gpdb:mem:changes" + seed + (chance(30) ? ";workers=4" : "");
      try (Connection db = DriverManager.getConnection(url);
          Connection other = DriverManager.getConnection(url)) {
        for (int i = 0; i < QueriesBesideDuckDbTest.TABLES; i++) {
          int rows = QueriesBesideDuckDbTest.ROWS_MAX * (chance(20) ? 40 : 1);
          tables.put(
              "t" + i,
              QueriesBesideDuckDbTest.table(random, "t" + i, rows, kind -> kind.type(random), db));
        }
        db.setAutoCommit(false);
        for (int i = 0; i < TRANSACTIONS && problems.isEmpty(); i++) {
          transaction(db, other);
        }
      }
    }

    private void transaction(Connection db, Connection other) throws SQLException {
      Map<String, Answer> before = all(db);
      List<String> script = new ArrayList<>();
      for (int i = random.nextInt(3); i >= 0; i--) {
        change(db, script);
        if (chance(50)) {
          Map<String, Answer> saved = all(db);
          Savepoint savepoint = db.setSavepoint();
          script.add("SAVEPOINT");
          for (int more = random.nextInt(3); more >= 0; more--) {
            change(db, script);
          }
          if (chance(70)) {
            db.rollback(savepoint);
            script.add("ROLLBACK TO");
            same("rolled back to a savepoint", script, saved, all(db));
          } else {
            db.releaseSavepoint(savepoint);
          }
        }
        same("seen by another connection", script, before, all(other));
      }
      Map<String, Answer> after = all(db);
      boolean committed = chance(60);
      if (committed) {
        db.commit();
      } else {
        db.rollback();
      }
      String end = committed ? "COMMIT" : "ROLLBACK";
      same(end, script, committed ? after : before, all(db));
      same(end + " elsewhere", script, committed ? after : before, all(other));
      db.rollback();
    }

    private Map<String, Answer> all(Connection db) {
      Map<String, Answer> rows = new LinkedHashMap<>();
      for (String table : tables.keySet()) {
        rows.put(table, Answer.of(db, "SELECT * FROM " + table));
      }
      return rows;
    }

    private void same(
        String what, List<String> script, Map<String, Answer> expected, Map<String, Answer> found) {
      expected.forEach((table, rows) -> check(what + " " + table, script, rows, found.get(table)));
    }

    private void check(String what, List<String> script, Answer expected, Answer found) {
      if (expected.isUndecided() || found.isUndecided()) {
        undecided++;
        return;
      }
      compared++;
      if (!found.isSame(expected)) {
        List<List<String>> more = new ArrayList<>(found.rows());
        List<List<String>> fewer = new ArrayList<>(expected.rows());
        more.removeAll(expected.rows());
        fewer.removeAll(found.rows());
        String problem =
            "-Dgpdb.seed=%d: %s%n  %s%n  %s, not %s%n  more %.300s%n  fewer %.300s"
                .formatted(seed, what, String.join("\n  ", script), found, expected, more, fewer);
        System.out.println(problem);
        problems.add(problem);
      }
    }

    private void change(Connection db, List<String> script) throws SQLException {
      List<String> names = List.copyOf(tables.keySet());
      String table = names.get(random.nextInt(names.size()));
      Change change = change(table, names.get(random.nextInt(names.size()))).unmarked();
      Answer expected = Answer.of(db, change.rows);
      Answer count = change.count.isEmpty() ? expected : Answer.of(db, change.count);
      List<String> longer = new ArrayList<>(script);
      longer.add(change.sql);
      if (expected.isUndecided() || count.isUndecided()) {
        undecided++;
        return;
      }
      Savepoint savepoint = db.setSavepoint();
      try (Statement statement = db.createStatement()) {
        int changed = statement.executeUpdate(change.sql);
        if (!change.count.isEmpty()) {
          Answer counted = Answer.of(List.of(List.of(String.valueOf(changed))));
          check("counts " + table + " by " + change.count, longer, count, counted);
        }
        String rows = "SELECT " + columns("", table) + " FROM " + table;
        check("leaves " + table + " as " + change.rows, longer, expected, Answer.of(db, rows));
        indexes(db, table, longer);
        script.add(change.sql);
      } catch (SQLException e) {
        Answer error = Answer.of(e);
        if (error.isUndecided()) {
          undecided++;
        } else if (error.state().matches(NO_FAULT) || error.state().equals(expected.state())) {
          failed++;
        } else {
          check(change.rows, longer, expected, error);
        }
        db.rollback(savepoint);
      }
    }

    /** Each value of a column is found as often as it is there. */
    private void indexes(Connection db, String table, List<String> script) {
      List<Column> columns = tables.get(table);
      String name = columns.get(random.nextInt(columns.size())).sql();
      String equal =
          "SELECT x.id, x.%s, (SELECT COUNT(*) FROM %s AS y WHERE y.%1$s = x.%1$s) FROM %2$s AS x";
      String window =
          "SELECT id, %s, CASE WHEN %1$s IS NULL THEN 0 ELSE COUNT(*) OVER (PARTITION BY %1$s) END"
              + " FROM %s";
      check(
          "found by " + name,
          script,
          Answer.of(db, window.formatted(name, table)),
          Answer.of(db, equal.formatted(name, table)));
    }

    private List<Column> named(String alias, String table) {
      return tables.get(table).stream()
          .map(column -> new Column(alias + "." + column.sql(), column.kind()))
          .toList();
    }

    private String columns(String alias, String table) {
      return tables.get(table).stream()
          .map(column -> alias + column.sql())
          .collect(Collectors.joining(", "));
    }

    private Scope scope(String y, String z) {
      Scope scope = Scope.within(null);
      scope.own().addAll(named("y", y));
      if (!z.isEmpty()) {
        scope.own().addAll(named("z", z));
      }
      return scope;
    }

    private String condition(Scope scope, int depth) {
      return "(" + expressions.condition(scope, depth, 2) + ")";
    }

    private String value(Column column, Scope scope, int depth) {
      boolean text = column.kind() == Kind.TEXT;
      String cast =
          "CAST("
              + expressions.of(column.kind(), scope, depth, 2)
              + " AS "
              + (text ? "VARCHAR(60)" : column.kind().sql)
              + ")";
      return text ? "SUBSTRING(" + cast + ", 1, 20)" : cast;
    }

    /** Values for some columns, by name; none for the id. */
    private Map<String, String> values(String table, Scope scope, int depth) {
      List<Column> columns =
          new ArrayList<>(tables.get(table).subList(1, tables.get(table).size()));
      Collections.shuffle(columns, random);
      Map<String, String> values = new LinkedHashMap<>();
      for (Column column : columns.subList(0, 1 + random.nextInt(columns.size()))) {
        values.put(column.sql(), value(column, scope, depth));
      }
      return values;
    }

    private static String assigned(Map<String, String> values) {
      return values.entrySet().stream()
          .map(each -> each.getKey() + " = " + each.getValue())
          .collect(Collectors.joining(", "));
    }

    /** The columns of y, with these values where a condition holds. */
    private String changed(String table, Map<String, String> values, String condition) {
      return tables.get(table).stream()
          .map(Column::sql)
          .map(
              name ->
                  values.containsKey(name)
                      ? "CASE WHEN %s THEN %s ELSE y.%s END"
                          .formatted(condition, values.get(name), name)
                      : "y." + name)
          .collect(Collectors.joining(", "));
    }

    private Change change(String table, String source) {
      expressions = queries.begin();
      fresh += FRESH;
      return switch (random.nextInt(10)) {
        case 0, 1 -> update(table);
        case 2, 3 -> delete(table);
        case 4 -> insert(table, source);
        case 5 -> joinedUpdate(table, source);
        case 6 -> joinedDelete(table, source);
        case 7, 8 -> upsert(table, source);
        default -> merge(table, source);
      };
    }

    private Change update(String table) {
      Scope scope = scope(table, "");
      Map<String, String> values = values(table, scope, 0);
      String condition = condition(scope, 0);
      String y = " FROM " + table + " AS y";
      return new Change(
          "UPDATE " + table + " AS y SET " + assigned(values) + " WHERE " + condition,
          "SELECT " + changed(table, values, condition) + y,
          "SELECT COUNT(*)" + y + " WHERE " + condition);
    }

    private Change delete(String table) {
      String condition = condition(scope(table, ""), 0);
      String y = " FROM " + table + " AS y";
      return new Change(
          "DELETE" + y + " WHERE " + condition,
          "SELECT " + columns("y.", table) + y + " WHERE " + condition + " IS NOT TRUE",
          "SELECT COALESCE(SUM(CASE WHEN " + condition + " THEN 1 END), 0)" + y);
    }

    private Change insert(String table, String source) {
      Scope scope = Scope.within(null);
      scope.own().addAll(named("z", source));
      Map<String, String> values = values(table, scope, 1);
      String rows = " FROM " + source + " AS z WHERE " + condition(scope, 1);
      String id = "z.id + " + fresh;
      return new Change(
          "INSERT INTO "
              + table
              + " (id, "
              + String.join(", ", values.keySet())
              + ") SELECT "
              + id
              + ", "
              + String.join(", ", values.values())
              + rows,
          "SELECT "
              + columns("y.", table)
              + " FROM "
              + table
              + " AS y UNION ALL SELECT "
              + inserted(table, id, values)
              + rows,
          "SELECT COUNT(*)" + rows);
    }

    private String inserted(String table, String id, Map<String, String> values) {
      return IntStream.range(0, tables.get(table).size())
          .mapToObj(i -> tables.get(table).get(i))
          .map(
              column ->
                  column.sql().equals("id")
                      ? id
                      : values.getOrDefault(
                          column.sql(), "CAST(NULL AS " + column.kind().sql + ")"))
          .collect(Collectors.joining(", "));
    }

    private Change joinedUpdate(String table, String source) {
      Scope scope = scope(table, source);
      Map<String, String> values = values(table, scope, 2);
      String condition = condition(scope, 2);
      String y = table + " AS y";
      String z = source + " AS z";
      String on = "y.id = z.id AND " + condition;
      return new Change(
          "UPDATE " + y + " SET " + assigned(values) + " FROM " + z + " WHERE " + on,
          "SELECT "
              + changed(table, values, "z.id IS NOT NULL AND " + condition)
              + " FROM "
              + y
              + " LEFT JOIN "
              + z
              + " ON y.id = z.id",
          "SELECT COUNT(*) FROM " + y + " CROSS JOIN " + z + " WHERE " + on);
    }

    private Change joinedDelete(String table, String source) {
      String condition = condition(scope(table, source), RandomExpression.DEPTH_MAX);
      String y = " FROM " + table + " AS y";
      String z = source + " AS z";
      String column = chance(50) ? "id" : "k1";
      String on = " WHERE y.id = z." + column + " AND " + condition;
      return new Change(
          "DELETE" + y + " USING " + z + on,
          "SELECT " + columns("y.", table) + y + " WHERE NOT EXISTS (SELECT 1 FROM " + z + on + ")",
          "SELECT COUNT(*)" + y + " WHERE EXISTS (SELECT 1 FROM " + z + on + ")");
    }

    /** Rows of the source with their own ids, of which the table has some. */
    private Change upsert(String table, String source) {
      Scope alone = Scope.within(null);
      alone.own().addAll(named("z", source));
      Map<String, String> inserted = values(table, alone, 2);
      String condition = condition(alone, 2);
      Scope both = scope(table, "");
      for (Column column : tables.get(table)) {
        if (inserted.containsKey(column.sql())) {
          both.own().add(new Column("EXCLUDED." + column.sql(), column.kind()));
        }
      }
      Map<String, String> values = values(table, both, RandomExpression.DEPTH_MAX);
      String updated = condition(both, RandomExpression.DEPTH_MAX);
      boolean kept = chance(30);
      String names = "id, " + String.join(", ", inserted.keySet());
      String rows =
          "SELECT z.id, %s FROM %s AS z WHERE %s"
              .formatted(String.join(", ", inserted.values()), source, condition);
      Map<String, String> offered = new LinkedHashMap<>();
      inserted.keySet().forEach(name -> offered.put(name, "e." + name));
      String e = "(" + rows + ") AS e (" + names + ")";
      String left =
          kept ? columns("y.", table) : changed(table, values, "e.id = y.id AND " + updated);
      return new Change(
          "INSERT INTO %s AS y (%s) %s ON CONFLICT (id) DO %s"
              .formatted(
                  table,
                  names,
                  rows,
                  kept ? "NOTHING" : "UPDATE SET " + assigned(values) + " WHERE " + updated),
          ("SELECT %s FROM %s AS y LEFT JOIN %s ON y.id = e.id UNION ALL SELECT %s FROM %3$s"
                  + " WHERE NOT EXISTS (SELECT 1 FROM %2$s AS y WHERE y.id = e.id)")
              .formatted(
                  left.replace("EXCLUDED.", "e."), table, e, inserted(table, "e.id", offered)),
          "");
    }

    private Change merge(String table, String source) {
      Scope scope = scope(table, source);
      Scope alone = Scope.within(null);
      alone.own().addAll(named("z", source));
      Map<String, String> values = values(table, scope, RandomExpression.DEPTH_MAX);
      String updated = condition(scope, RandomExpression.DEPTH_MAX);
      String deleted = condition(scope, RandomExpression.DEPTH_MAX);
      Map<String, String> inserted = values(table, alone, RandomExpression.DEPTH_MAX);
      String unmatched = condition(alone, RandomExpression.DEPTH_MAX);
      String id = "z.id + " + fresh;
      return new Change(
          ("MERGE INTO %s AS y USING %s AS z ON y.id = z.id WHEN MATCHED AND %s THEN UPDATE SET %s"
                  + " WHEN MATCHED AND %s THEN DELETE WHEN NOT MATCHED AND %s THEN INSERT (id, %s)"
                  + " VALUES (%s, %s)")
              .formatted(
                  table,
                  source,
                  updated,
                  assigned(values),
                  deleted,
                  unmatched,
                  String.join(", ", inserted.keySet()),
                  id,
                  String.join(", ", inserted.values())),
          ("SELECT %s FROM %s AS y LEFT JOIN %s AS z ON y.id = z.id"
                  + " WHERE z.id IS NULL OR %s OR %s IS NOT TRUE UNION ALL SELECT %s FROM %3$s AS z"
                  + " WHERE z.id NOT IN (SELECT id FROM %2$s) AND %7$s")
              .formatted(
                  changed(table, values, "z.id IS NOT NULL AND " + updated),
                  table,
                  source,
                  updated,
                  deleted,
                  inserted(table, id, inserted),
                  unmatched),
          "");
    }
  }
}
