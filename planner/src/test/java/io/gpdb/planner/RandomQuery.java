package io.gpdb.planner;

import io.gpdb.planner.RandomTable.Column;
import io.gpdb.planner.RandomTable.Family;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Makes queries over random tables. Equal seeds make equal queries. */
final class RandomQuery {
  private static final int DEPTH = 2;

  private final Random random;
  private final List<RandomTable> tables;
  private List<Field> scope = List.of();

  /** Whether a division by zero may be made: only where every plan must evaluate it. */
  private boolean mayFail;

  private boolean limited;

  /** A column as the query names it. */
  private record Field(String name, Family family) {}

  /** A query, and whether its rows come in an order that has no ties but equal rows. */
  record Text(String sql, boolean ordered) {}

  RandomQuery(Random random, List<RandomTable> tables) {
    this.random = random;
    this.tables = tables;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private RandomTable table() {
    return any(tables);
  }

  private static List<Field> fields(RandomTable table, String alias) {
    return table.columns().stream()
        .map(c -> new Field(alias + "." + c.name(), c.family()))
        .toList();
  }

  Text next() {
    int outputs = 1 + random.nextInt(4);
    String order = chance(40) ? order(outputs) : "";
    limited = order.contains("LIMIT");
    String body =
        switch (random.nextInt(10)) {
          case 0, 1, 2 -> selection(outputs);
          case 3 -> totals(outputs);
          case 4, 5 -> groups(outputs);
          case 6 -> "SELECT DISTINCT " + plainOutputs(outputs) + where(50);
          case 7, 8 -> join(outputs);
          default -> union(outputs);
        };
    return new Text(body + order, !order.isEmpty());
  }

  private String order(int outputs) {
    String order =
        IntStream.rangeClosed(1, outputs)
            .mapToObj(i -> i + (chance(50) ? " DESC" : "") + nulls())
            .collect(Collectors.joining(", "));
    String limit = chance(50) ? " LIMIT " + random.nextInt(30) : "";
    String offset = !limit.isEmpty() && chance(40) ? " OFFSET " + random.nextInt(10) : "";
    return " ORDER BY " + order + limit + offset;
  }

  private String nulls() {
    return chance(60) ? "" : chance(50) ? " NULLS FIRST" : " NULLS LAST";
  }

  private String from() {
    RandomTable table = table();
    scope = fields(table, "t");
    return " FROM " + table.name() + " t";
  }

  private String where(int percent) {
    return chance(percent) ? " WHERE " + condition(DEPTH) : "";
  }

  private String selection(int outputs) {
    String from = from();
    mayFail = !limited;
    String list = list(outputs, () -> expression(anyFamily(), DEPTH));
    mayFail = false;
    return "SELECT " + list + from + where(70);
  }

  private String plainOutputs(int outputs) {
    String from = from();
    return list(outputs, () -> key(70)) + from;
  }

  private String totals(int outputs) {
    String from = from();
    return "SELECT " + list(outputs, this::aggregate) + from + where(60);
  }

  private String groups(int outputs) {
    String from = from();
    String filter = where(50);
    return grouped(from + filter, outputs);
  }

  private String grouped(String source, int outputs) {
    int keys = 1 + random.nextInt(outputs);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < keys; i++) {
      names.add(key(75));
    }
    List<String> all = new ArrayList<>(names);
    for (int i = keys; i < outputs; i++) {
      all.add(aggregate());
    }
    String having = chance(20) ? " HAVING COUNT(*) > " + random.nextInt(4) : "";
    String by = String.join(", ", names);
    return "SELECT " + String.join(", ", all) + source + " GROUP BY " + by + having;
  }

  private String join(int outputs) {
    RandomTable left = table();
    RandomTable right = table();
    List<Field> leftFields = fields(left, "t");
    List<Field> rightFields = fields(right, "u");
    StringBuilder from = new StringBuilder(" FROM ").append(left.name()).append(" t ");
    from.append(chance(60) ? "JOIN " : "LEFT JOIN ").append(right.name()).append(" u ON ");
    from.append(pair(leftFields, rightFields));
    if (chance(25)) {
      from.append(" AND ").append(pair(leftFields, rightFields));
    }
    if (chance(20)) {
      scope = rightFields;
      from.append(" AND ").append(condition(0));
    }
    scope = new ArrayList<>(leftFields);
    scope.addAll(rightFields);
    String source = from + where(40);
    return switch (random.nextInt(3)) {
      case 0 -> "SELECT " + list(outputs, this::aggregate) + source;
      case 1 -> grouped(source, outputs);
      default -> "SELECT " + list(outputs, () -> any(scope).name()) + source;
    };
  }

