package io.gpdb.bench.compared;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.bench.compared.Scope.Column;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random queries have the rows that other queries say they have: aggregates, groups and HAVING
 * those of their rows split by a condition into true, false and unknown (ternary logic
 * partitioning, Rigger and Su, OOPSLA 2020); a filter the rows that a CASE counts (NoREC, ESEC/FSE
 * 2020); joins those of filters and of EXISTS; DISTINCT those of GROUP BY; first rows those of
 * ROW_NUMBER; windows those of correlated subqueries; prepared statements those of literals,
 * however often they run and whatever indexes are made or dropped in between. {@code -Dgpdb.seed=S}
 * replays one round, {@code -Dgpdb.fuzz=N} runs N rounds, from the seed's on where both are given;
 * {@code -Dgpdb.rows=N} makes tables of up to N rows.
 */
class PartitionedQueriesTest {
  private static final int ROUNDS = 2;
  private static final int QUERIES = 30;

  private final List<String> problems = new ArrayList<>();
  private int compared;
  private int undecided;

  @Test
  void queriesHaveTheRowsOfTheirParts() throws SQLException {
    long[] seeds = Seeds.of(ROUNDS);
    for (long seed : seeds) {
      new Round(seed).run();
    }
    String counts = "%d compared, %d undecided".formatted(compared, undecided);
    System.out.println("PartitionedQueriesTest: " + counts);
    assertThat(problems).as(counts).isEmpty();
    assertThat(compared).isGreaterThan(seeds.length * QUERIES * 3 / 4);
  }

  /** Tables, and queries over them. */
  private final class Round {
    private final long seed;
    private final Random random;
    private final Map<String, List<Column>> tables = new LinkedHashMap<>();
    private final RandomSelect queries;
    private final JoinsInOtherWords joined;
    private RandomExpression expressions;

    /** The tables of a query, and what is named of them. */
    private Scope scope = Scope.within(null);

    private String from = "";

    Round(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.queries = new RandomSelect(random, tables);
      this.joined = new JoinsInOtherWords(random, tables, queries);
      this.expressions = queries.begin();
    }

    private boolean chance(int percent) {
      return random.nextInt(100) < percent;
    }

    private String pick(String... texts) {
      return texts[random.nextInt(texts.length)];
    }

    private <T> T pick(List<T> all) {
      return all.get(random.nextInt(all.size()));
    }

    void run() throws SQLException {
      try (Connection db =
          DriverManager.getConnection(
              "jdbc:gpdb:mem:" + pick("", "", ";workers=4", ";memory_limit=" + (16 << 20)))) {
        for (int i = 0; i < QueriesBesideDuckDbTest.TABLES; i++) {
          int rows =
              chance(10) ? 40 * QueriesBesideDuckDbTest.ROWS_MAX : QueriesBesideDuckDbTest.ROWS_MAX;
          tables.put(
              "t" + i,
              QueriesBesideDuckDbTest.table(random, "t" + i, rows, kind -> kind.type(random), db));
        }
        for (int i = 0; i < QUERIES; i++) {
          begin();
          switch (random.nextInt(10)) {
            case 0 -> aggregates(db);
            case 1 -> groups(db);
            case 2, 3 -> having(db);
            case 4 -> counted(db);
            case 5 -> same(db, joined.joins());
            case 6 -> distinct(db);
            case 7 -> firstRows(db);
            case 8 -> same(db, joined.windows());
            default -> prepared(db);
          }
        }
      }
    }

    private void begin() {
      expressions = queries.begin();
      scope = Scope.within(null);
      from = queries.from(scope, chance(50) ? RandomExpression.DEPTH_MAX : 1);
    }

    private String condition(Scope of) {
      return "(" + expressions.condition(of, chance(50) ? 0 : 2, 2) + ")";
    }

    /** Aggregates of these calls, and how those of parts are put together. */
    private Map<String, String> calls(boolean whole) {
      Map<String, String> calls = new LinkedHashMap<>();
      calls.put("COUNT(*)", "SUM");
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        Column column = pick(scope.own());
        calls.put("COUNT(" + column.sql() + ")", "SUM");
        if (chance(70) && column.kind() != Kind.BOOLEAN) {
          calls.put("MIN(" + column.sql() + ")", "MIN");
          calls.put("MAX(" + column.sql() + ")", "MAX");
        }
        if (column.kind().isNumber()) {
          calls.put("SUM(" + column.sql() + ")", "SUM");
        }
        if (column.kind() == Kind.BOOLEAN) {
          calls.put("BOOL_AND(" + column.sql() + ")", "BOOL_AND");
          calls.put("BOOL_OR(" + column.sql() + ")", "BOOL_OR");
        }
        if (whole && chance(30)) {
          calls.put("COUNT(DISTINCT " + column.sql() + ")", "");
        }
      }
      return calls;
    }

