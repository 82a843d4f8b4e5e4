package io.gpdb.planner;

import io.gpdb.planner.NaiveWindow.Frame;
import io.gpdb.planner.NaiveWindow.Key;
import io.gpdb.planner.NaiveWindow.Row;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A random call over a random window, as SQL and evaluated by plain loops. */
final class RandomWindow {
  private static final double TOLERANCE = 1e-9;
  private static final int ID = 0;
  private static final int TEXT = 2;
  private static final int INTEGER = 3;
  private static final int DECIMAL = 4;
  private static final int DOUBLE = 5;
  private static final int BOOLEAN = 6;

  private static final List<String> UNFRAMED =
      List.of(
          "ROW_NUMBER", "RANK", "DENSE_RANK", "NTILE", "PERCENT_RANK", "CUME_DIST", "LAG", "LEAD");

  private static final List<String> FRAMED =
      List.of(
          "FIRST_VALUE",
          "LAST_VALUE",
          "NTH_VALUE",
          "COUNT(*)",
          "COUNT",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "VAR_POP",
          "STDDEV_SAMP",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "EVERY",
          "ARG_MAX",
          "LISTAGG");

  private final String function;
  private final int argument;
  private final boolean distinct;
  private final int offset;
  private final boolean hasDefault;
  private final boolean filtered;
  private final boolean fromLast;
  private final boolean ignoresNulls;
  private final List<Integer> partition = new ArrayList<>();
  private final List<Key> order = new ArrayList<>();
  private final Frame frame;
  private final String frameText;

  private RandomWindow(Random random) {
    boolean framed = random.nextInt(4) > 0;
    List<String> functions = framed ? FRAMED : UNFRAMED;
    function = functions.get(random.nextInt(functions.size()));
    int[] arguments =
        switch (function) {
          case "SUM", "AVG", "VAR_POP", "STDDEV_SAMP" -> new int[] {INTEGER, DECIMAL, DOUBLE};
          case "BIT_AND", "BIT_OR", "BIT_XOR" -> new int[] {INTEGER};
          case "EVERY" -> new int[] {BOOLEAN};
          case "ARG_MAX", "LISTAGG" -> new int[] {TEXT};
          default -> new int[] {TEXT, INTEGER, DECIMAL, DOUBLE, BOOLEAN};
        };
    argument = arguments[random.nextInt(arguments.length)];
    distinct = List.of("COUNT", "SUM", "AVG").contains(function) && random.nextInt(3) == 0;
    offset = random.nextInt(4);
    hasDefault = random.nextBoolean() && argument == INTEGER;
    filtered = framed && !function.endsWith("_VALUE") && random.nextInt(3) == 0;
    fromLast = function.equals("NTH_VALUE") && random.nextBoolean();
    ignoresNulls =
        (function.endsWith("_VALUE") || List.of("LAG", "LEAD").contains(function))
            && random.nextBoolean();
    if (random.nextInt(3) > 0) {
      partition.add(1);
      if (random.nextInt(3) == 0) {
        partition.add(TEXT);
      }
    }
    boolean ranged = framed && random.nextInt(3) == 0;
    if (ranged) {
      order.add(key(random, List.of(INTEGER, DECIMAL, DOUBLE)));
    } else {
      for (int i = 0; i < 1 + random.nextInt(2); i++) {
        order.add(key(random, List.of(TEXT, INTEGER, DECIMAL, DOUBLE, BOOLEAN)));
      }
    }
    if (!framed) {
      frame = new Frame("RANGE", null, BigDecimal.ZERO, "");
      frameText = "";
      return;
    }
    String unit =
        ranged ? "RANGE" : List.of("ROWS", "ROWS", "GROUPS", "RANGE").get(random.nextInt(4));
    boolean counted = !unit.equals("RANGE");
    BigDecimal lower = bound(random, counted, ranged);
    BigDecimal upper = bound(random, counted, ranged);
    if (lower != null && upper != null && lower.compareTo(upper) > 0) {
      BigDecimal other = lower;
      lower = upper;
      upper = other;
    }
    String exclusion = List.of("", "", "", "CURRENT ROW", "GROUP", "TIES").get(random.nextInt(6));
    frame = new Frame(unit, lower, upper, exclusion);
    frameText =
        " "
            + unit
            + " BETWEEN "
            + text(lower, "UNBOUNDED PRECEDING")
            + " AND "
            + text(upper, "UNBOUNDED FOLLOWING")
            + (exclusion.isEmpty() ? "" : " EXCLUDE " + exclusion);
  }

