package io.gpdb.planner.window;

import java.util.HashMap;
import java.util.Map;

/** An aggregate of the different values of its argument: the first row of each is added. */
final class DistinctValues extends Accumulator {
  private final WindowColumn argument;
  private final Accumulator aggregate;
  private final Map<Long, Integer> rows = new HashMap<>();

  DistinctValues(WindowColumn argument, Accumulator aggregate) {
    this.argument = argument;
    this.aggregate = aggregate;
  }

  @Override
  void clear() {
    rows.clear();
    aggregate.clear();
  }

  @Override
  void add(int row) {
    if (!argument.isNull(row) && rows.merge(argument.key(row), 1, Integer::sum) == 1) {
      aggregate.add(row);
    }
  }

  @Override
  boolean removes() {
    return aggregate.removes();
  }

  @Override
  void remove(int row) {
    if (!argument.isNull(row)
        && rows.merge(argument.key(row), -1, (a, b) -> a + b == 0 ? null : a + b) == null) {
      aggregate.remove(row);
    }
  }

  @Override
  void write(WindowOutput output, int row) {
    aggregate.write(output, row);
  }
}
