package io.gpdb.storage.column;

import java.lang.foreign.MemorySegment;

/**
 * The hash of a key: {@code hash(v0)} for one column, {@code combine(combine(hash(v0), v1), v2)}
 * for more. Values are raw bits (sign-extended; strings by their code). Part of the file format.
 */
public final class KeyHash {
  private static final long FIRST = 0xbf58476d1ce4e5b9L;
  private static final long SECOND = 0x94d049bb133111ebL;
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private KeyHash() {}

  /** Mixes all bits (the finalizer of splitmix64, by Steele, Lea and Flood, after Stafford). */
  public static long hash(long rawValue) {
    long h = rawValue + GOLDEN;
    h = (h ^ (h >>> 30)) * FIRST;
    h = (h ^ (h >>> 27)) * SECOND;
    return h ^ (h >>> 31);
  }

  /** The hash of the columns so far and one more. */
  public static long combine(long h, long rawValue) {
    return hash(Long.rotateLeft(h, 23) ^ rawValue);
  }

  /** The hash of the key whose {@code columns} values begin at {@code from}. */
  public static long of(long[] keys, int from, int columns) {
    long h = hash(keys[from]);
    for (int k = 1; k < columns; k++) {
      h = combine(h, keys[from + k]);
    }
    return h;
  }

  /**
   * Takes value {@code from + i} of one more key column into {@code hashes[i]}, for i below n.
   *
   * @param first whether it is the key's first column
   */
  public static void addColumn(
      ElementType type, MemorySegment values, int from, int n, long[] hashes, boolean first) {
    for (int i = 0; i < n; i = ShortLoops.end(i, n)) {
      int to = ShortLoops.end(i, n);
      if (first) {
        hash(type, values, from, i, to, hashes);
      } else {
        combine(type, values, from, i, to, hashes);
      }
    }
  }

  private static void hash(
      ElementType type, MemorySegment values, int from, int first, int to, long[] hashes) {
    for (int i = first; i < to; i++) {
      hashes[i] = hash(type.rawAt(values, from + i));
    }
  }

  private static void combine(
      ElementType type, MemorySegment values, int from, int first, int to, long[] hashes) {
    for (int i = first; i < to; i++) {
      hashes[i] = combine(hashes[i], type.rawAt(values, from + i));
    }
  }
}
