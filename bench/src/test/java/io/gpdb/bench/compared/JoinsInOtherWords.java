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
    String call =
        value.kind().isNumber()
            ? pick("SUM(", "COUNT(", "MIN(", "MAX(", "COUNT(DISTINCT ")
            : value.kind() == Kind.BOOLEAN
                ? pick("BOOL_AND(", "BOOL_OR(", "COUNT(")
                : pick("MIN(", "MAX(", "COUNT(");
    boolean partitioned = chance(60);
    boolean framed = chance(60) && !call.endsWith("DISTINCT ");
    String partition = partitioned ? "PARTITION BY " + key.sql() : "";
    int before = random.nextInt(3);
    String frame =
        framed
            ? " ORDER BY x.id" + pick("", " RANGE BETWEEN " + before + " PRECEDING AND 1 FOLLOWING")
            : "";
    String range =
        !framed
            ? ""
            : frame.contains("RANGE")
                ? " AND y.id BETWEEN x.id - " + before + " AND x.id + 1"
                : " AND y.id <= x.id";
    String window = call + value.sql() + ") OVER (" + (partition + frame).strip() + ")";
    String y = value.sql().replace("x.", "y.");
    String correlated =
        "(SELECT "
            + call
            + y
            + ") FROM "
            + table
            + " AS y WHERE "
            + (partitioned
                ? "y." + key.sql().substring(2) + " IS NOT DISTINCT FROM " + key.sql()
                : "TRUE")
            + range
            + ")";
    return List.of(
        new Pair(
            "correlated",
            "SELECT x.id, " + window + " FROM " + table + " AS x",
            "SELECT x.id, " + correlated + " FROM " + table + " AS x"));
  }
}
