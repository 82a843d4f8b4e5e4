package io.gpdb.storage.column;

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
}