  static RandomWindow of(Random random) {
    return new RandomWindow(random);
  }

  private static Key key(Random random, List<Integer> columns) {
    return new Key(
        columns.get(random.nextInt(columns.size())), random.nextBoolean(), random.nextBoolean());
  }

  private static @Nullable BigDecimal bound(Random random, boolean rows, boolean ranged) {
    if (random.nextInt(3) == 0) {
      return null;
    }
    if (!rows && !ranged) {
      return BigDecimal.ZERO;
    }
    int distance = random.nextInt(4) == 0 ? random.nextInt(121) - 60 : random.nextInt(9) - 4;
    return ranged && random.nextBoolean()
        ? BigDecimal.valueOf(distance * 5L, 1)
        : BigDecimal.valueOf(distance);
  }

  private static String text(@Nullable BigDecimal bound, String unbounded) {
    return bound == null
        ? unbounded
        : bound.signum() == 0
            ? "CURRENT ROW"
            : bound.abs().toPlainString() + (bound.signum() < 0 ? " PRECEDING" : " FOLLOWING");
  }

  String sql() {
    String column = Row.NAMES.get(argument);
    String call =
        switch (function) {
          case "ROW_NUMBER", "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST" -> function + "()";
          case "NTILE" -> "NTILE(" + (offset + 1) + ")";
          case "LAG", "LEAD" ->
              function + "(" + column + ", " + offset + (hasDefault ? ", id)" : ")");
          case "NTH_VALUE" ->
              function + "(" + column + ", " + (offset + 1) + ")" + (fromLast ? " FROM LAST" : "");
          case "COUNT(*)" -> function;
          case "ARG_MAX" -> "ARG_MAX(h, k)";
          case "LISTAGG" -> "LISTAGG(h, '-')";
          default -> function + "(" + (distinct ? "DISTINCT " : "") + column + ")";
        };
    String keys = order.stream().map(Key::sql).collect(Collectors.joining(", "));
    String parts = partition.stream().map(Row.NAMES::get).collect(Collectors.joining(", "));
    return call
        + (ignoresNulls ? " IGNORE NULLS" : "")
        + (filtered ? " FILTER (WHERE b)" : "")
        + " OVER ("
        + (parts.isEmpty() ? "" : "PARTITION BY " + parts + " ")
        + "ORDER BY "
        + keys
        + frameText
        + ")";
  }

  /** The value for each row as text. */
  List<String> evaluated(List<Row> rows) {
    NaiveWindow window = new NaiveWindow(rows, partition, order, frame);
    List<String> values = new ArrayList<>();
    for (Row row : rows) {
      List<Row> sorted = window.partition(row);
      Object value =
          UNFRAMED.contains(function)
              ? unframed(window, sorted, row)
              : framed(window.frame(sorted, row));
      values.add(text(value));
    }
    return values;
  }

  private @Nullable Object unframed(NaiveWindow window, List<Row> sorted, Row row) {
    int at = sorted.indexOf(row);
    long before = sorted.stream().filter(other -> window.compare(other, row) < 0).count();
    long upTo = sorted.stream().filter(other -> window.compare(other, row) <= 0).count();
    return switch (function) {
      case "ROW_NUMBER" -> at + 1;
      case "RANK" -> before + 1;
      case "DENSE_RANK" -> {
        int rank = 1;
        for (int i = 1; i <= at; i++) {
          rank += window.compare(sorted.get(i - 1), sorted.get(i)) == 0 ? 0 : 1;
        }
        yield rank;
      }
      case "PERCENT_RANK" -> sorted.size() == 1 ? 0.0 : (double) before / (sorted.size() - 1);
      case "CUME_DIST" -> (double) upTo / sorted.size();
      case "NTILE" -> {
        List<Integer> tiles = new ArrayList<>();
        for (int tile = 0; tile <= offset; tile++) {
          int size = sorted.size() / (offset + 1) + (tile < sorted.size() % (offset + 1) ? 1 : 0);
          for (int i = 0; i < size; i++) {
            tiles.add(tile + 1);
          }
        }
        yield tiles.get(at);
      }
      default -> {
        if (ignoresNulls && offset > 0) {
          yield present(sorted, row, at);
        }
        int other = function.equals("LAG") ? at - offset : at + offset;
        yield other >= 0 && other < sorted.size()
            ? sorted.get(other).value(argument)
            : hasDefault ? row.value(ID) : null;
      }
    };
  }

