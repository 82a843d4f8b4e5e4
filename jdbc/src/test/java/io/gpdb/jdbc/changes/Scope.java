package io.gpdb.jdbc.changes;

import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the names of a statement refer to at one row, and random expressions over them, each as SQL
 * and as a function.
 *
 * @param target a row of the changed table
 * @param source a row of the other table, or the row that was not inserted
 */
record Scope(@Nullable Object @Nullable [] target, @Nullable Object @Nullable [] source) {

  record Expression(String sql, Function<Scope, @Nullable Object> value) {}

  /** A condition; NULL is unknown. */
  record Condition(String sql, Function<Scope, @Nullable Boolean> holds) {
    boolean isTrue(Scope scope) {
      return Boolean.TRUE.equals(holds.apply(scope));
    }
  }

  /** Makes expressions over the columns of a target and a source of the same four types. */
  record Maker(
      Random random,
      int domain,
      @Nullable String target,
      @Nullable String source,
      List<String> sourceColumns) {
    Maker without(boolean noTarget, boolean noSource) {
      return new Maker(
          random, domain, noTarget ? null : target, noSource ? null : source, sourceColumns);
    }

    Expression column(int c) {
      boolean ofTarget = target != null && (source == null || random.nextBoolean());
      if (ofTarget) {
        return targetColumn(c);
      }
      return source == null ? literal(c) : sourceColumn(c);
    }

    Expression targetColumn(int c) {
      return new Expression(
          target + "." + ModelTable.COLUMNS.get(c), s -> s.target() == null ? null : s.target()[c]);
    }

    Expression sourceColumn(int c) {
      return new Expression(
          source + "." + sourceColumns.get(c), s -> s.source() == null ? null : s.source()[c]);
    }

    Expression literal(int c) {
      @Nullable Object value = value(c);
      return new Expression(sql(value), s -> value);
    }

    @Nullable Object value(int c) {
      if (random.nextInt(c == ModelTable.ID ? 40 : 6) == 0) {
        return null;
      }
      return c == ModelTable.B ? "v" + random.nextInt(domain) : (Object) random.nextInt(domain);
    }

    Expression of(int c) {
      return switch (random.nextInt(7)) {
        case 0, 1 -> literal(c);
        case 2 -> {
          Expression one = column(c);
          Expression other = literal(c);
          yield new Expression(
              "COALESCE(" + one.sql + ", " + cast(other.sql, c) + ")",
              s -> one.value.apply(s) == null ? other.value.apply(s) : one.value.apply(s));
        }
        case 3 -> {
          Condition condition = condition();
          Expression one = column(c);
          Expression other = column(c);
          yield new Expression(
              "CASE WHEN "
                  + condition.sql
                  + " THEN "
                  + cast(one.sql, c)
                  + " ELSE "
                  + cast(other.sql, c)
                  + " END",
              s -> condition.isTrue(s) ? one.value.apply(s) : other.value.apply(s));
        }
        case 4 -> {
          Expression one = column(c);
          yield c == ModelTable.B
              ? one
              : new Expression(
                  cast(one.sql, c) + " + 1",
                  s -> one.value.apply(s) instanceof Integer i ? (Object) (i + 1) : null);
        }
        default -> column(c);
      };
    }

    private static String cast(String sql, int c) {
      return sql.equals("NULL")
          ? c == ModelTable.B ? "CAST(NULL AS VARCHAR(9))" : "CAST(NULL AS INTEGER)"
          : sql;
    }

    Condition condition() {
      int c = random.nextInt(4);
      Expression one = column(c);
      Expression other = random.nextBoolean() ? column(c) : literal(c);
      String left = cast(one.sql, c);
      String right = cast(other.sql, c);
      return switch (random.nextInt(6)) {
        case 0 -> new Condition(left + " IS NULL", s -> one.value.apply(s) == null);
        case 1 ->
            new Condition(
                left + " <> " + right,
                s -> both(one, other, s) ? !one.value.apply(s).equals(other.value.apply(s)) : null);
        case 2 ->
            new Condition(
                left + " < " + right,
                s ->
                    both(one, other, s)
                        ? compare(one.value.apply(s), other.value.apply(s)) < 0
                        : null);
        case 3 -> {
          Condition a = condition();
          Condition b = condition();
          yield new Condition(
              "(" + a.sql + " OR " + b.sql + ")",
              s ->
                  a.isTrue(s) || b.isTrue(s)
                      ? Boolean.TRUE
                      : a.holds.apply(s) == null || b.holds.apply(s) == null ? null : false);
        }
        default ->
            new Condition(
                left + " >= " + right,
                s ->
                    both(one, other, s)
                        ? compare(one.value.apply(s), other.value.apply(s)) >= 0
                        : null);
      };
    }

    /** A column of the target that equals one of the source. */
    Condition join() {
      int[] columns = {ModelTable.ID, ModelTable.A, ModelTable.B, ModelTable.C};
      int c = columns[random.nextInt(columns.length)];
      int d = c == ModelTable.B ? c : columns[random.nextInt(2)];
      Expression one = targetColumn(c);
      Expression other = sourceColumn(d);
      Condition equal =
          new Condition(
              one.sql + " = " + other.sql,
              s -> both(one, other, s) ? one.value.apply(s).equals(other.value.apply(s)) : null);
      return random.nextInt(3) > 0 ? equal : and(equal, condition());
    }

    private static boolean both(Expression one, Expression other, Scope s) {
      return one.value.apply(s) != null && other.value.apply(s) != null;
    }

    private static int compare(Object one, Object other) {
      return one instanceof Integer i
          ? i.compareTo((Integer) other)
          : one.toString().compareTo(other.toString());
    }
  }

  static Condition and(Condition one, Condition other) {
    return new Condition(one.sql + " AND " + other.sql, s -> one.isTrue(s) && other.isTrue(s));
  }

  static String sql(@Nullable Object value) {
    return value instanceof String s
        ? "'" + s + "'"
        : String.valueOf(value).replace("null", "NULL");
  }
}
