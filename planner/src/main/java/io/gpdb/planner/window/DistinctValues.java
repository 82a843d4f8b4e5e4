package io.gpdb.planner.window;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate of the different values of its arguments that are not NULL: the first row of each is
 * added.
 */
final class DistinctValues extends Accumulator {
  private final List<WindowColumn> arguments;
  private final Accumulator aggregate;
  private final Map<Object, Integer> rows = new HashMap<>();

  DistinctValues(List<WindowColumn> arguments, Accumulator aggregate) {
    this.arguments = List.copyOf(arguments);
    this.aggregate = aggregate;
  }

  /** What is equal where all arguments are, null where one is NULL. */
  private @Nullable Object key(int row) {
    if (arguments.size() == 1) {
      WindowColumn only = arguments.getFirst();
      return only.isNull(row) ? null : (Object) only.key(row);
    }
    List<Long> keys = new ArrayList<>();
    for (WindowColumn argument : arguments) {
      if (argument.isNull(row)) {
        return null;
      }
      keys.add(argument.key(row));
    }
    return keys;
  }

  @Override
  void clear() {
    rows.clear();
    aggregate.clear();
  }

  @Override
  void add(int row) {
    Object key = key(row);
    if (key != null && rows.merge(key, 1, Integer::sum) == 1) {
      aggregate.add(row);
    }
  }

  @Override
  boolean removes() {
    return aggregate.removes();
  }

  @Override
  void remove(int row) {
    Object key = key(row);
    if (key != null && rows.merge(key, -1, (a, b) -> a + b == 0 ? null : a + b) == null) {
      aggregate.remove(row);
    }
  }

  @Override
  void write(WindowOutput output, int row) {
    aggregate.write(output, row);
  }
}
