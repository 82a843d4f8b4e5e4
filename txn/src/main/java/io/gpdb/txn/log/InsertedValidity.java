package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.column.Bitmaps;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Which of n inserted values of a column are there: | i64 1 | bitmap |, or | i64 0 | where all are.
 *
 * @param bitmap null where all are
 * @param from the bit of the first value
 */
public record InsertedValidity(@Nullable MemorySegment bitmap, int from, int n) {
  /** Without a bitmap where it would say nothing. */
  public static InsertedValidity of(@Nullable MemorySegment bitmap, int from, int n) {
    boolean nulls = bitmap != null && Bitmaps.count(bitmap, from, n) < n;
    return new InsertedValidity(nulls ? bitmap : null, from, n);
  }

  long bytes() {
    return Long.BYTES + (bitmap == null ? 0 : PayloadPieces.padded(Bitmaps.bytes(n)));
  }

  void write(PayloadPieces payload) {
    payload.put(Long.BYTES).set(JAVA_LONG, 0, bitmap == null ? 0 : 1);
    if (bitmap != null) {
      long bytes = Bitmaps.bytes(n);
      MemorySegment words = payload.put(bytes);
      words.set(JAVA_INT, bytes - Integer.BYTES, 0);
      Bitmaps.copyRange(bitmap, from, words, 0, n);
    }
  }

  static InsertedValidity read(PayloadPieces payload, int n) {
    boolean nulls = payload.take(Long.BYTES).get(JAVA_LONG, 0) != 0;
    return new InsertedValidity(nulls ? payload.take(Bitmaps.bytes(n)) : null, 0, n);
  }
}
