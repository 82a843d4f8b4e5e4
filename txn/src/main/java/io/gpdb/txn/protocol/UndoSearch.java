package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.gpdb.storage.memory.PersistentMemory;
import java.lang.foreign.MemorySegment;

/** Looks for the first word of a record in the undo log, most of which is zero. */
final class UndoSearch {
  /** What is compared with zeros at a time; divides a piece, so that it is in one view. */
  private static final int STRETCH_BYTES = 64 << 10;

  private static final MemorySegment ZEROS =
      MemorySegment.ofArray(new byte[STRETCH_BYTES]).asReadOnly();

  private UndoSearch() {}

  /**
   * Returns where a record may begin, from there on; behind the end when nowhere.
   *
   * @param from where a record may begin, as every place {@link UndoLayout#ALIGNMENT} further
   */
  static long next(PersistentMemory memory, long from, long end) {
    long limit = Math.min(end + 1, memory.sizeBytes());
    long at = from;
    while (at < limit) {
      long next = Math.min((at / STRETCH_BYTES + 1) * STRETCH_BYTES, memory.sizeBytes());
      MemorySegment stretch = memory.view(at, next - at, false);
      long magic = magicIn(stretch);
      if (magic >= 0) {
        return at + magic;
      }
      at = next;
    }
    return end + 1;
  }

  /** Where a record may begin in bytes that begin where one may, or -1. */
  private static long magicIn(MemorySegment bytes) {
    long size = bytes.byteSize();
    long at = 0;
    while (at + Integer.BYTES <= size) {
      int word = bytes.get(JAVA_INT, at);
      if (word == UndoLayout.RECORD_MAGIC) {
        return at;
      }
      at = word == 0 ? behindZeros(bytes, at) : at + UndoLayout.ALIGNMENT;
    }
    return -1;
  }

  /** The next place that is not all zero before the one behind it: most of the log is unused. */
  private static long behindZeros(MemorySegment bytes, long from) {
    long rest = bytes.byteSize() - from;
    long zeros = MemorySegment.mismatch(bytes, from, bytes.byteSize(), ZEROS, 0, rest);
    long places = zeros < 0 ? rest : zeros / UndoLayout.ALIGNMENT * UndoLayout.ALIGNMENT;
    return from + Math.max(places, UndoLayout.ALIGNMENT);
  }
}
