package io.gpdb.storage.dictionary;

import java.util.BitSet;

/** The codes of a dictionary that have no string. Guarded by the dictionary's lock. */
final class FreeCodes {
  private final BitSet codes = new BitSet();
  private volatile int count;
  private int least;

  /** How many; any thread may ask. */
  int count() {
    return count;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  void add(int code) {
    if (!codes.get(code)) {
      codes.set(code);
      count++;
      least = Math.min(least, code);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time
  void remove(int code) {
    if (codes.get(code)) {
      codes.clear(code);
      count--;
    }
  }

  /** The least one, or -1. */
  int first() {
    if (count == 0) {
      return -1;
    }
    least = codes.nextSetBit(least);
    return least;
  }
}
