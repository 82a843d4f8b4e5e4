package io.gpdb.bench.compared;

import io.gpdb.bench.compared.Scope.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes a query's tables in other ways that have the same rows: derived tables with their columns
 * in another order and under other names, views and common tables of these, unions with nothing and
 * of two parts, joins that keep each row once. Each table has a column {@code id} without
 * duplicates.
 */
final class RewrittenTable {
  private static final Pattern USE = Pattern.compile("\\b(t\\d+) AS (x\\d+)\\b");
  private static final int WAYS = 12;

  private final Random random;
  private final Map<String, List<Column>> tables;
  private final RandomSelect conditions;
  private final Map<String, String> common = new LinkedHashMap<>();

  RewrittenTable(Random random, Map<String, List<Column>> tables) {
    this.random = random;
    this.tables = tables;
    this.conditions = new RandomSelect(random, tables);
  }

  /** A query with some or all of its tables written in another way. */
  String of(String query) {
    common.clear();
    int percent = random.nextBoolean() ? 100 : 50;
    Map<String, String> others = new HashMap<>(); // a key of GROUP BY must stay the same
    StringBuilder sql = new StringBuilder();
    Matcher use = USE.matcher(query);
    while (use.find()) {
      String other =
          others.computeIfAbsent(
              use.group(),
              same -> random.nextInt(100) < percent ? source(use.group(1), use.group(2)) : same);
      use.appendReplacement(sql, Matcher.quoteReplacement(other));
    }
    use.appendTail(sql);
    if (common.isEmpty()) {
      return sql.toString();
    }
    List<String> items = new ArrayList<>();
    common.forEach((name, body) -> items.add(name + " AS (" + body + ")"));
    String with = "WITH " + String.join(", ", items);
    return sql.indexOf("WITH ") == 0
        ? with + ", " + sql.substring("WITH ".length())
        : with + " " + sql;
  }

  /** Statements that create the views which the queries name. */
  List<String> views() {
    List<String> views = new ArrayList<>();
    tables.forEach(
        (name, columns) -> {
          views.add("CREATE VIEW v_" + name + " AS " + renamed(name));
          views.add("CREATE VIEW w_" + name + " AS " + body(name, "v_" + name));
        });
    return views;
  }

  private String source(String table, String alias) {
    if (random.nextInt(5) == 0) {
      return pick("v_", "w_") + table + " AS " + alias;
    }
    if (random.nextInt(5) == 0) {
      String name = "z" + common.size();
      common.put(name, body(table, table));
      return name + " AS " + alias;
    }
    return "(" + body(table, table) + ") AS " + alias;
  }

  /** The rows of a table, with its columns' names. */
  private String body(String table, String from) {
    List<String> names = tables.get(table).stream().map(Column::sql).toList();
    String all = String.join(", ", shuffled(names));
    String rows = "SELECT " + all + " FROM " + from;
    return switch (random.nextInt(WAYS)) {
      case 0 -> rows;
      case 1 -> "SELECT " + all + " FROM (" + renamed(table) + ") AS y";
      case 2 -> rows + " UNION ALL SELECT " + all + " FROM " + from + " WHERE FALSE";
      case 3 -> {
        String condition = condition(table);
        yield halves("SELECT " + all + " FROM " + from + " AS y WHERE ", condition);
      }
      case 4 -> "SELECT DISTINCT " + all + " FROM " + from;
      case 5 -> "SELECT " + all + " FROM " + from + " GROUP BY " + String.join(", ", names);
      case 6 -> rows + " ORDER BY id LIMIT 1000000";
      case 7 ->
          "SELECT "
              + all
              + " FROM (SELECT "
              + all
              + ", ROW_NUMBER() OVER (ORDER BY id) AS r FROM "
              + from
              + ") AS y WHERE r > 0";
      case 8 -> qualified(names, "y") + " FROM " + from + " AS y CROSS JOIN (VALUES (1)) AS n (n)";
      case 9 ->
          qualified(names, "y")
              + " FROM (VALUES (1)) AS n (n) LEFT JOIN "
              + from
              + " AS y ON TRUE WHERE y.id IS NOT NULL";
      case 10 ->
          qualified(names, "y") + " FROM " + from + " AS y JOIN " + from + " AS n ON y.id = n.id";
      default -> "SELECT " + all + " FROM " + from + pick(" INTERSECT ", " UNION ") + rows;
    };
  }

  private static String halves(String select, String condition) {
    return select
        + "("
        + condition
        + ") UNION ALL "
        + select
        + "(NOT ("
        + condition
        + ") OR ("
        + condition
        + ") IS NULL)";
  }

  private String qualified(List<String> names, String alias) {
    List<String> items = names.stream().map(name -> alias + "." + name + " AS " + name).toList();
    return "SELECT " + String.join(", ", shuffled(items));
  }

  /** The table's columns in another order, each under the name that another one had before. */
  private String renamed(String table) {
    List<String> names = tables.get(table).stream().map(Column::sql).toList();
    List<String> inner = shuffled(names);
    List<String> outer = shuffled(names);
    List<String> there = new ArrayList<>();
    List<String> back = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      there.add(inner.get(i) + " AS " + outer.get(i));
      back.add("y." + outer.get(i) + " AS " + inner.get(i));
    }
    return "SELECT "
        + String.join(", ", shuffled(back))
        + " FROM (SELECT "
        + String.join(", ", shuffled(there))
        + " FROM "
        + table
        + ") AS y";
  }

  private String condition(String table) {
    List<Column> own = new ArrayList<>();
    tables.get(table).forEach(c -> own.add(new Column("y." + c.sql(), c.kind())));
    int depth =
        random.nextInt(3) == 0 ? RandomExpression.DEPTH_MAX - 1 : RandomExpression.DEPTH_MAX;
    return Kind.unmarked(conditions.begin().condition(new Scope(own, null), depth, 1));
  }

  private List<String> shuffled(List<String> names) {
    List<String> all = new ArrayList<>(names);
    Collections.shuffle(all, random);
    return all;
  }

  private String pick(String... texts) {
    return texts[random.nextInt(texts.length)];
  }
}
