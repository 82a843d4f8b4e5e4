package io.gpdb.planner.window;

import io.gpdb.planner.window.WindowCall.Function;
import io.gpdb.storage.memory.HostBuffer;

/** BIT_AND, BIT_OR and BIT_XOR of integers. */
final class Bits extends Accumulator {
  private final Function function;
  private final WindowColumn argument;
  private long count;
  private long bits;

  Bits(Function function, WindowColumn argument) {
    this.function = function;
    this.argument = argument;
  }

  @Override
  void clear() {
    count = 0;
    bits = 0;
  }

  @Override
  void add(int row) {
    if (!argument.isNull(row)) {
      combine(1, argument.raw(row));
    }
  }

  private void combine(long values, long value) {
    bits =
        count == 0
            ? value
            : switch (function) {
              case BIT_AND -> bits & value;
              case BIT_OR -> bits | value;
              default -> bits ^ value;
            };
    count += values;
  }

  @Override
  int summaryWords() {
    return 2;
  }

  @Override
  void store(HostBuffer to, long word) {
    to.setLong(word, count);
    to.setLong(word + 1, bits);
  }

  @Override
  void merge(HostBuffer from, long word) {
    if (from.longAt(word) > 0) {
      combine(from.longAt(word), from.longAt(word + 1));
    }
  }

  @Override
  void write(WindowOutput output, int row) {
    if (count == 0) {
      output.setNull(row);
    } else {
      output.set(row, bits);
    }
  }
}
