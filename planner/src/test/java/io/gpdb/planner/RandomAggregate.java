package io.gpdb.planner;

import io.gpdb.planner.NaiveWindow.Key;
import io.gpdb.planner.NaiveWindow.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A random call of an aggregate, as SQL and evaluated by plain loops over a group's rows. */
record RandomAggregate(
    String function,
    int argument,
    boolean distinct,
    boolean filtered,
    BigDecimal share,
    Key order) {
  private static final int TEXT = 2;
  private static final int INTEGER = 3;
  private static final int DECIMAL = 4;
  private static final int DOUBLE = 5;
  private static final int BOOLEAN = 6;

  private static final List<String> FUNCTIONS =
      List.of(
          "COUNT(*)",
          "COUNT",
          "COUNT OF TWO",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "VAR_POP",
          "VAR_SAMP",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "BOOL_AND",
          "SOME",
          "ARG_MAX",
          "LISTAGG",
          "STRING_AGG",
          "GROUP_CONCAT",
          "MODE",
          "MEDIAN",
          "PERCENTILE_CONT",
          "PERCENTILE_DISC",
          "COVAR_POP",
          "COVAR_SAMP",
          "CORR",
          "REGR_AVGX",
          "REGR_AVGY",
          "REGR_COUNT",
          "REGR_INTERCEPT",
          "REGR_R2",
          "REGR_SLOPE",
          "REGR_SXX",
          "REGR_SXY",
          "REGR_SYY");

  static RandomAggregate of(Random random) {
    String function = FUNCTIONS.get(random.nextInt(FUNCTIONS.size()));
    int[] arguments =
        switch (function) {
          case "SUM", "AVG", "VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP" ->
              new int[] {INTEGER, DECIMAL, DOUBLE};
          case "MEDIAN", "PERCENTILE_CONT" -> new int[] {INTEGER, DECIMAL, DOUBLE};
          case "BIT_AND", "BIT_OR", "BIT_XOR", "COUNT OF TWO" -> new int[] {INTEGER};
          case "BOOL_AND", "SOME" -> new int[] {BOOLEAN};
          case "ARG_MAX", "LISTAGG", "STRING_AGG", "GROUP_CONCAT" -> new int[] {TEXT};
          default -> new int[] {TEXT, INTEGER, DECIMAL, DOUBLE, BOOLEAN};
        };
    int argument = arguments[random.nextInt(arguments.length)];
    boolean distinct =
        random.nextInt(3) == 0
            && (List.of("COUNT", "COUNT OF TWO", "SUM", "AVG", "VAR_POP", "LISTAGG")
                .contains(function));
    boolean ofValue =
        List.of("MODE", "PERCENTILE_CONT", "PERCENTILE_DISC").contains(function)
            || (distinct && function.equals("LISTAGG"));
    int column = ofValue ? argument : List.of(TEXT, INTEGER, DOUBLE).get(random.nextInt(3));
    Key order = new Key(column, random.nextBoolean(), random.nextBoolean());
    BigDecimal share = BigDecimal.valueOf(random.nextInt(21) * 5L, 2);
    return new RandomAggregate(function, argument, distinct, random.nextInt(4) == 0, share, order);
  }

  String sql() {
    String column = Row.NAMES.get(argument);
    String set = distinct ? "DISTINCT " : "";
    String call =
        switch (function) {
          case "COUNT(*)" -> function;
          case "COUNT OF TWO" -> "COUNT(" + set + "k, b)";
          case "ARG_MAX" -> "ARG_MAX(h, k)";
          case "LISTAGG" -> "LISTAGG(" + set + "h, '-') WITHIN GROUP (ORDER BY " + by() + ")";
          case "STRING_AGG" -> "STRING_AGG(h, '-' ORDER BY " + by() + ")";
          case "GROUP_CONCAT" -> "GROUP_CONCAT(h ORDER BY " + by() + " SEPARATOR '-')";
          case "MODE" -> "MODE() WITHIN GROUP (ORDER BY " + by() + ")";
          case "PERCENTILE_CONT", "PERCENTILE_DISC" ->
              function + "(" + share + ") WITHIN GROUP (ORDER BY " + by() + ")";
          default -> isOfPairs() ? function + "(k, f)" : function + "(" + set + column + ")";
        };
    return call + (filtered ? " FILTER (WHERE b)" : "");
  }

  /** Rows with equal keys are in the order of their numbers, if their texts are put together. */
  private String by() {
    return order.sql() + (distinct || function.startsWith("PERC") || isMode() ? "" : ", id");
  }

  private boolean isMode() {
    return function.equals("MODE");
  }

  private boolean isOfPairs() {
    return function.startsWith("CO") && !function.startsWith("COUNT")
        || function.startsWith("REGR");
  }

  /** The value for the rows of a group. */
  @Nullable Object evaluated(List<Row> group) {
    List<Row> rows =
        new ArrayList<>(
            filtered
                ? group.stream().filter(row -> Boolean.TRUE.equals(row.value(BOOLEAN))).toList()
                : group);
    if (function.equals("COUNT(*)")) {
      return rows.size();
    }
    if (isOfPairs()) {
      return ofPairs(rows);
    }
    if (function.equals("COUNT OF TWO")) {
      List<String> pairs =
          rows.stream()
              .filter(row -> row.value(INTEGER) != null && row.value(BOOLEAN) != null)
              .map(row -> row.value(INTEGER) + "," + row.value(BOOLEAN))
              .toList();
      return distinct ? new LinkedHashSet<>(pairs).size() : pairs.size();
    }
    if (function.equals("ARG_MAX")) {
      return argMax(rows);
    }
    if (isOrdered()) {
      rows.sort(this::compare);
    }
    List<Object> values =
        new ArrayList<>(
            rows.stream().map(row -> row.value(argument)).filter(Objects::nonNull).toList());
    if (distinct) {
      values = new ArrayList<>(new LinkedHashSet<>(values));
    }
    if (function.equals("COUNT")) {
      return values.size();
    }
    return values.isEmpty() ? null : of(values);
  }

  private boolean isOrdered() {
    return List.of("LISTAGG", "STRING_AGG", "GROUP_CONCAT", "MODE").contains(function)
        || function.startsWith("PERC");
  }

  private int compare(Row a, Row b) {
    Object x = a.value(order.column());
    Object y = b.value(order.column());
    if (x == null || y == null) {
      return x == y ? 0 : (x == null) == order.nullsFirst() ? -1 : 1;
    }
    return order.descending() ? NaiveWindow.compare(y, x) : NaiveWindow.compare(x, y);
  }

  private static @Nullable Object argMax(List<Row> rows) {
    Row best = null;
    for (Row row : rows) {
      Object value = row.value(INTEGER);
      Object known = best == null ? null : best.value(INTEGER);
      if (value != null && (known == null || NaiveWindow.compare(value, known) > 0)) {
        best = row;
      }
    }
    return best == null ? null : best.value(TEXT);
  }

  private @Nullable Object of(List<Object> values) {
    int count = values.size();
    return switch (function) {
      case "SUM" -> argument == DOUBLE ? (Object) sum(values).doubleValue() : sum(values);
      case "AVG" ->
          argument == DOUBLE
              ? (Object) (sum(values).doubleValue() / count)
              : sum(values).divide(BigDecimal.valueOf(count), 6, RoundingMode.HALF_UP);
      case "MIN" -> Collections.min(values, NaiveWindow::compare);
      case "MAX" -> Collections.max(values, NaiveWindow::compare);
      case "BOOL_AND" -> values.stream().allMatch(Boolean.TRUE::equals);
      case "SOME" -> values.contains(true);
      case "LISTAGG", "STRING_AGG", "GROUP_CONCAT" ->
          values.stream().map(Object::toString).collect(Collectors.joining("-"));
      case "VAR_POP" -> squares(values) / count;
      case "STDDEV_POP" -> Math.sqrt(squares(values) / count);
      case "VAR_SAMP" -> count == 1 ? null : (Object) (squares(values) / (count - 1));
      case "STDDEV_SAMP" -> count == 1 ? null : (Object) Math.sqrt(squares(values) / (count - 1));
      case "MODE" -> mode(values);
      case "MEDIAN" -> {
        values.sort(NaiveWindow::compare);
        yield between(values, new BigDecimal("0.5"));
      }
      case "PERCENTILE_CONT" -> between(values, share);
      case "PERCENTILE_DISC" -> {
        int needed =
            share.multiply(BigDecimal.valueOf(count)).setScale(0, RoundingMode.CEILING).intValue();
        yield values.get(Math.max(needed, 1) - 1);
      }
      default ->
          values.stream()
              .mapToLong(value -> ((BigDecimal) value).longValue())
              .reduce(
                  (a, b) ->
                      switch (function) {
                        case "BIT_AND" -> a & b;
                        case "BIT_OR" -> a | b;
                        default -> a ^ b;
                      })
              .orElseThrow();
    };
  }

  private static Object mode(List<Object> values) {
    Map<Object, Integer> counts = new LinkedHashMap<>();
    values.forEach(value -> counts.merge(value, 1, Integer::sum));
    int most = Collections.max(counts.values());
    return counts.keySet().stream().filter(v -> counts.get(v) == most).findFirst().orElseThrow();
  }

  private static double between(List<Object> sorted, BigDecimal at) {
    BigDecimal place = at.multiply(BigDecimal.valueOf(sorted.size() - 1L));
    int before = place.intValue();
    BigDecimal rest = place.subtract(BigDecimal.valueOf(before));
    BigDecimal from = NaiveWindow.number(sorted.get(before));
    BigDecimal to = NaiveWindow.number(sorted.get(rest.signum() == 0 ? before : before + 1));
    return from.add(to.subtract(from).multiply(rest)).doubleValue();
  }

  private static BigDecimal sum(List<Object> values) {
    return values.stream().map(NaiveWindow::number).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static double squares(List<Object> values) {
    double mean = sum(values).doubleValue() / values.size();
    return values.stream()
        .mapToDouble(value -> Math.pow(NaiveWindow.number(value).doubleValue() - mean, 2))
        .sum();
  }

  /** By the sums of the textbook, in exact numbers. */
  private @Nullable Object ofPairs(List<Row> rows) {
    BigDecimal n = BigDecimal.ZERO;
    BigDecimal x = BigDecimal.ZERO;
    BigDecimal y = BigDecimal.ZERO;
    BigDecimal xx = BigDecimal.ZERO;
    BigDecimal yy = BigDecimal.ZERO;
    BigDecimal xy = BigDecimal.ZERO;
    for (Row row : rows) {
      Object dependent = row.value(INTEGER);
      Object independent = row.value(DOUBLE);
      if (dependent != null && independent != null) {
        BigDecimal a = NaiveWindow.number(independent);
        BigDecimal b = NaiveWindow.number(dependent);
        n = n.add(BigDecimal.ONE);
        x = x.add(a);
        y = y.add(b);
        xx = xx.add(a.multiply(a));
        yy = yy.add(b.multiply(b));
        xy = xy.add(a.multiply(b));
      }
    }
    int count = n.intValue();
    if (function.equals("REGR_COUNT") || count == 0) {
      return count == 0 && !function.equals("REGR_COUNT") ? null : (Object) count;
    }
    double sxx = xx.multiply(n).subtract(x.multiply(x)).doubleValue() / count;
    double syy = yy.multiply(n).subtract(y.multiply(y)).doubleValue() / count;
    double sxy = xy.multiply(n).subtract(x.multiply(y)).doubleValue() / count;
    double slope = sxy / sxx;
    Double result =
        switch (function) {
          case "COVAR_POP" -> sxy / count;
          case "COVAR_SAMP" -> count == 1 ? null : (Double) (sxy / (count - 1));
          case "CORR" -> sxx == 0 || syy == 0 ? null : (Double) (sxy / Math.sqrt(sxx * syy));
          case "REGR_AVGX" -> x.doubleValue() / count;
          case "REGR_AVGY" -> y.doubleValue() / count;
          case "REGR_SXX" -> sxx;
          case "REGR_SXY" -> sxy;
          case "REGR_SYY" -> syy;
          default -> sxx == 0 ? null : (Double) line(slope, count, x, y, sxy, syy);
        };
    return result;
  }

  private double line(double slope, int count, BigDecimal x, BigDecimal y, double sxy, double syy) {
    return switch (function) {
      case "REGR_SLOPE" -> slope;
      case "REGR_INTERCEPT" -> y.doubleValue() / count - slope * x.doubleValue() / count;
      default -> syy == 0 ? 1 : slope * sxy / syy;
    };
  }
}