    private static List<String> parts(String condition) {
      return List.of(condition, "NOT " + condition, condition + " IS NULL");
    }

    private void aggregates(Connection db) {
      Map<String, String> calls = calls(false);
      String items = String.join(", ", calls.keySet());
      String all = "SELECT " + items + " FROM " + from;
      String split =
          parts(condition(scope)).stream()
              .map(part -> all + " WHERE " + part)
              .collect(Collectors.joining(" UNION ALL "));
      same(db, "split aggregates", all, put(calls, List.of(), split));
    }

    /** Aggregates of the parts' aggregates, by keys. */
    private String put(Map<String, String> calls, List<Column> keys, String parts) {
      List<String> names = new ArrayList<>();
      List<String> items = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        names.add("k" + i);
      }
      String grouped = String.join(", ", names);
      items.addAll(names);
      for (String function : calls.values()) {
        String name = "c" + names.size();
        items.add(function + "(" + name + ")");
        names.add(name);
      }
      return "SELECT %s FROM (%s) AS z (%s)%s"
          .formatted(
              String.join(", ", items),
              parts,
              String.join(", ", names),
              keys.isEmpty() ? "" : " GROUP BY " + grouped);
    }

    private List<Column> keys() {
      List<Column> keys = new ArrayList<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        Column key = pick(scope.own());
        if (!keys.contains(key)) {
          keys.add(key);
        }
      }
      return keys;
    }

    private static String sql(List<Column> columns) {
      return columns.stream().map(Column::sql).collect(Collectors.joining(", "));
    }

    private void groups(Connection db) {
      Map<String, String> calls = calls(false);
      List<Column> keys = keys();
      String all =
          "SELECT " + sql(keys) + ", " + String.join(", ", calls.keySet()) + " FROM " + from;
      String by = " GROUP BY " + sql(keys);
      String split =
          parts(condition(scope)).stream()
              .map(part -> all + " WHERE " + part + by)
              .collect(Collectors.joining(" UNION ALL "));
      same(db, "split groups", all + by, put(calls, keys, split));
    }

    private void having(Connection db) {
      List<Column> keys = chance(80) ? keys() : List.of();
      List<Column> values = new ArrayList<>(keys);
      List<Column> items = new ArrayList<>(keys);
      for (Kind kind : Kind.values()) {
        String call = chance(70) ? expressions.aggregate(kind, scope, 1) : "";
        if (!call.isEmpty()) {
          values.add(new Column(call, kind));
        }
      }
      Column count = new Column("COUNT(*)", Kind.INTEGER);
      values.add(count);
      if (keys.isEmpty()) {
        items.add(count); // or nothing says that the rows are one group
      }
      Scope groups = new Scope(values, null);
      for (int i = 1 + random.nextInt(2); i > 0; i--) {
        Kind kind = Kind.any(random);
        items.add(new Column(expressions.of(kind, groups, 2, 2), kind));
      }
      String where = chance(50) ? " WHERE " + condition(scope) : "";
      String by = keys.isEmpty() ? "" : " GROUP BY " + sql(keys);
      String all = "SELECT " + sql(items) + " FROM " + from + where + by;
      String condition = condition(groups);
      String split =
          parts(condition).stream()
              .map(part -> all + " HAVING " + part)
              .collect(Collectors.joining(" UNION ALL "));
      same(db, "split by HAVING", all, split);
      String names = names(items.size());
      String outside =
          "SELECT %s FROM (SELECT %s, %s FROM %s%s%s) AS z (%s, p) WHERE p"
              .formatted(names, sql(items), condition, from, where, by, names);
      same(db, "HAVING outside", all + " HAVING " + condition, outside);
    }

    private static String names(int count) {
      List<String> names = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        names.add("c" + i);
      }
      return String.join(", ", names);
    }

    private void counted(Connection db) {
      String condition = condition(scope);
      String filtered = "SELECT COUNT(*) FROM " + from + " WHERE " + condition;
      same(
          db,
          "counted by CASE",
          filtered,
          "SELECT COALESCE(SUM(CASE WHEN " + condition + " THEN 1 ELSE 0 END), 0) FROM " + from);
      same(
          db,
          "counted by FILTER",
          filtered,
          "SELECT COUNT(*) FILTER (WHERE " + condition + ") FROM " + from);
      same(
          db,
          "counted outside",
          filtered,
          "SELECT COUNT(*) FROM (SELECT " + condition + " AS p FROM " + from + ") AS z WHERE p");
    }

    private void distinct(Connection db) {
      List<Column> keys = keys();
      String where = chance(60) ? " WHERE " + condition(scope) : "";
      String rows = " FROM " + from + where;
      String distinct = "SELECT DISTINCT " + sql(keys) + rows;
      same(db, "grouped", distinct, "SELECT " + sql(keys) + rows + " GROUP BY " + sql(keys));
      same(
          db,
          "united",
          distinct,
          "SELECT " + sql(keys) + rows + " UNION SELECT " + sql(keys) + rows);
      same(
          db,
          "counted",
          "SELECT COUNT(*) FROM (" + distinct + ") AS z (" + names(keys.size()) + ")",
          "SELECT COUNT(*) FROM (SELECT %s, ROW_NUMBER() OVER (PARTITION BY %1$s ORDER BY %1$s)%s) AS z (%s, r) WHERE r = 1"
              .formatted(sql(keys), rows, names(keys.size())));
    }

    private void firstRows(Connection db) {
      List<Column> items = keys();
      String rows =
          "(SELECT "
              + sql(items)
              + " FROM "
              + from
              + (chance(60) ? " WHERE " + condition(scope) : "")
              + ") AS z ("
              + names(items.size())
              + ")";
      List<String> keys = new ArrayList<>();
      for (int i = 0; i < items.size(); i++) {
        keys.add("c" + i + pick("", " DESC") + pick(" NULLS FIRST", " NULLS LAST"));
      }
      String order = " ORDER BY " + String.join(", ", keys);
      int skipped = random.nextInt(4);
      int taken = random.nextInt(12);
      same(
          db,
          "numbered",
          "SELECT * FROM %s%s LIMIT %d OFFSET %d".formatted(rows, order, taken, skipped),
          "SELECT %s FROM (SELECT *, ROW_NUMBER() OVER (%s) AS r FROM %s) AS w WHERE r > %d AND r <= %d"
              .formatted(names(items.size()), order.strip(), rows, skipped, skipped + taken));
    }

    private void prepared(Connection db) {
      String marked = queries.next();
      String sql = Kind.unmarked(marked);
      Answer expected = Answer.of(db, sql);
      List<String> literals = new ArrayList<>();
      String text = QueriesBesideDuckDbTest.withParameters(marked, random, literals);
      try (PreparedStatement statement = db.prepareStatement(text)) {
        for (int run = 0; run < 4; run++) {
          for (int i = 0; i < literals.size(); i++) {
            QueriesBesideDuckDbTest.bind(
                statement,
                i + 1,
                chance(30) && run % 2 == 0 ? other(literals.get(i)) : literals.get(i));
          }
          if (run % 2 == 0) {
            Answer.of(statement);
            index(db);
          } else {
            Answer found = Answer.of(statement);
            if (!found.state().matches("42804|22018|42000")) {
              check("run " + run + " with " + literals, text, found, sql, expected);
            }
          }
        }
      } catch (SQLException e) {
        if (!e.getSQLState().matches("42804|22018|42000|0A000")) {
          check("prepared", text, Answer.of(e), sql, expected);
        }
      }
    }

    private String other(String literal) {
      return literal.startsWith("'") ? pick("''", "'a'", "'zz'") : pick("0", "1", "-1", "5");
    }

    /** Makes or drops an index. */
    private void index(Connection db) throws SQLException {
      String table = pick(List.copyOf(tables.keySet()));
      String column = pick(tables.get(table)).sql();
      String name = "j_" + table + "_" + column;
      QueriesBesideDuckDbTest.execute("DROP INDEX IF EXISTS " + name, db);
      if (chance(60)) {
        QueriesBesideDuckDbTest.execute(
            "CREATE INDEX " + name + " ON " + table + " (" + column + ")", db);
      }
    }

    private void same(Connection db, List<JoinsInOtherWords.Pair> pairs) {
      pairs.forEach(pair -> same(db, pair.what(), pair.sql(), pair.other()));
    }

    private void same(Connection db, String what, String marked, String other) {
      String sql = Kind.unmarked(marked);
      check(
          what, Kind.unmarked(other), Answer.of(db, Kind.unmarked(other)), sql, Answer.of(db, sql));
    }

    private void check(String what, String other, Answer found, String sql, Answer expected) {
      boolean wrong = found.state().startsWith("XX") || expected.state().startsWith("XX");
      if (!wrong && (found.isUndecided() || expected.isUndecided())) {
        undecided++;
        return;
      }
      compared++;
      if (wrong || !found.isSame(expected)) {
        String problem =
            "-Dgpdb.seed=%d: %s%n  has %s%n  %s: %s%n  has %s"
                .formatted(seed, sql, expected, what, other, found);
        System.out.println(problem);
        problems.add(problem);
      }
    }
  }
}
