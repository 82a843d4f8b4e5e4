package io.gpdb.simulation.medium;

import io.gpdb.storage.column.KeyHash;

/** Decides, word by word, what of the undrained stores a crash leaves on the medium. */
@FunctionalInterface
public interface CrashChoice {
  /** The offset under which a memory's size is asked for. */
  long SIZE_OFFSET = -1;

  /** The offset under which it is asked whether an unsynced change of a name survives. */
  long NAMES_OFFSET = -2;

  /**
   * Picks which version of one 8-byte word survives: 0 is the durable one, {@code candidates - 1}
   * the newest. Also asked for a memory's size (offset -1) and for each unsynced change of names
   * (offset -2, the name as it is after the change).
   */
  int survivor(String memory, long offset, int candidates);

  /** Only what was drained. */
  static CrashChoice keepNothing() {
    return (memory, offset, candidates) -> 0;
  }

  /** All that was stored. */
  static CrashChoice keepAll() {
    return (memory, offset, candidates) -> candidates - 1;
  }

  /** Each word by a coin of its own; the same seed makes the same medium. */
  static CrashChoice random(long seed) {
    return (memory, offset, candidates) -> {
      long mixed = KeyHash.combine(KeyHash.combine(KeyHash.hash(seed), memory.hashCode()), offset);
      return (int) Long.remainderUnsigned(mixed, candidates);
    };
  }
}
