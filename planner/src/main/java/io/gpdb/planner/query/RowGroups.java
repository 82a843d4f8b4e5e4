package io.gpdb.planner.query;

import io.gpdb.sql.direct.DirectExpression;
import io.gpdb.sql.direct.DirectStatement.Aggregate;
import io.gpdb.sql.direct.DirectStatement.Aggregated;
import io.gpdb.sql.direct.DirectStatement.Grouping;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Groups of few rows in the order of their first rows, and the aggregates of each. */
final class RowGroups {
  private static final int AVERAGE_SCALE = SqlTypeSpec.AVERAGE_OF_INTEGER.scale();

  private static final long DECIMAL_SUM_END = RawNumbers.tens(SqlTypeSpec.NARROW_DIGITS_MAX);

  private final Grouping grouping;
  private final Map<List<Long>, Group> groups = new LinkedHashMap<>();
  private boolean failed;

  /** The aggregates of one group so far: of how many values, and what is made of them. */
  private static final class Group {
    final long[] counts;
    final long[] values;

    /** The values so far of those aggregates that take each once. */
    final Map<Integer, Set<Long>> seen = new HashMap<>();

    Group(int aggregates) {
      counts = new long[aggregates];
      values = new long[aggregates];
    }
  }

  RowGroups(Grouping grouping) {
    this.grouping = grouping;
    if (grouping.single()) {
      groups.put(List.of(), new Group(grouping.aggregates().size()));
    }
  }

  int fieldCount() {
    return grouping.keys().size() + grouping.aggregates().size();
  }

  /** Whether a sum is beyond 64 bits. */
  boolean haveFailed() {
    return failed;
  }

  /** Adds a row to its group. */
  void add(WholeEvaluation row) {
    List<Long> key = new ArrayList<>(2 * grouping.keys().size());
    for (int i = 0; i < grouping.keys().size(); i++) {
      long value = row.field(grouping.keys().get(i));
      key.add(value);
      key.add(row.isNull() ? 1L : 0L);
    }
    Group group = groups.get(key);
    if (group == null) {
      group = new Group(grouping.aggregates().size());
      groups.put(key, group);
    }
    for (int i = 0; i < group.counts.length; i++) {
      add(row, group, i, grouping.aggregates().get(i));
    }
  }

  private void add(WholeEvaluation row, Group group, int i, Aggregated aggregated) {
    DirectExpression argument = aggregated.argument();
    long value = argument == null ? 0 : row.of(argument);
    if (argument != null && row.isNull()) {
      return;
    }
    if (aggregated.distinct() && !group.seen.computeIfAbsent(i, _ -> new HashSet<>()).add(value)) {
      return;
    }
    failed |= argument != null && isLeftOut(aggregated.aggregate(), argument.type(), value);
    long known = group.values[i];
    boolean first = group.counts[i]++ == 0;
    group.values[i] =
        switch (aggregated.aggregate()) {
          case COUNT -> group.counts[i];
          case MIN -> first || isBefore(argument, value, known) ? value : known;
          case MAX -> first || isBefore(argument, known, value) ? value : known;
          case SUM, AVG -> {
            long sum = known + value;
            failed |= ((known ^ sum) & (value ^ sum)) < 0;
            failed |= isDecimal(argument) && Math.abs(sum) >= DECIMAL_SUM_END;
            yield sum;
          }
        };
  }

  /** Sums of floats are the planner's, and which of two zeros is the first. */
  private static boolean isLeftOut(Aggregate aggregate, SqlTypeSpec type, long value) {
    boolean adds = aggregate == Aggregate.SUM || aggregate == Aggregate.AVG;
    return RawNumbers.isFloat(type) && (adds || RawNumbers.hasOtherBits(type, value));
  }

  private static boolean isBefore(@Nullable DirectExpression argument, long a, long b) {
    SqlTypeSpec type = Objects.requireNonNull(argument).type();
    return RawNumbers.compare(type, a, type, b) < 0;
  }

  private static boolean isDecimal(@Nullable DirectExpression argument) {
    return argument != null && argument.type().kind() == SqlTypeSpec.Kind.DECIMAL;
  }

  /** The sum divided by the number of values, with six digits after the point, half away from 0. */
  private long average(Group group, int i) {
    BigDecimal average =
        BigDecimal.valueOf(group.values[i])
            .divide(BigDecimal.valueOf(group.counts[i]), AVERAGE_SCALE, RoundingMode.HALF_UP);
    return average.unscaledValue().longValueExact();
  }

  /** Does the work for the row of each group that passes. */
  void forEach(WholeEvaluation fields, Runnable work) {
    int keys = grouping.keys().size();
    for (Map.Entry<List<Long>, Group> entry : groups.entrySet()) {
      for (int i = 0; i < keys; i++) {
        fields.set(i, entry.getKey().get(2 * i), entry.getKey().get(2 * i + 1) == 1);
      }
      Group group = entry.getValue();
      for (int i = 0; i < group.counts.length; i++) {
        boolean isNull = group.counts[i] == 0;
        switch (grouping.aggregates().get(i).aggregate()) {
          case COUNT -> fields.set(keys + i, group.values[i], false);
          case SUM, MIN, MAX -> fields.set(keys + i, group.values[i], isNull);
          case AVG -> fields.set(keys + i, isNull ? 0 : average(group, i), isNull);
        }
      }
      if (grouping.having() == null || fields.holds(grouping.having())) {
        work.run();
      }
    }
  }
}
