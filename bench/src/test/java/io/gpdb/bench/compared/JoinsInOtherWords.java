package io.gpdb.bench.compared;

import io.gpdb.bench.compared.Scope.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** Joins and windows over two random tables, and what has the same rows without them. */
final class JoinsInOtherWords {
  /** Two queries with the same rows. */
  record Pair(String what, String sql, String other) {}

  /** Aggregates of a number, some with another number. */
  private static final String[] NUMBERS = {
    "SUM(%s)",
    "SUM(%s)",
    "COUNT(%s)",
    "MIN(%s)",
    "MAX(%s)",
    "COUNT(DISTINCT %s)",
    "SUM(DISTINCT %s)",
    "AVG(CAST(%s AS DOUBLE))",
    "MEDIAN(%s)",
    "STDDEV_POP(%s)",
    "VAR_SAMP(%s)",
    "SUM(%s) FILTER (WHERE %s > 1)",
    "COVAR_POP(%s, %s)",
    "REGR_COUNT(%s, %s)",
    "MAX(%s - %s)"
  };

  /** Aggregates of a text or a date, some with a number. */
  private static final String[] OTHERS = {
    "MIN(%s)",
    "MAX(%s)",
    "COUNT(%s)",
    "COUNT(DISTINCT %s)",
    "MIN(%s) FILTER (WHERE %s IS NOT NULL)",
    "COUNT(%s) FILTER (WHERE %s > 1)",
    "MAX(CASE WHEN %2$s > 1 THEN %1$s END)"
  };

  private final Random random;
  private final Map<String, List<Column>> tables;
  private final RandomSelect queries;

  JoinsInOtherWords(Random random, Map<String, List<Column>> tables, RandomSelect queries) {
    this.random = random;
    this.tables = tables;
    this.queries = queries;
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

  /** Joins as filters and subqueries say what they are. */
  List<Pair> joins() {
    List<Pair> pairs = new ArrayList<>();
    String a = pick(List.copyOf(tables.keySet()));
    String b = pick(List.copyOf(tables.keySet()));
    Scope both = Scope.within(null);
    List<Column> left = named("x", a);
    List<Column> right = named("y", b);
    both.own().addAll(left);
    both.own().addAll(right);
    String on = queries.begin().condition(both, RandomExpression.DEPTH_MAX, 2);
    if (chance(70)) {
      Column one = pick(left);
      List<Column> others = right.stream().filter(each -> each.kind() == one.kind()).toList();
      if (!others.isEmpty()) {
        on =
            one.sql()
                + pick(" = ", " IS NOT DISTINCT FROM ", " <= ")
                + pick(others).sql()
                + pick(" AND ", " OR ")
                + on;
      }
    }
    String x = a + " AS x";
    String y = b + " AS y";
    String inner = "SELECT x.*, y.* FROM " + x + " CROSS JOIN " + y + " WHERE " + on;
    String noLeft =
        "SELECT x.*, "
            + nulls(right)
            + " FROM "
            + x
            + " WHERE NOT EXISTS (SELECT 1 FROM "
            + y
            + " WHERE "
            + on
            + ")";
    String noRight =
        "SELECT "
            + nulls(left)
            + ", y.* FROM "
            + y
            + " WHERE NOT EXISTS (SELECT * FROM "
            + x
            + " WHERE "
            + on
            + ")";
    String select = "SELECT x.*, y.* FROM " + x;
    pairs.add(new Pair("JOIN", select + " JOIN " + y + " ON " + on, inner));
    pairs.add(
        new Pair(
            "LEFT JOIN", select + " LEFT JOIN " + y + " ON " + on, inner + " UNION ALL " + noLeft));
    pairs.add(
        new Pair(
            "RIGHT JOIN",
            select + " RIGHT JOIN " + y + " ON " + on,
            inner + " UNION ALL " + noRight));
    pairs.add(
        new Pair(
            "FULL JOIN",
            select + " FULL JOIN " + y + " ON " + on,
            inner + " UNION ALL " + noLeft + " UNION ALL " + noRight));
    pairs.add(
        new Pair(
            "EXISTS",
            "SELECT x.* FROM " + x + " WHERE EXISTS (SELECT 1 FROM " + y + " WHERE " + on + ")",
            "SELECT x.* FROM "
                + x
                + " WHERE (SELECT COUNT(*) FROM "
                + y
                + " WHERE "
                + on
                + ") > 0"));
    pairs.add(
        new Pair(
            "EXISTS by id",
            "SELECT x.* FROM " + x + " WHERE EXISTS (SELECT 1 FROM " + y + " WHERE " + on + ")",
            "SELECT x.* FROM "
                + x
                + " WHERE x.id IN (SELECT x.id FROM "
                + x
                + " JOIN "
                + y
                + " ON "
                + on
                + ")"));
    return pairs;
  }

  private static String nulls(List<Column> columns) {
    return columns.stream()
        .map(column -> "CAST(NULL AS " + column.kind().sql + ")")
        .collect(Collectors.joining(", "));
  }

  private List<Column> named(String alias, String table) {
    return tables.get(table).stream()
        .map(column -> new Column(alias + "." + column.sql(), column.kind()))
        .toList();
  }

  /** A window whose rows a correlated subquery finds. */
  List<Pair> windows() {
    String table = pick(List.copyOf(tables.keySet()));
    List<Column> columns = named("x", table);
    Column value = pick(columns);
    Column key = pick(columns);
    List<Column> numbers = columns.stream().filter(column -> column.kind().isNumber()).toList();
    String call =
        value.kind().isNumber()
            ? pick(NUMBERS).formatted(value.sql(), pick(numbers).sql())
            : value.kind() == Kind.BOOLEAN
                ? pick("BOOL_AND(%s)", "BOOL_OR(%s)", "COUNT(%s)").formatted(value.sql())
                : pick(OTHERS).formatted(value.sql(), pick(numbers).sql());
    boolean partitioned = chance(60);
    String partition = partitioned ? "PARTITION BY " + key.sql() : "";
    int before = random.nextInt(3);
    List<String> conditions = new ArrayList<>();
    if (partitioned) {
      conditions.add("y." + key.sql().substring(2) + " IS NOT DISTINCT FROM " + key.sql());
    }
    String frame = "";
    if (chance(60)) {
      boolean range = chance(60);
      boolean descending = chance(30);
      frame = " ORDER BY x.id" + (descending ? " DESC" : "");
      frame += range ? " RANGE BETWEEN " + before + " PRECEDING AND 1 FOLLOWING" : "";
      String difference = descending ? "(x.id - y.id)" : "(y.id - x.id)";
      conditions.add(range ? difference + " BETWEEN -" + before + " AND 1" : difference + " <= 0");
      if (range && chance(30)) {
        frame += pick(" EXCLUDE CURRENT ROW", " EXCLUDE GROUP");
        conditions.add("y.id <> x.id");
      }
    }
    String where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
    String correlated =
        "(SELECT " + call.replace("x.", "y.") + " FROM " + table + " AS y" + where + ")";
    String window = call + " OVER (" + (partition + frame).strip() + ")";
    return List.of(
        new Pair(
            "correlated",
            "SELECT x.id, " + window + " FROM " + table + " AS x",
            "SELECT x.id, " + correlated + " FROM " + table + " AS x"));
  }
}
