package io.gpdb.planner.window;

import io.gpdb.storage.memory.HostBuffer;

/** COUNT(*). */
final class RowCount extends Accumulator {
  private long count;

  @Override
  void clear() {
    count = 0;
  }

  @Override
  void add(int row) {
    count++;
  }

  @Override
  boolean removes() {
    return true;
  }

  @Override
  void remove(int row) {
    count--;
  }

  @Override
  int summaryWords() {
    return 1;
  }

  @Override
  void store(HostBuffer to, long word) {
    to.setLong(word, count);
  }

  @Override
  void merge(HostBuffer from, long word) {
    count += from.longAt(word);
  }

  @Override
  void write(WindowOutput output, int row) {
    output.set(row, count);
  }
}
