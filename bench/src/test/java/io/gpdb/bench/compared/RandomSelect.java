package io.gpdb.bench.compared;

import io.gpdb.bench.compared.Scope.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Random queries over tables: joins of all kinds, LATERAL, subqueries in every place, groups and
 * grouping sets, windows, set operations, common tables that are read several times, and LIMIT
 * where the order leaves nothing open.
 */
final class RandomSelect implements RandomExpression.SubQueries {
  private static final int DEPTH_MAX = RandomExpression.DEPTH_MAX;
  private static final String[] SET_OPERATIONS = {
    "UNION", "UNION ALL", "EXCEPT", "INTERSECT", "EXCEPT ALL", "INTERSECT ALL"
  };

  private final Random random;
  private final Map<String, List<Column>> tables;
  private final Map<String, List<Kind>> common = new LinkedHashMap<>();
  private final RandomExpression expressions;
  private final RandomWindow windows;
  private int aliases;

  RandomSelect(Random random, Map<String, List<Column>> tables) {
    this.random = random;
    this.tables = tables;
    this.expressions = new RandomExpression(random, this);
    this.windows = new RandomWindow(random);
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

  /** Kinds for the columns of a query. */
  List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      kinds.add(Kind.any(random));
    }
    return kinds;
  }

  private String nextAlias() {
    return "x" + aliases++;
  }

  /** The names c0, c1, … of {@code count} columns. */
  private static String names(int count) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("c" + i);
    }
    return String.join(", ", names);
  }

  /** What the conditions and values of a change are made of. */
  RandomExpression begin() {
    aliases = 0;
    common.clear();
    expressions.begin(60 + random.nextInt(100));
    return expressions;
  }

  String next() {
    return next(kinds());
  }

  /** A query with columns of these kinds. */
  String next(List<Kind> columns) {
    begin();
    List<String> queries = new ArrayList<>();
    for (int i = chance(25) ? 1 + random.nextInt(2) : 0; i > 0; i--) {
      List<Kind> kinds = kinds();
      String name = "q" + queries.size();
      queries.add(name + " (" + names(kinds.size()) + ") AS (" + rows(kinds, null, 1) + ")");
      common.put(name, kinds);
    }
    String with = queries.isEmpty() ? "" : "WITH " + String.join(", ", queries) + " ";
    return with + rows(columns, null, 0);
  }

  @Override
  public String rows(List<Kind> kinds, @Nullable Scope outer, int depth) {
    if (outer != null && chance(8)) {
      return withoutTable(kinds, outer, depth);
    }
    if (outer != null && depth < DEPTH_MAX && !expressions.isLong() && chance(5)) {
      String name = nextAlias();
      return "WITH %s (%s) AS (%s) SELECT * FROM %1$s WHERE %s"
          .formatted(
              name,
              names(kinds.size()),
              rows(kinds, outer, depth + 1),
              expressions.condition(Scope.within(outer), DEPTH_MAX, 1));
    }
    if (depth >= DEPTH_MAX || expressions.isLong() || !chance(12)) {
      return select(kinds, outer, depth);
    }
    String combined =
        "(%s) %s (%s)"
            .formatted(
                select(kinds, outer, depth + 1),
                pick(SET_OPERATIONS),
                select(kinds, outer, depth + 1));
    return chance(75)
        ? combined
        : "SELECT * FROM (%s) AS %s (%s)".formatted(combined, nextAlias(), names(kinds.size()))
            + first(kinds.size());
  }

  /** ORDER BY all columns, so that LIMIT leaves no choice. */
  private String first(int columns) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      keys.add(
          pick("c" + i, String.valueOf(i + 1))
              + pick("", " DESC")
              + pick(" NULLS FIRST", " NULLS LAST"));
    }
    String count = " LIMIT " + random.nextInt(6) + (chance(40) ? " OFFSET 1" : "");
    return " ORDER BY " + String.join(", ", keys) + count;
  }

  @Override
  public String value(Kind kind, Scope outer, int depth) {
    if (chance(12)) {
      return "(" + withoutTable(List.of(kind), outer, depth) + ")";
    }
    Scope scope = Scope.within(outer);
    String from = from(scope, depth);
    String aggregate = chance(65) ? expressions.aggregate(kind, scope, depth) : "";
    if (!aggregate.isEmpty()) {
      String item = chance(70) ? aggregate : "COALESCE(" + aggregate + ", " + nullOf(kind) + ")";
      return "(SELECT " + item + " FROM " + from + where(scope, depth, 80) + ")";
    }
    return "(SELECT "
        + expressions.of(kind, scope, depth, 2)
        + " AS k FROM "
        + from
        + where(scope, depth, 60)
        + " ORDER BY "
        + pick("1", "k")
        + pick("", " DESC")
        + pick(" NULLS FIRST", " NULLS LAST")
        + " LIMIT 1"
        + (chance(20) ? " OFFSET 1" : "")
        + ")";
  }

  /** One row or none, of values of the queries around. */
  private String withoutTable(List<Kind> kinds, Scope outer, int depth) {
    Scope scope = Scope.within(outer);
    return "SELECT " + items(kinds, scope, depth, false) + where(scope, depth, 60);
  }

  private String nullOf(Kind kind) {
    return "CAST(" + (chance(80) ? kind.literal(random) : "NULL") + " AS " + kind.sql + ")";
  }

  private String where(Scope scope, int depth, int percent) {
    return chance(percent) ? " WHERE " + expressions.condition(scope, depth, 2) : "";
  }

  /** Tables joined in any way; the scope gets their columns. */
  String from(Scope scope, int depth) {
    StringBuilder from = new StringBuilder(table(scope.own(), depth));
    for (int more = chance(60) ? 0 : chance(75) ? 1 : 2; more > 0; more--) {
      if (depth < DEPTH_MAX && !expressions.isLong() && chance(12)) {
        List<Column> columns = new ArrayList<>();
        Scope before = new Scope(List.copyOf(scope.own()), scope.outer());
        String derived = chance(20) ? values(before, columns) : derived(before, depth, columns);
        boolean left = chance(40);
        from.append(left ? " LEFT JOIN LATERAL " : " CROSS JOIN LATERAL ").append(derived);
        from.append(left ? " ON TRUE" : "");
        scope.own().addAll(columns);
      } else if (chance(20)) {
        from.append(" CROSS JOIN ").append(table(scope.own(), depth));
      } else {
        join(from, scope, depth);
      }
    }
    return from.toString();
  }

  private void join(StringBuilder from, Scope scope, int depth) {
    List<Column> left = List.copyOf(scope.own());
    List<Column> right = new ArrayList<>();
    from.append(pick(" JOIN ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "));
    from.append(table(right, depth)).append(" ON ");
    scope.own().addAll(right);
    List<String> conditions = new ArrayList<>();
    for (int i = chance(85) ? 1 + random.nextInt(2) : 0; i > 0; i--) {
      Column one = pick(left);
      List<Column> others = right.stream().filter(each -> each.kind() == one.kind()).toList();
      if (!others.isEmpty()) {
        String sign = pick(" = ", " = ", " = ", " < ", " <> ", " IS NOT DISTINCT FROM ");
        conditions.add(one.sql() + sign + pick(others).sql());
      }
    }
    if (conditions.isEmpty() || chance(25)) {
      conditions.add(expressions.condition(scope.alone(), DEPTH_MAX, 1));
    }
    from.append(String.join(" AND ", conditions));
  }

  /** A table, a common table, a list of rows or a query; adds its columns. */
  private String table(List<Column> columns, int depth) {
    if (depth < DEPTH_MAX && !expressions.isLong() && chance(18)) {
      return derived(null, depth, columns);
    }
    if (depth < DEPTH_MAX && !expressions.isLong() && chance(5)) {
      Scope joined = new Scope(columns, null);
      List<Column> before = List.copyOf(columns);
      columns.clear();
      StringBuilder nested = new StringBuilder("(").append(table(columns, DEPTH_MAX));
      join(nested, joined, DEPTH_MAX);
      columns.addAll(0, before);
      return nested.append(")").toString();
    }
    String alias = nextAlias();
    if (chance(6)) {
      return values(alias, columns);
    }
    if (!common.isEmpty() && chance(50)) {
      String name = pick(List.copyOf(common.keySet()));
      addColumns(columns, alias, common.get(name));
      return name + " AS " + alias;
    }
    String name = pick(List.copyOf(tables.keySet()));
    tables
        .get(name)
        .forEach(column -> columns.add(new Column(alias + "." + column.sql(), column.kind())));
    return name + " AS " + alias;
  }

  private static void addColumns(List<Column> columns, String alias, List<Kind> kinds) {
    for (int i = 0; i < kinds.size(); i++) {
      columns.add(new Column(alias + ".c" + i, kinds.get(i)));
    }
  }

  private String values(String alias, List<Column> columns) {
    List<Kind> kinds = kinds();
    List<String> rows = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      List<String> row = new ArrayList<>();
      for (Kind kind : kinds) {
        String value = Kind.unmarked(kind.literal(random));
        row.add("CAST(" + (chance(15) ? "NULL" : value) + " AS " + kind.sql + ")");
      }
      rows.add("(" + String.join(", ", row) + ")");
    }
    addColumns(columns, alias, kinds);
    String all = String.join(", ", rows);
    return "(VALUES " + all + ") AS " + alias + " (" + names(kinds.size()) + ")";
  }

  /** Rows of values of the tables before. */
  private String values(Scope before, List<Column> columns) {
    List<Kind> kinds = kinds();
    String alias = nextAlias();
    List<String> rows = new ArrayList<>();
    for (int i = random.nextInt(2); i >= 0; i--) {
      List<String> row = new ArrayList<>();
      for (Kind kind : kinds) {
        row.add("CAST(" + expressions.of(kind, before, DEPTH_MAX, 1) + " AS " + kind.sql + ")");
      }
      rows.add("(" + String.join(", ", row) + ")");
    }
    addColumns(columns, alias, kinds);
    String all = String.join(", ", rows);
    return "(VALUES " + all + ") AS " + alias + " (" + names(kinds.size()) + ")";
  }

  private String derived(@Nullable Scope outer, int depth, List<Column> columns) {
    List<Kind> kinds = kinds();
    String alias = nextAlias();
    addColumns(columns, alias, kinds);
    String rows = rows(kinds, outer, depth + 1);
    return "(" + rows + ") AS " + alias + " (" + names(kinds.size()) + ")";
  }

  private String select(List<Kind> kinds, @Nullable Scope outer, int depth) {
    Scope scope = Scope.within(outer);
    String from = from(scope, depth) + where(scope, depth, 65);
    boolean grouped = chance(25);
    String distinct = !grouped && chance(12) ? "DISTINCT " : "";
    String select =
        grouped
            ? grouped(kinds, scope, from, depth)
            : "SELECT " + distinct + items(kinds, scope, depth, chance(18)) + " FROM " + from;
    return chance(12) ? select + first(kinds.size()) : select;
  }

  private String items(List<Kind> kinds, Scope scope, int depth, boolean windowed) {
    List<String> items = new ArrayList<>();
    for (Kind kind : kinds) {
      String window = windowed && chance(70) ? windows.call(kind, scope) : "";
      String item = window.isEmpty() ? expressions.of(kind, scope, depth, 2) : window;
      items.add(item + " AS c" + items.size());
    }
    return String.join(", ", items);
  }

  private String grouped(List<Kind> kinds, Scope scope, String from, int depth) {
    List<Column> keys = keys(scope, depth);
    List<Column> values = new ArrayList<>(keys);
    for (Kind kind : Kind.values()) {
      String aggregate = chance(70) ? expressions.aggregate(kind, scope, depth) : "";
      if (!aggregate.isEmpty()) {
        values.add(new Column(aggregate, kind));
      }
    }
    values.add(new Column("COUNT(*)", Kind.INTEGER));
    List<String> names = keys.stream().map(Column::sql).toList();
    boolean sets = keys.size() > 1 && chance(40);
    if (sets) {
      values.add(new Column("GROUPING(" + pick(names) + ")", Kind.INTEGER));
    }
    Scope groups = new Scope(values, scope.outer());
    int inner = sets ? DEPTH_MAX : depth;
    String items = items(kinds, groups, inner, !sets && chance(15));
    String having = expressions.condition(groups, inner, 1);
    String counted = keys.isEmpty() ? " HAVING COUNT(*) >= 0 AND " : " HAVING ";
    return "SELECT "
        + items
        + " FROM "
        + from
        + (keys.isEmpty() ? "" : " GROUP BY " + (sets ? sets(names) : String.join(", ", names)))
        + (keys.isEmpty() || chance(30) ? counted + having : "");
  }

  private List<Column> keys(Scope scope, int depth) {
    List<Column> keys = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      Column key = pick(scope.own());
      if (key.kind() == Kind.INTEGER && chance(25)) {
        key = new Column("(" + key.sql() + " + 1)", Kind.INTEGER);
      } else if (depth < DEPTH_MAX && !expressions.isLong() && chance(10)) {
        key = new Column(Kind.unmarked(value(key.kind(), scope, depth + 1)), key.kind());
      }
      if (!keys.contains(key)) {
        keys.add(key);
      }
    }
    return keys;
  }

  private String sets(List<String> keys) {
    String all = String.join(", ", keys);
    String rest = String.join(", ", keys.subList(1, keys.size()));
    return pick(
        "ROLLUP(" + all + ")",
        "CUBE(" + all + ")",
        keys.getFirst() + ", ROLLUP(" + rest + ")",
        "GROUPING SETS ((" + all + "), (" + rest + "), ())",
        "GROUPING SETS ((" + keys.getFirst() + "), (" + rest + "))");
  }
}
