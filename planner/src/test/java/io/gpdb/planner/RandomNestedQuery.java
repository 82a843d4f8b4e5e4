package io.gpdb.planner;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random queries over tables T0 to T3 with INTEGER columns A, B and C: subqueries nested to depth 3
 * in every place, which refer to rows of any level, and quotients that are errors for some rows.
 */
final class RandomNestedQuery {
  static final int TABLES = 4;
  private static final int DEPTH_MAX = 3;
  private static final String[] COLUMNS = {"a", "b", "c"};
  private static final String[] COMPARISONS = {"=", "=", "=", "<>", "<", "<=", ">", ">="};

  private final Random random;
  private final boolean guarded;
  private int aliases;

  /**
   * @param guarded whether many operands of AND, OR, CASE and COALESCE are errors for some rows,
   *     and others decide before them or behind them
   */
  RandomNestedQuery(Random random, boolean guarded) {
    this.random = random;
    this.guarded = guarded;
  }

  /**
   * What an expression may refer to, of its own query and of those around it: tables, or of a
   * grouped query the columns that it is grouped by, and aggregates of its groups.
   */
  private record Scope(List<String> own, List<String> outer, List<String> aggregates) {
    Scope(List<String> own, List<String> outer) {
      this(own, outer, List.of());
    }

    Scope inner() {
      List<String> all = new ArrayList<>(outer);
      all.addAll(own);
      return new Scope(new ArrayList<>(), all, aggregates);
    }
  }

  String next() {
    aliases = 0;
    return select(new Scope(new ArrayList<>(), List.of()), guarded ? 1 : 0, 1 + random.nextInt(3));
  }

  /** A condition on a row of a table, for UPDATE and DELETE. */
  String condition(String table) {
    aliases = 0;
    return condition(new Scope(new ArrayList<>(List.of(table)), List.of()), 0, 2);
  }

