package io.gpdb.planner;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A window over rows in memory, by plain loops over all pairs of rows. */
final class NaiveWindow {
  private final List<Integer> partition;
  private final List<Key> order;
  private final Frame frame;

  /** By the values of its keys, a partition's rows in order. */
  private final Map<List<@Nullable Object>, List<Row>> partitions = new HashMap<>();

  /** A row of the table, whose values are numbers, texts, Booleans or null. */
  record Row(List<@Nullable Object> values) {
    static final List<String> NAMES = List.of("id", "g", "h", "k", "p", "f", "b");

    static Row random(Random random, int id) {
      List<@Nullable Object> values = new ArrayList<>();
      values.add(BigDecimal.valueOf(id));
      values.add(or(random, BigDecimal.valueOf(random.nextInt(4))));
      values.add(or(random, List.of("", "a", "b", "äö", "\uD83D\uDE00").get(random.nextInt(5))));
      values.add(or(random, BigDecimal.valueOf(random.nextInt(41) - 20)));
      values.add(or(random, BigDecimal.valueOf(random.nextInt(2001) - 1000, 2)));
      values.add(or(random, (random.nextInt(81) - 40) / 4.0));
      values.add(or(random, random.nextBoolean()));
      return new Row(values);
    }

    private static @Nullable Object or(Random random, Object value) {
      return random.nextInt(6) == 0 ? null : value;
    }

    @Nullable Object value(int column) {
      return values.get(column);
    }

    String sql() {
      List<String> texts = new ArrayList<>();
      for (Object value : values) {
        texts.add(
            switch (value) {
              case null -> "NULL";
              case String text -> "'" + text + "'";
              case Double number -> number + "E0";
              default -> value.toString();
            });
      }
      return "(" + String.join(", ", texts) + ")";
    }
  }

  /** A key of the order. */
  record Key(int column, boolean descending, boolean nullsFirst) {
    String sql() {
      return Row.NAMES.get(column)
          + (descending ? " DESC" : "")
          + (nullsFirst ? " NULLS FIRST" : " NULLS LAST");
    }
  }

  /**
   * In ROWS, GROUPS or RANGE a bound: so many or so much from the row, negative before it; null for
   * no bound.
   */
  record Frame(
      String unit, @Nullable BigDecimal lower, @Nullable BigDecimal upper, String exclusion) {}

  NaiveWindow(List<Row> rows, List<Integer> partition, List<Key> order, Frame frame) {
    this.partition = partition;
    this.order = order;
    this.frame = frame;
    rows.forEach(row -> partition(row).add(row));
    partitions.values().forEach(found -> found.sort(this::compare));
  }

  /** The rows of the row's partition in order. */
  List<Row> partition(Row row) {
    List<@Nullable Object> keys = new ArrayList<>();
    partition.forEach(column -> keys.add(row.value(column)));
    return partitions.computeIfAbsent(keys, _ -> new ArrayList<>());
  }

  int compare(Row a, Row b) {
    for (Key key : order) {
      Object x = a.value(key.column);
      Object y = b.value(key.column);
      int found =
          x == null || y == null
              ? x == y ? 0 : (x == null) == key.nullsFirst ? -1 : 1
              : key.descending ? compare(y, x) : compare(x, y);
      if (found != 0) {
        return found;
      }
    }
    return 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compare(Object x, Object y) {
    return x instanceof String text
        ? Arrays.compare(text.codePoints().toArray(), ((String) y).codePoints().toArray())
        : ((Comparable) x).compareTo(y);
  }

  /** The rows of the row's frame, in order. */
  List<Row> frame(List<Row> sorted, Row row) {
    List<Row> found = new ArrayList<>();
    int at = sorted.indexOf(row);
    for (int i = 0; i < sorted.size(); i++) {
      Row other = sorted.get(i);
      boolean within =
          switch (frame.unit) {
            case "ROWS" -> isBetween(BigDecimal.valueOf(i - at));
            case "GROUPS" -> isBetween(BigDecimal.valueOf(group(sorted, i) - group(sorted, at)));
            default -> isInRange(row, other);
          };
      boolean excluded =
          switch (frame.exclusion) {
            case "CURRENT ROW" -> i == at;
            case "GROUP" -> compare(row, other) == 0;
            case "TIES" -> i != at && compare(row, other) == 0;
            default -> false;
          };
      if (within && !excluded) {
        found.add(other);
      }
    }
    return found;
  }

  /** How many groups of equal rows are before that of the row at a place. */
  private long group(List<Row> sorted, int place) {
    long groups = 0;
    for (int i = 1; i <= place; i++) {
      groups += compare(sorted.get(i - 1), sorted.get(i)) == 0 ? 0 : 1;
    }
    return groups;
  }

  private boolean isBetween(BigDecimal distance) {
    return (frame.lower == null || distance.compareTo(frame.lower) >= 0)
        && (frame.upper == null || distance.compareTo(frame.upper) <= 0);
  }

  private boolean isInRange(Row row, Row other) {
    int side = Integer.signum(compare(other, row));
    return (frame.lower == null || isAtOrBehind(row, other, side, frame.lower))
        && (frame.upper == null || isAtOrBefore(row, other, side, frame.upper));
  }

  private boolean isAtOrBehind(Row row, Row other, int side, BigDecimal bound) {
    BigDecimal distance = bound.signum() == 0 ? null : distance(row, other);
    return distance == null ? side >= 0 : distance.compareTo(bound) >= 0;
  }

  private boolean isAtOrBefore(Row row, Row other, int side, BigDecimal bound) {
    BigDecimal distance = bound.signum() == 0 ? null : distance(row, other);
    return distance == null ? side <= 0 : distance.compareTo(bound) <= 0;
  }

  /** How far the other is behind the row; null where one of them has no key. */
  private @Nullable BigDecimal distance(Row row, Row other) {
    Key key = order.getFirst();
    Object x = row.value(key.column);
    Object y = other.value(key.column);
    if (x == null || y == null) {
      return null;
    }
    BigDecimal difference = number(y).subtract(number(x));
    return key.descending ? difference.negate() : difference;
  }

  static BigDecimal number(Object value) {
    return value instanceof Double number ? BigDecimal.valueOf(number) : (BigDecimal) value;
  }
}
