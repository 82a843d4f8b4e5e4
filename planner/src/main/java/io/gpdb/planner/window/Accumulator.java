package io.gpdb.planner.window;

import io.gpdb.storage.memory.HostBuffer;

/**
 * An aggregate of the rows of a frame, which are added one by one in their order, or many at once
 * by a summary of them.
 */
abstract class Accumulator {
  /** Begins again without rows. */
  abstract void clear();

  /** Adds a row by its number in the batch. */
  abstract void add(int row);

  /** Whether rows can be taken out again, in the order in which they were added. */
  boolean removes() {
    return false;
  }

  void remove(int row) {
    throw new UnsupportedOperationException("row " + row);
  }

  /** The 64-bit words of a summary; 0 where there is none. */
  int summaryWords() {
    return 0;
  }

  /** Writes a summary of what was added. */
  void store(HostBuffer to, long word) {
    throw new UnsupportedOperationException("word " + word);
  }

  /** Adds the rows that a summary is of. */
  void merge(HostBuffer from, long word) {
    throw new UnsupportedOperationException("word " + word);
  }

  /** Writes the aggregate as the result for a row. */
  abstract void write(WindowOutput output, int row);
}
