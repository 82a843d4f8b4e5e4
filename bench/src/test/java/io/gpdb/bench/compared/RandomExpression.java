package io.gpdb.bench.compared;

import io.gpdb.bench.compared.Scope.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random expressions, conditions and aggregates over what a scope names. */
final class RandomExpression {
  /** Subqueries, which a query makes; depth counts the queries around. */
  interface SubQueries {
    String value(Kind kind, Scope scope, int depth);

    String rows(List<Kind> kinds, Scope scope, int depth);
  }

  static final int DEPTH_MAX = 3;
  private static final String[] COMPARISONS = {" = ", " = ", " <> ", " < ", " <= ", " > ", " >= "};

  private final Random random;
  private final SubQueries queries;

  /** How many more expressions the statement may have that are more than columns. */
  private int left;

  RandomExpression(Random random, SubQueries queries) {
    this.random = random;
    this.queries = queries;
  }

  void begin(int expressions) {
    left = expressions;
  }

  boolean isLong() {
    return left <= 0;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private String pick(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  String of(Kind kind, Scope scope, int depth, int size) {
    left--;
    List<Column> columns = scope.visible(kind);
    if (size <= 0 || isLong() || chance(45)) {
      return !columns.isEmpty() && chance(85)
          ? columns.get(random.nextInt(columns.size())).sql()
          : chance(4) ? "CAST(NULL AS " + kind.sql + ")" : literal(kind);
    }
    if (depth < DEPTH_MAX && chance(14)) {
      return queries.value(kind, scope, depth + 1);
    }
    String first = of(kind, scope, depth, size - 1);
    return switch (random.nextInt(8)) {
      case 0 -> searched(kind, scope, depth, size - 1);
      case 1 -> "COALESCE(" + first + ", " + of(kind, scope, depth, size - 1) + ")";
      case 2 -> "NULLIF(" + first + ", " + of(kind, scope, depth, size - 1) + ")";
      case 3 -> compared(kind, scope, depth, size - 1);
      default -> computed(kind, first, scope, depth, size);
    };
  }

  /** A text that is no CHAR, which gpDB alone pads beside a longer one. */
  private String literal(Kind kind) {
    String literal = kind.literal(random);
    return kind == Kind.TEXT ? "CAST(" + literal + " AS VARCHAR(20))" : literal;
  }

  private String searched(Kind kind, Scope scope, int depth, int size) {
    return "CASE WHEN "
        + condition(scope, depth, size)
        + " THEN "
        + of(kind, scope, depth, size)
        + (chance(70) ? " ELSE " + of(kind, scope, depth, size) : "")
        + " END";
  }

  private String compared(Kind kind, Scope scope, int depth, int size) {
    Kind other = chance(50) ? Kind.INTEGER : Kind.TEXT;
    StringBuilder choice = new StringBuilder("CASE ").append(of(other, scope, depth, size));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      choice.append(" WHEN ").append(of(other, scope, depth, size - 1));
      choice.append(" THEN ").append(of(kind, scope, depth, size));
    }
    return choice.append(" END").toString();
  }

  private String computed(Kind kind, String first, Scope scope, int depth, int size) {
    return switch (kind) {
      case INTEGER ->
          switch (random.nextInt(4)) {
            case 0 -> "(" + first + pick(" + ", " - ") + of(kind, scope, depth, size - 1) + ")";
            case 1 -> "ABS(" + first + ")";
            case 2 -> "MOD(" + first + ", " + pick("⟦2⟧", "⟦3⟧", "⟦-2⟧") + ")";
            default -> "CHAR_LENGTH(" + of(Kind.TEXT, scope, depth, size - 1) + ")";
          };
      case DECIMAL ->
          chance(60)
              ? "(" + first + pick(" + ", " - ") + of(kind, scope, depth, size - 1) + ")"
              : "CAST(" + of(Kind.INTEGER, scope, depth, size - 1) + " AS DECIMAL(9, 2))";
      case DOUBLE ->
          chance(60)
              ? "(" + first + pick(" + ", " - ", " * ") + of(kind, scope, depth, size - 2) + ")"
              : "CAST(" + of(Kind.DECIMAL, scope, depth, size - 1) + " AS DOUBLE)";
      case TEXT ->
          switch (random.nextInt(5)) {
            case 0 -> "CAST(" + first + " || " + of(kind, scope, depth, 0) + " AS VARCHAR(60))";
            case 1 -> "CAST(" + of(Kind.INTEGER, scope, depth, size - 1) + " AS VARCHAR(20))";
            case 2 -> "SUBSTRING(" + first + ", " + pick("⟦1⟧", "⟦2⟧") + ", ⟦2⟧)";
            case 3 -> "REPLACE(" + first + ", ⟦'a'⟧, ⟦'bb'⟧)";
            default -> pick("UPPER(", "LOWER(", "TRIM(") + first + ")";
          };
      case DATE -> "CAST(" + first + pick(" + ", " - ") + "INTERVAL '1' DAY AS DATE)";
      case BOOLEAN -> "(" + condition(scope, depth, size - 1) + ")";
    };
  }

  String condition(Scope scope, int depth, int size) {
    left--;
    boolean more = size > 0 && !isLong();
    if (more && chance(35)) {
      String first = condition(scope, depth, size - 1);
      return "(" + first + pick(" AND ", " OR ") + condition(scope, depth, size - 1) + ")";
    }
    if (more && chance(12)) {
      String inner = "(" + condition(scope, depth, size - 1) + ")";
      return chance(50) ? "NOT " + inner : inner + pick(" IS TRUE", " IS NOT FALSE", " IS NULL");
    }
    Kind kind = Kind.any(random);
    return depth < DEPTH_MAX && !isLong() && chance(22)
        ? ofQuery(kind, scope, depth)
        : plain(kind, scope, depth, size);
  }

  private String plain(Kind kind, Scope scope, int depth, int size) {
    String value = of(kind, scope, depth, size);
    return switch (random.nextInt(8)) {
      case 0 -> value + pick(" IS NULL", " IS NOT NULL");
      case 1 -> value + pick(" IS ", " IS NOT ") + "DISTINCT FROM " + of(kind, scope, depth, size);
      case 2 ->
          value
              + pick(" BETWEEN ", " NOT BETWEEN ")
              + of(kind.comparable(random), scope, depth, 0)
              + " AND "
              + of(kind.comparable(random), scope, depth, 0);
      case 3 -> value + pick(" IN (", " NOT IN (") + list(kind, scope, depth) + ")";
      case 4 ->
          of(Kind.TEXT, scope, depth, size)
              + pick(" LIKE ", " NOT LIKE ")
              + pick("⟦'%'⟧", "⟦'_'⟧", "⟦'a%'⟧", "⟦'%b'⟧", "⟦'%a%'⟧", "⟦''⟧");
      default -> value + pick(COMPARISONS) + of(kind.comparable(random), scope, depth, size);
    };
  }

  private String list(Kind kind, Scope scope, int depth) {
    List<String> values = new ArrayList<>();
    for (int i = random.nextInt(chance(10) ? 40 : 4); i >= 0; i--) {
      boolean other = chance(10);
      values.add(!other ? kind.literal(random) : chance(30) ? "NULL" : of(kind, scope, depth, 0));
    }
    return String.join(", ", values);
  }

  private String ofQuery(Kind kind, Scope scope, int depth) {
    String value = of(kind, scope, depth, 1);
    return switch (random.nextInt(5)) {
      case 0 ->
          pick("EXISTS (", "NOT EXISTS (")
              + queries.rows(List.of(Kind.any(random)), scope, depth + 1)
              + ")";
      case 1 ->
          value + pick(" IN (", " NOT IN (") + queries.rows(List.of(kind), scope, depth + 1) + ")";
      case 2 ->
          value
              + pick(COMPARISONS)
              + pick("ANY (", "ALL (")
              + queries.rows(List.of(kind), scope, depth + 1)
              + ")";
      case 3 -> {
        Kind other = Kind.any(random);
        yield "(%s, %s)%s(%s)"
            .formatted(
                value,
                of(other, scope, depth, 1),
                pick(" IN ", " NOT IN "),
                queries.rows(List.of(kind, other), scope, depth + 1));
      }
      default -> value + pick(COMPARISONS) + queries.value(kind, scope, depth + 1);
    };
  }

  /** An aggregate of a kind over own columns; empty where none has a column to take. */
  String aggregate(Kind kind, Scope scope, int depth) {
    String call = call(kind, scope, depth);
    if (call.isEmpty() || chance(88)) {
      return typed(kind, call);
    }
    String filter = " FILTER (WHERE " + condition(scope.alone(), DEPTH_MAX, 1) + ")";
    return typed(kind, call + filter);
  }

  /** Sums have more digits in one database than in the other. */
  private static String typed(Kind kind, String call) {
    return !call.startsWith("SUM(") || kind == Kind.DOUBLE
        ? call
        : "CAST(" + call + " AS " + (kind == Kind.INTEGER ? "INTEGER" : "DECIMAL(12, 2)") + ")";
  }

  private String call(Kind kind, Scope scope, int depth) {
    if (kind == Kind.INTEGER && chance(45)) {
      String any = argument(Kind.any(random), scope, depth);
      return any.isEmpty() || chance(40)
          ? "COUNT(*)"
          : "COUNT(" + pick("", "DISTINCT ") + any + ")";
    }
    String whole = argument(Kind.INTEGER, scope, depth);
    if (kind == Kind.DOUBLE && !whole.isEmpty() && chance(50)) {
      return "AVG(CAST(" + whole + " AS DOUBLE))";
    }
    String argument = argument(kind, scope, depth);
    if (argument.isEmpty()) {
      return "";
    }
    return switch (kind) {
      case BOOLEAN -> pick("BOOL_AND(", "BOOL_OR(") + argument + ")";
      case INTEGER, DECIMAL -> pick("SUM(", "SUM(DISTINCT ", "MIN(", "MAX(") + argument + ")";
      case DOUBLE -> pick("SUM(", "MIN(", "MAX(") + argument + ")";
      case TEXT, DATE -> pick("MIN(", "MAX(") + argument + ")";
    };
  }

  private String argument(Kind kind, Scope scope, int depth) {
    List<Column> columns = scope.own(kind);
    if (columns.isEmpty()) {
      return "";
    }
    String column = columns.get(random.nextInt(columns.size())).sql();
    if (chance(75)) {
      return column;
    }
    int inner = chance(20) ? Math.min(depth + 1, DEPTH_MAX) : DEPTH_MAX;
    return "CASE WHEN " + condition(scope.alone(), inner, 1) + " THEN " + column + " END";
  }
}