  /** Keys whose values are mostly distinct on one side, so that joins stay small. */
  private String pair(List<Field> left, List<Field> right) {
    Field key = right.getFirst();
    List<Field> others =
        left.stream()
            .filter(f -> f.family() == Family.INTEGER || f.family() == Family.BIGINT)
            .toList();
    return any(others).name() + " = " + key.name();
  }

  private String union(int outputs) {
    List<Family> families = new ArrayList<>();
    for (int i = 0; i < outputs; i++) {
      families.add(any(List.of(Family.values())));
    }
    String first = part(families);
    String word =
        switch (random.nextInt(6)) {
          case 0, 1 -> " UNION ";
          case 2 -> " EXCEPT ";
          case 3 -> " INTERSECT ";
          default -> " UNION ALL ";
        };
    return first + word + part(families);
  }

  private String part(List<Family> families) {
    String from = from();
    String list =
        families.stream()
            .map(f -> isFloat(f) ? operand(f) : expression(f, 1))
            .collect(Collectors.joining(", "));
    return "SELECT " + list + from + where(60);
  }

  private static boolean isFloat(Family family) {
    return family == Family.REAL || family == Family.DOUBLE;
  }

  private static String list(int n, java.util.function.Supplier<String> item) {
    return IntStream.range(0, n)
        .mapToObj(i -> item.get() + " AS o" + i)
        .collect(Collectors.joining(", "));
  }

  private Family anyFamily() {
    return any(scope).family();
  }

  /** A column, or now and then an expression; no computed float, for -0.0 and 0.0 are equal. */
  private String key(int columnShare) {
    Family family = anyFamily();
    return isFloat(family) || chance(columnShare) ? any(scope).name() : expression(family, 1);
  }

  private String aggregate() {
    Field field = any(scope);
    String argument = chance(60) ? field.name() : expression(field.family(), 1);
    if (chance(20)) {
      return "COUNT(*)";
    }
    if (chance(25)) {
      return "COUNT(" + (chance(40) ? "DISTINCT " : "") + argument + ")";
    }
    if (field.family().isNumber() && chance(60)) {
      String name = chance(60) ? "SUM(" : "AVG(";
      return name + (chance(10) ? "DISTINCT " : "") + argument + ")";
    }
    return (chance(50) ? "MIN(" : "MAX(") + argument + ")";
  }

  private String operand(Family family) {
    List<Field> fitting = scope.stream().filter(f -> f.family() == family).toList();
    return fitting.isEmpty() || chance(25)
        ? RandomTable.literal(random, family)
        : any(fitting).name();
  }

  /** An expression of the family (for numbers: of a family that may be used in its place). */
  private String expression(Family family, int depth) {
    if (depth == 0 || chance(30)) {
      return operand(family);
    }
    if (chance(15)) {
      return conditional(family, depth - 1);
    }
    return switch (family) {
      case SMALLINT, INTEGER, BIGINT -> integer(family, depth - 1);
      case DECIMAL -> decimal(depth - 1);
      case REAL, DOUBLE -> floating(family, depth - 1);
      case VARCHAR -> text(depth - 1);
      case CHAR -> operand(family);
      case DATE -> chance(50) ? operand(family) : "CAST(" + operand(Family.TIMESTAMP) + " AS DATE)";
      case TIMESTAMP ->
          chance(50) ? operand(family) : "CAST(" + operand(Family.DATE) + " AS TIMESTAMP)";
      case BOOLEAN -> "(" + condition(depth - 1) + ")";
    };
  }

  private String conditional(Family family, int depth) {
    boolean before = mayFail;
    mayFail = false;
    String a = expression(family, depth);
    String b = operand(family);
    mayFail = before;
    return switch (random.nextInt(4)) {
      case 0 -> "CASE WHEN " + condition(depth) + " THEN " + a + " ELSE " + b + " END";
      case 1 -> "CASE WHEN " + condition(depth) + " THEN " + a + " END";
      case 2 -> "NULLIF(" + a + ", " + b + ")";
      default -> "COALESCE(" + a + ", " + b + ")";
    };
  }

  private String integer(Family family, int depth) {
    String a = expression(family, depth);
    String b = operand(family);
    return switch (random.nextInt(9)) {
      case 0, 1 -> "(" + a + " + " + b + ")";
      case 2 -> "(" + a + " - " + b + ")";
      case 3 -> "(" + a + " * " + b + ")";
      case 4 -> "(" + a + " / NULLIF(" + b + ", 0))";
      case 5 -> "MOD(" + a + ", NULLIF(" + b + ", 0))";
      case 6 -> chance(50) ? "(-" + a + ")" : "ABS(" + a + ")";
      case 7 -> "EXTRACT(" + unit() + " FROM " + operand(Family.TIMESTAMP) + ")";
      default ->
          mayFail && chance(20)
              ? "(" + a + " / " + b + ")"
              : "CHAR_LENGTH(" + operand(Family.VARCHAR) + ")";
    };
  }

