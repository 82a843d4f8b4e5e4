package io.gpdb.planner.window;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** MODE: the value that most rows have, of several the one that came first. */
final class Mode extends Accumulator {
  private final WindowColumn argument;
  private final Map<Long, Found> values = new HashMap<>();
  private @Nullable Found best;

  /** How often a value is there, the first row that has it, and how many values came before. */
  private static final class Found {
    final int row;
    final int before;
    int count;

    Found(int row, int before) {
      this.row = row;
      this.before = before;
    }
  }

  Mode(WindowColumn argument) {
    this.argument = argument;
  }

  @Override
  void clear() {
    values.clear();
    best = null;
  }

  @Override
  void add(int row) {
    if (argument.isNull(row)) {
      return;
    }
    int before = values.size();
    Found found = values.computeIfAbsent(argument.key(row), _ -> new Found(row, before));
    found.count++;
    Found known = best;
    if (known == null
        || found.count > known.count
        || (found.count == known.count && found.before < known.before)) {
      best = found;
    }
  }

  @Override
  void write(WindowOutput output, int row) {
    Found found = best;
    if (found == null) {
      output.setNull(row);
    } else {
      output.copy(argument, found.row, row);
    }
  }
}