  /** LAG or LEAD among the rows with a value. */
  private @Nullable Object present(List<Row> sorted, Row row, int at) {
    List<Row> others =
        new ArrayList<>(
            function.equals("LAG")
                ? sorted.subList(0, at).reversed()
                : sorted.subList(at + 1, sorted.size()));
    others.removeIf(other -> other.value(argument) == null);
    return others.size() >= offset
        ? others.get(offset - 1).value(argument)
        : hasDefault ? row.value(ID) : null;
  }

  private @Nullable Object framed(List<Row> all) {
    List<Row> frame =
        filtered
            ? all.stream().filter(row -> Boolean.TRUE.equals(row.value(BOOLEAN))).toList()
            : all;
    List<Object> values =
        new ArrayList<>(
            frame.stream().map(row -> row.value(argument)).filter(Objects::nonNull).toList());
    if (distinct) {
      values = new ArrayList<>(new LinkedHashSet<>(values));
    }
    return switch (function) {
      case "COUNT(*)" -> frame.size();
      case "COUNT" -> values.size();
      case "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE" -> ofPlace(frame);
      case "ARG_MAX" -> argMax(frame);
      default -> values.isEmpty() ? null : aggregate(values);
    };
  }

  private @Nullable Object ofPlace(List<Row> frame) {
    List<Row> rows =
        frame.stream().filter(row -> !ignoresNulls || row.value(argument) != null).toList();
    List<Row> counted = fromLast || function.equals("LAST_VALUE") ? rows.reversed() : rows;
    int place = function.equals("NTH_VALUE") ? offset : 0;
    return place < counted.size() ? counted.get(place).value(argument) : null;
  }

  private static @Nullable Object argMax(List<Row> frame) {
    Row best = null;
    for (Row row : frame) {
      Object value = row.value(INTEGER);
      Object known = best == null ? null : best.value(INTEGER);
      if (value != null && (known == null || NaiveWindow.compare(value, known) > 0)) {
        best = row;
      }
    }
    return best == null ? null : best.value(TEXT);
  }

  private Object aggregate(List<Object> values) {
    int count = values.size();
    return switch (function) {
      case "SUM" -> argument == DOUBLE ? (Object) sum(values).doubleValue() : sum(values);
      case "AVG" ->
          argument == DOUBLE
              ? (Object) (sum(values).doubleValue() / count)
              : sum(values).divide(BigDecimal.valueOf(count), 6, RoundingMode.HALF_UP);
      case "MIN" -> values.stream().min(NaiveWindow::compare).orElseThrow();
      case "MAX" -> values.stream().max(NaiveWindow::compare).orElseThrow();
      case "EVERY" -> values.stream().allMatch(Boolean.TRUE::equals);
      case "LISTAGG" -> values.stream().map(Object::toString).collect(Collectors.joining("-"));
      case "VAR_POP" -> squares(values) / count;
      case "STDDEV_SAMP" -> count == 1 ? "NULL" : (Object) Math.sqrt(squares(values) / (count - 1));
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

  private static BigDecimal sum(List<Object> values) {
    return values.stream().map(NaiveWindow::number).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static double squares(List<Object> values) {
    double mean = sum(values).doubleValue() / values.size();
    return values.stream()
        .mapToDouble(value -> Math.pow(NaiveWindow.number(value).doubleValue() - mean, 2))
        .sum();
  }

  static String text(@Nullable Object value) {
    return switch (value) {
      case null -> "NULL";
      case Boolean truth -> truth ? "TRUE" : "FALSE";
      case BigDecimal number -> number.toPlainString();
      default -> value.toString();
    };
  }

  /** Whether they are the same text, or floats as near as another order of additions. */
  static boolean isSame(String expected, String found) {
    if (expected.equals(found)) {
      return true;
    }
    try {
      double a = Double.parseDouble(expected);
      double b = Double.parseDouble(found);
      boolean isFloat = found.contains("E") || found.contains(".");
      return isFloat && Math.abs(a - b) <= TOLERANCE * Math.max(1, Math.abs(a));
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
