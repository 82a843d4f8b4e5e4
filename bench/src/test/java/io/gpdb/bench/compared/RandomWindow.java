package io.gpdb.bench.compared;

import io.gpdb.bench.compared.Scope.Column;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random calls of window functions whose values do not depend on the order of equal rows. */
final class RandomWindow {
  private static final List<String> STARTS =
      List.of("UNBOUNDED PRECEDING", "2 PRECEDING", "1 PRECEDING", "CURRENT ROW", "1 FOLLOWING");
  private static final List<String> ENDS =
      List.of("1 PRECEDING", "CURRENT ROW", "1 FOLLOWING", "2 FOLLOWING", "UNBOUNDED FOLLOWING");

  /** A call, and whether its window may have a frame. */
  private record Call(String sql, boolean framed) {}

  private final Random random;

  RandomWindow(Random random) {
    this.random = random;
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  /** A call of a kind over own columns; empty where there is none. */
  String call(Kind kind, Scope scope) {
    List<Column> own = scope.own().stream().distinct().toList();
    if (own.isEmpty()) {
      return "";
    }
    boolean total = chance(50);
    List<Column> order = new ArrayList<>(total ? own : List.of());
    Collections.shuffle(order, random);
    if (!total && chance(85)) {
      order.add(pick(own));
    }
    List<Call> calls = calls(kind, scope.own(kind), scope, order, total);
    if (calls.isEmpty()) {
      return "";
    }
    Call call = pick(calls);
    String frame = call.framed && !order.isEmpty() && chance(60) ? frame(order, total) : "";
    String partition = chance(50) ? "PARTITION BY " + pick(own).sql() + " " : "";
    String over = call.sql + " OVER (" + (partition + ordered(order) + frame).strip() + ")";
    return call.sql.startsWith("SUM(") ? "CAST(" + over + " AS INTEGER)" : over;
  }

  private String ordered(List<Column> order) {
    List<String> keys =
        order.stream()
            .map(key -> key.sql() + pick(List.of("", " DESC")) + " NULLS " + nullsAt())
            .toList();
    return keys.isEmpty() ? "" : "ORDER BY " + String.join(", ", keys);
  }

  private String nullsAt() {
    return pick(List.of("FIRST", "LAST"));
  }

  private List<Call> calls(
      Kind kind, List<Column> arguments, Scope scope, List<Column> order, boolean total) {
    List<Call> calls = new ArrayList<>();
    if (kind == Kind.INTEGER) {
      calls.add(new Call("COUNT(*)", true));
      calls.add(new Call("COUNT(" + pick(scope.own()).sql() + ")", true));
      calls.add(new Call("COUNT(DISTINCT " + pick(scope.own()).sql() + ")", true));
      for (String rank : order.isEmpty() ? List.<String>of() : List.of("RANK()", "DENSE_RANK()")) {
        calls.add(new Call(rank, false));
      }
      for (String rank : total ? List.of("ROW_NUMBER()", "NTILE(3)") : List.<String>of()) {
        calls.add(new Call(rank, false));
      }
    }
    if (kind == Kind.DOUBLE && !order.isEmpty()) {
      calls.add(new Call("PERCENT_RANK()", false));
      calls.add(new Call("CUME_DIST()", false));
    }
    if (!arguments.isEmpty()) {
      String argument = pick(arguments).sql();
      calls.add(new Call("MIN(" + argument + ")", true));
      calls.add(new Call("MAX(" + argument + ")", true));
      if (kind == Kind.INTEGER) {
        calls.add(new Call("SUM(" + argument + ")", true));
      }
      if (total) {
        calls.add(new Call("LAG(" + argument + ")", false));
        calls.add(new Call("LEAD(" + argument + ", " + random.nextInt(3) + ")", false));
        calls.add(new Call("FIRST_VALUE(" + argument + ")", true));
        calls.add(new Call("LAST_VALUE(" + argument + ")", true));
        calls.add(new Call("NTH_VALUE(" + argument + ", 2)", true));
      }
    }
    return calls;
  }

  private String frame(List<Column> order, boolean total) {
    String unit = pick(total ? List.of("ROWS", "RANGE", "GROUPS") : List.of("RANGE", "GROUPS"));
    boolean distances =
        !unit.equals("RANGE") || (order.size() == 1 && order.getFirst().kind().isNumber());
    String start = pick(distances ? STARTS : List.of(STARTS.getFirst(), "CURRENT ROW"));
    List<String> ends = distances ? ENDS : List.of("CURRENT ROW", ENDS.getLast());
    String end = pick(ends.stream().filter(each -> follows(start, each)).toList());
    String excluded =
        chance(25) ? " EXCLUDE " + pick(List.of("CURRENT ROW", "GROUP", "TIES", "NO OTHERS")) : "";
    return " " + unit + " BETWEEN " + start + " AND " + end + excluded;
  }

  /** SQL wants no end of a frame that is said to come before its start. */
  private static boolean follows(String start, String end) {
    return side(end) >= side(start);
  }

  private static int side(String bound) {
    return bound.endsWith("PRECEDING") ? -1 : bound.endsWith("FOLLOWING") ? 1 : 0;
  }
}
