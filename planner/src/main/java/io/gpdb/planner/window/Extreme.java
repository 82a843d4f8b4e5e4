package io.gpdb.planner.window;

import io.gpdb.storage.memory.HostBuffer;

/**
 * MIN, MAX, ARG_MIN and ARG_MAX: the first row with the least or the greatest value, and what a
 * column has there.
 */
final class Extreme extends Accumulator {
  private static final int NONE = -1;

  private final WindowColumn compared;
  private final WindowColumn returned;
  private final boolean isLeast;
  private int best = NONE;

  Extreme(WindowColumn compared, WindowColumn returned, boolean isLeast) {
    this.compared = compared;
    this.returned = returned;
    this.isLeast = isLeast;
  }

  @Override
  void clear() {
    best = NONE;
  }

  @Override
  void add(int row) {
    if (compared.isNull(row)) {
      return;
    }
    if (best == NONE) {
      best = row;
      return;
    }
    int order = compared.compare(row, best);
    if (isLeast ? order < 0 : order > 0) {
      best = row;
    }
  }

  @Override
  int summaryWords() {
    return 1;
  }

  @Override
  void store(HostBuffer to, long word) {
    to.setLong(word, best);
  }

  @Override
  void merge(HostBuffer from, long word) {
    int row = (int) from.longAt(word);
    if (row != NONE) {
      add(row);
    }
  }

  @Override
  void write(WindowOutput output, int row) {
    if (best == NONE) {
      output.setNull(row);
    } else {
      output.copy(returned, best, row);
    }
  }
}