  /** A value for a row of a table. */
  String value(String table) {
    aliases = 0;
    return scalar(new Scope(new ArrayList<>(List.of(table)), List.of()), 1);
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String pick(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  private String column(String of) {
    return of.indexOf('.') < 0 ? of + "." + pick(COLUMNS) : of;
  }

  private String column(Scope scope) {
    boolean up = scope.own.isEmpty() || (!scope.outer.isEmpty() && chance(40));
    List<String> from = up ? scope.outer : scope.own;
    return column(from.get(random.nextInt(from.size())));
  }

  private String literal() {
    int value = random.nextInt(4);
    int part = random.nextInt(3);
    return chance(85) ? String.valueOf(value) : "(" + part + " + " + (value - part) + ")";
  }

  private String from(Scope scope, int depth) {
    StringBuilder from = new StringBuilder();
    int tables = chance(70) ? 1 : 2;
    for (int i = 0; i < tables; i++) {
      String alias = "x" + aliases++;
      String table = "t" + random.nextInt(TABLES) + " " + alias;
      if (i == 0) {
        scope.own.add(alias);
        from.append(table);
      } else if (depth < DEPTH_MAX && chance(20)) {
        Scope lateral = scope.inner();
        String body = select(lateral, depth + 1, 3);
        scope.own.add(alias);
        boolean left = chance(50);
        from.append(left ? " LEFT JOIN LATERAL (" : ", LATERAL (").append(body).append(") AS ");
        from.append(alias).append(" (a, b, c)").append(left ? " ON TRUE" : "");
      } else if (chance(40)) {
        scope.own.add(alias);
        from.append(", ").append(table);
      } else {
        scope.own.add(alias);
        from.append(chance(50) ? " JOIN " : " LEFT JOIN ").append(table).append(" ON ");
        from.append(condition(scope, chance(30) ? depth : DEPTH_MAX, 1));
      }
    }
    return from.toString();
  }

  /** A query of that number of INTEGER columns. */
  private String select(Scope scope, int depth, int columns) {
    if (depth > 0 && chance(8)) {
      Scope other = new Scope(new ArrayList<>(), scope.outer, scope.aggregates);
      return plain(scope, depth, columns)
          + pick(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ")
          + plain(other, depth, columns);
    }
    return chance(25) ? grouped(scope, depth, columns) : plain(scope, depth, columns);
  }

  private String plain(Scope scope, int depth, int columns) {
    String from = from(scope, depth);
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      items.add(expression(scope, depth, chance(80) ? 1 : 2) + " AS c" + i);
    }
    String where = chance(85) ? " WHERE " + where(scope, depth, 2) : "";
    return "SELECT "
        + (chance(10) ? "DISTINCT " : "")
        + String.join(", ", items)
        + " FROM "
        + from
        + where;
  }

  private String grouped(Scope scope, int depth, int columns) {
    String from = from(scope, depth);
    List<String> keys = new ArrayList<>();
    for (int i = chance(70) ? 1 + random.nextInt(3) : 0; i > 0; i--) {
      String key = column(scope.own.get(random.nextInt(scope.own.size())));
      if (!keys.contains(key)) {
        keys.add(key);
      }
    }
    List<String> aggregates = new ArrayList<>(scope.aggregates);
    if (!keys.isEmpty()) {
      aggregates.add(aggregateOfColumn(scope));
    }
    Scope groups = new Scope(List.copyOf(keys), scope.outer, aggregates);
    String query = depth < DEPTH_MAX && chance(12) ? scalar(scope, depth) : null;
    if (query != null) {
      keys.add(query);
    }
    List<String> items = new ArrayList<>();
    for (int i = 0; i < columns; i++) {
      String item = query != null && chance(40) ? query : ofGroup(scope, groups, depth);
      items.add(item + " AS c" + i);
    }
    String where = chance(60) ? " WHERE " + where(scope, depth, 1) : "";
    return "SELECT "
        + String.join(", ", items)
        + " FROM "
        + from
        + where
        + (keys.isEmpty() ? "" : " GROUP BY " + String.join(", ", keys))
        + (chance(50) ? " HAVING " + having(scope, groups, depth) : "");
  }

  private String ofGroup(Scope scope, Scope groups, int depth) {
    if (depth < DEPTH_MAX && chance(20)) {
      return "(" + one(groups.inner(), depth + 1) + ")";
    }
    return !groups.own.isEmpty() && chance(50)
        ? groups.own.get(random.nextInt(groups.own.size()))
        : aggregate(scope);
  }

  private String aggregate(Scope scope) {
    return chance(25) ? "COUNT(*)" : aggregateOfColumn(scope);
  }

  private String aggregateOfColumn(Scope scope) {
    String column = column(scope.own.get(random.nextInt(scope.own.size())));
    return pick("COUNT(", "MIN(", "MAX(", "SUM(", "COUNT(DISTINCT ") + column + ")";
  }

  /** A condition of WHERE, which may have aggregates of the groups around its query. */
  private String where(Scope scope, int depth, int size) {
    String condition = condition(scope, depth, size);
    if (scope.aggregates.isEmpty() || chance(40)) {
      return condition;
    }
    String aggregate = scope.aggregates.get(random.nextInt(scope.aggregates.size()));
    String compared = aggregate + " " + pick(COMPARISONS) + " " + column(scope);
    return chance(30) ? compared : compared + pick(" AND (", " OR (") + condition + ")";
  }

  private String having(Scope scope, Scope groups, int depth) {
    String left = ofGroup(scope, groups, DEPTH_MAX);
    if (depth < DEPTH_MAX && chance(60)) {
      String compared = "(" + one(groups.inner(), depth + 1) + ")";
      String condition = left + " " + pick(COMPARISONS) + " " + compared;
      return chance(30) ? condition + " AND " + having(scope, groups, depth + 1) : condition;
    }
    boolean up = !scope.outer.isEmpty() && chance(60);
    String right = up ? column(scope.outer.get(random.nextInt(scope.outer.size()))) : literal();
    return left + " " + pick(COMPARISONS) + " " + right;
  }

  private String expression(Scope scope, int depth, int size) {
    int choice = random.nextInt(100);
    if (guarded && size > 0 && choice < 15) {
      return guardedValue(scope, depth, size);
    }
    if (size <= 0 || choice < 50) {
      return chance(15) ? literal() : column(scope);
    }
    if (choice < 75 && depth < DEPTH_MAX) {
      return scalar(scope, depth);
    }
    return switch (random.nextInt(4)) {
      case 0 -> arithmetic(scope, depth, size - 1);
      case 3 -> chosen(scope, depth, size - 1);
      case 1 ->
          "CASE WHEN "
              + condition(scope, depth, size - 1)
              + " THEN "
              + expression(scope, depth, size - 1)
              + " ELSE "
              + expression(scope, depth, size - 1)
              + " END";
      default ->
          "COALESCE("
              + expression(scope, depth, size - 1)
              + ", "
              + expression(scope, depth, size - 1)
              + ")";
    };
  }

  /** CASE of a value that is compared several times. */
  private String chosen(Scope scope, int depth, int size) {
    StringBuilder choice = new StringBuilder("CASE ");
    choice.append(depth < DEPTH_MAX && chance(50) ? scalar(scope, depth) : column(scope));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      choice.append(" WHEN ").append(expression(scope, DEPTH_MAX, size));
      choice.append(" THEN ").append(expression(scope, DEPTH_MAX, size));
    }
    return choice.append(" END").toString();
  }

  /** A sum, or a quotient that is an error for rows with a zero. */
  private String arithmetic(Scope scope, int depth, int size) {
    String value = expression(scope, depth, size);
    return chance(40)
        ? "(" + literal() + " / " + value + ")"
        : "(" + value + pick(" + ", " - ") + literal() + ")";
  }

  private String scalar(Scope scope, int depth) {
    return "(" + one(scope.inner(), depth + 1) + ")";
  }

  /** A query that returns one row, or more where that is an error. */
  private String one(Scope scope, int depth) {
    if (!scope.outer.isEmpty() && chance(35)) {
      return ofKeys(scope, depth);
    }
    if (chance(70)) {
      String from = from(scope, depth);
      String value = aggregate(scope);
      String item = chance(80) ? value : "COALESCE(" + value + ", 0) + " + literal();
      return "SELECT " + item + " FROM " + from + " WHERE " + where(scope, depth, 2);
    }
    if (chance(50)) {
      String from = from(scope, depth);
      String column = chance(60) ? column(scope.own.getFirst()) : expression(scope, DEPTH_MAX, 1);
      return "SELECT "
          + column
          + " AS k FROM "
          + from
          + " WHERE "
          + condition(scope, depth, 1)
          + " ORDER BY "
          + pick("1", "k", column.matches("[0-9]+") ? "k" : column)
          + pick(" ", " DESC ")
          + pick("NULLS FIRST", "NULLS LAST")
          + " FETCH FIRST 1 ROWS ONLY";
    }
    return plain(scope, depth, 1);
  }

  /** An aggregate of rows with certain keys, in the form that is found for all keys at once. */
  private String ofKeys(Scope scope, int depth) {
    StringBuilder where = new StringBuilder();
    Scope own = keyed(scope, depth, where);
    String value = aggregate(own);
    String item =
        switch (random.nextInt(guarded ? 5 : 4)) {
          case 0 -> "COALESCE(" + value + ", 0) + " + literal();
          case 1 -> "CASE WHEN " + value + " > 1 THEN " + aggregate(own) + " END";
          case 2, 3 -> value;
          default -> literal() + " / " + value;
        };
    return "SELECT " + item + where;
  }

  /** Rows of a table with certain keys: writes FROM and WHERE, and returns the rows' own scope. */
  private Scope keyed(Scope scope, int depth, StringBuilder where) {
    String alias = "x" + aliases++;
    scope.own.add(alias);
    where.append(" FROM t" + random.nextInt(TABLES) + " " + alias + " WHERE ");
    for (int keys = chance(70) ? 1 : 2; keys > 0; keys--) {
      String outer = column(scope.outer.get(random.nextInt(scope.outer.size())));
      String key = column(alias);
      where.append(chance(50) ? key + " = " + outer : outer + " = " + key);
      where.append(keys == 1 ? "" : " AND ");
    }
    Scope own = new Scope(new ArrayList<>(List.of(alias)), List.of());
    if (chance(40)) {
      where.append(" AND ").append(condition(own, chance(20) ? depth : DEPTH_MAX, 1));
    }
    if (guarded && chance(40)) {
      where.append(" AND ").append(raising(own, DEPTH_MAX)).append(" > 0");
    }
    return own;
  }

  /** EXISTS of rows with certain keys, a join with these keys wherever it is asked. */
  private String existing(Scope scope, int depth) {
    if (scope.outer.isEmpty() || chance(50)) {
      return select(scope, depth, 1);
    }
    StringBuilder where = new StringBuilder();
    Scope own = keyed(scope, depth, where);
    return "SELECT " + (chance(50) ? "*" : column(own)) + where;
  }

  private String guardedValue(Scope scope, int depth, int size) {
    String value = raising(scope, depth);
    return switch (random.nextInt(4)) {
      case 0 -> "COALESCE(" + column(scope) + ", " + value + ")";
      case 1 -> "CASE WHEN " + condition(scope, depth, size) + " THEN " + value + " ELSE 1 END";
      case 2 -> "CASE WHEN " + condition(scope, depth, size) + " THEN 1 ELSE " + value + " END";
      default ->
          "CASE WHEN "
              + condition(scope, depth, size - 1)
              + " THEN 0 WHEN "
              + guardedCondition(scope, depth, size - 1)
              + " THEN 1 END";
    };
  }

  /** Two or three operands, of which some are errors for some rows. */
  private String guardedCondition(Scope scope, int depth, int size) {
    StringBuilder text = new StringBuilder("(");
    boolean conjunction = chance(50);
    for (int i = chance(70) ? 2 : 3; i > 0; i--) {
      boolean raises = chance(30);
      String operand =
          raises
              ? raising(scope, depth) + " " + pick(COMPARISONS) + " " + literal()
              : "(" + condition(scope, depth, size - 1) + ")";
      text.append(chance(15) ? "NOT " : "").append(operand);
      text.append(i == 1 ? ")" : conjunction ? " AND " : " OR ");
    }
    return text.toString();
  }

  /** A value that is an error for some rows: a quotient, or a query of more than one row. */
  private String raising(Scope scope, int depth) {
    if (depth >= DEPTH_MAX || chance(50)) {
      String divisor = chance(50) ? column(scope) : "(" + column(scope) + " - " + literal() + ")";
      return "(" + literal() + " / " + divisor + ")";
    }
    Scope inner = scope.inner();
    String from = from(inner, DEPTH_MAX);
    String where = chance(50) ? " WHERE " + condition(inner, depth + 1, 1) : "";
    String item = chance(70) ? column(inner) : arithmetic(inner, DEPTH_MAX, 1);
    return "(SELECT " + item + " FROM " + from + where + ")";
  }

  private String condition(Scope scope, int depth, int size) {
    int choice = random.nextInt(100);
    if (guarded && size > 0 && choice < 40) {
      return guardedCondition(scope, depth, size);
    }
    if (size > 0 && choice < 35) {
      return switch (random.nextInt(4)) {
        case 0 -> "NOT (" + condition(scope, depth, size - 1) + ")";
        case 1 ->
            "("
                + condition(scope, depth, size - 1)
                + " OR "
                + condition(scope, depth, size - 1)
                + ")";
        default -> condition(scope, depth, size - 1) + " AND " + condition(scope, depth, size - 1);
      };
    }
    if (depth < DEPTH_MAX && choice < 80) {
      return subQuery(scope, depth);
    }
    if (chance(15)) {
      return column(scope) + pick(" IS NULL", " IS NOT NULL");
    }
    boolean plain = chance(85);
    String left = plain ? column(scope) : arithmetic(scope, DEPTH_MAX, 1);
    boolean literal = guarded && !plain; // what two inputs compare is computed for all their rows
    return left
        + " "
        + pick(COMPARISONS)
        + " "
        + (!literal && chance(70) ? column(scope) : literal());
  }

  private String subQuery(Scope scope, int depth) {
    String left = chance(80) ? column(scope) : expression(scope, depth + 1, 1);
    return switch (random.nextInt(8)) {
      case 0, 1 -> pick("EXISTS (", "NOT EXISTS (") + existing(scope.inner(), depth + 1) + ")";
      case 2, 3 -> left + pick(" IN (", " NOT IN (") + select(scope.inner(), depth + 1, 1) + ")";
      case 4 ->
          left
              + " "
              + pick(COMPARISONS)
              + pick(" ALL (", " ANY (", " SOME (")
              + select(scope.inner(), depth + 1, 1)
              + ")";
      case 5 ->
          "("
              + left
              + ", "
              + column(scope)
              + ")"
              + pick(" IN (", " NOT IN (")
              + select(scope.inner(), depth + 1, 2)
              + ")";
      default -> left + " " + pick(COMPARISONS) + " " + scalar(scope, depth);
    };
  }
}
