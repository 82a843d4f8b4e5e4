package io.gpdb.planner.window;

import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An aggregate of the rows for which a filter is TRUE and some columns have values. */
final class SomeRows extends Accumulator {
  private final @Nullable WindowColumn filter;
  private final List<WindowColumn> present;
  private final Accumulator aggregate;

  SomeRows(@Nullable WindowColumn filter, List<WindowColumn> present, Accumulator aggregate) {
    this.filter = filter;
    this.present = List.copyOf(present);
    this.aggregate = aggregate;
  }

  private boolean takes(int row) {
    WindowColumn condition = filter;
    if (condition != null && (condition.isNull(row) || condition.raw(row) == 0)) {
      return false;
    }
    for (WindowColumn column : present) {
      if (column.isNull(row)) {
        return false;
      }
    }
    return true;
  }

  @Override
  void clear() {
    aggregate.clear();
  }

  @Override
  void add(int row) {
    if (takes(row)) {
      aggregate.add(row);
    }
  }

  @Override
  boolean removes() {
    return aggregate.removes();
  }

  @Override
  void remove(int row) {
    if (takes(row)) {
      aggregate.remove(row);
    }
  }

  @Override
  int summaryWords() {
    return aggregate.summaryWords();
  }

  @Override
  void store(HostBuffer to, long word) {
    aggregate.store(to, word);
  }

  @Override
  void merge(HostBuffer from, long word) {
    aggregate.merge(from, word);
  }

  @Override
  void write(WindowOutput output, int row) {
    aggregate.write(output, row);
  }
}
