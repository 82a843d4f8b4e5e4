package io.gpdb.txn.version;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.KeyHash;
import java.lang.foreign.MemorySegment;

/** Hashes of keys, many at a time. */
public final class KeyHashes {
  private KeyHashes() {}

  /**
   * Takes one more key column into {@code hashes[0..n)}: values {@code from} to {@code from+n}.
   *
   * @param first whether it is the key's first column
   */
  public static void take(
      ElementType type, MemorySegment values, int from, int n, long[] hashes, boolean first) {
    if (first) {
      for (int i = 0; i < n; i++) {
        hashes[i] = KeyHash.hash(type.rawAt(values, from + i));
      }
    } else {
      for (int i = 0; i < n; i++) {
        hashes[i] = KeyHash.combine(hashes[i], type.rawAt(values, from + i));
      }
    }
  }

  /** The hash of a key of so many columns. */
  public static long of(long[] key, int columns) {
    return of(key, 0, columns);
  }

  /** The hash of the key whose columns begin at {@code from}. */
  static long of(long[] keys, int from, int columns) {
    long h = KeyHash.hash(keys[from]);
    for (int k = 1; k < columns; k++) {
      h = KeyHash.combine(h, keys[from + k]);
    }
    return h;
  }
}