  private String unit() {
    return any(List.of("YEAR", "MONTH", "DAY", "HOUR", "DOW", "QUARTER"));
  }

  private String decimal(int depth) {
    String a = expression(Family.DECIMAL, depth);
    String b = operand(chance(70) ? Family.DECIMAL : Family.INTEGER);
    return switch (random.nextInt(6)) {
      case 0 -> "(" + a + " + " + b + ")";
      case 1 -> "(" + a + " - " + b + ")";
      case 2 -> "(" + a + " * " + b + ")";
      case 3 -> "CAST(" + a + " AS DECIMAL(12, " + random.nextInt(4) + "))";
      case 4 -> "CAST(" + operand(Family.DOUBLE) + " AS DECIMAL(12, 3))";
      default -> "(" + a + " / NULLIF(" + b + ", 0))";
    };
  }

  private String floating(Family family, int depth) {
    String a = expression(family, depth);
    String b = operand(any(List.of(Family.DOUBLE, Family.REAL, Family.INTEGER, Family.DECIMAL)));
    return switch (random.nextInt(6)) {
      case 0 -> "(" + a + " + " + b + ")";
      case 1 -> "(" + a + " - " + b + ")";
      case 2 -> "(" + a + " * " + b + ")";
      case 3 -> "ABS(" + a + ")";
      case 4 -> "CAST(" + b + " AS DOUBLE)";
      default -> "(" + a + " / NULLIF(" + b + ", 0))";
    };
  }

  private String text(int depth) {
    String a = expression(Family.VARCHAR, depth);
    return switch (random.nextInt(6)) {
      case 0 -> "UPPER(" + a + ")";
      case 1 -> "LOWER(" + a + ")";
      case 2 -> "(" + a + " || " + operand(Family.VARCHAR) + ")";
      case 3 -> "SUBSTRING(" + a + " FROM " + (1 + random.nextInt(3)) + " FOR 2)";
      case 4 -> "TRIM(" + a + ")";
      default -> "REPLACE(" + a + ", 'a', 'xy')";
    };
  }

  private String condition(int depth) {
    if (depth > 0 && chance(45)) {
      String a = condition(depth - 1);
      return switch (random.nextInt(4)) {
        case 0 -> "NOT (" + a + ")";
        case 1 -> "(" + a + " OR " + condition(depth - 1) + ")";
        default -> "(" + a + " AND " + condition(depth - 1) + ")";
      };
    }
    Family family = anyFamily();
    String a = expression(family, Math.min(1, depth));
    return switch (random.nextInt(12)) {
      case 0 -> a + " IS NULL";
      case 1 -> a + " IS NOT NULL";
      case 2 -> a + " IN (" + literals(family) + ")";
      case 3 -> a + " NOT IN (" + literals(family) + ")";
      case 4 -> a + " BETWEEN " + operand(family) + " AND " + operand(family);
      case 5 -> a + " IS NOT DISTINCT FROM " + operand(family);
      case 6 -> family.isText() ? a + " LIKE '" + pattern() + "'" : compared(a, family);
      case 7 -> depth == DEPTH ? subQuery() : compared(a, family);
      default -> compared(a, family);
    };
  }

  private String compared(String a, Family family) {
    return a + any(List.of(" = ", " <> ", " < ", " <= ", " > ", " >= ")) + operand(family);
  }

  private String literals(Family family) {
    return IntStream.range(0, 1 + random.nextInt(4))
        .mapToObj(i -> RandomTable.literal(random, family))
        .collect(Collectors.joining(", "));
  }

  private String pattern() {
    return any(List.of("a%", "%a%", "_", "%b", "A_c", "%\u00e4%", "", "100%"));
  }

  /** Membership in another table's column, or existence of a row that matches. */
  private String subQuery() {
    RandomTable other = table();
    Field outer = any(scope);
    List<Column> fitting =
        other.columns().stream().filter(c -> c.family() == outer.family()).toList();
    if (fitting.isEmpty()) {
      return outer.name() + " IS NULL";
    }
    String inner = "s." + any(fitting).name();
    String small = " FROM " + other.name() + " s WHERE s.id < " + random.nextInt(300);
    return switch (random.nextInt(4)) {
      case 0 -> outer.name() + " IN (SELECT " + inner + small + ")";
      case 1 -> outer.name() + " NOT IN (SELECT " + inner + small + ")";
      case 2 -> "EXISTS (SELECT 1" + small + " AND " + inner + " = " + outer.name() + ")";
      default -> "NOT EXISTS (SELECT 1" + small + " AND " + inner + " = " + outer.name() + ")";
    };
  }
}
