package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;

/**
 * What the undo log may say: numbers that fit its file and each other. A checksum shows that the
 * bytes are those that were written, not that they were right.
 */
final class UndoBounds {
  private static final long EPOCH_MAX = 1L << 62;

  /** Extents begin behind the superblocks. */
  private static final long EXTENTS_AT = 8192;

  private static final long EXTENT_UNIT_BYTES = 4096;

  private UndoBounds() {}

  /** The epoch; each opening needs a greater one. */
  static long epoch(long found) {
    if (found <= 0 || found > EPOCH_MAX) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "undo log has epoch %d: file=%s".formatted(found, UndoLayout.FILE_NAME));
    }
    return found;
  }

  /** The entry; the next one begins at its end. */
  static UndoEntry inside(UndoEntry entry, long fileBytes) {
    long end = entry.offset() + UndoLayout.HEADER_BYTES + entry.regionBytes();
    if (entry.regionBytes() < 0 || entry.n() < 0 || end > fileBytes) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "undo record leaves its file: file=%s, offset=%d, regionBytes=%d, n=%d, sizeBytes=%d"
              .formatted(
                  UndoLayout.FILE_NAME, entry.offset(), entry.regionBytes(), entry.n(), fileBytes));
    }
    return entry;
  }

  /** Numbers that do not fit each other were never written: nothing is put back by them. */
  static void requireFits(UndoEntry entry, Element element) {
    MemorySegment h = entry.header();
    long valuesAt = h.get(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT);
    long validityAt = h.get(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT);
    boolean fits =
        entry.n() <= Tablet.ROWS
            && regionNeeds(entry, element) <= entry.regionBytes()
            && isExtent(valuesAt)
            && (validityAt == UndoLayout.NO_VALIDITY || isExtent(validityAt));
    if (!fits) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "undo record does not fit: file=%s, offset=%d, n=%d, regionBytes=%d, values=%d, validity=%d"
              .formatted(
                  UndoLayout.FILE_NAME,
                  entry.offset(),
                  entry.n(),
                  entry.regionBytes(),
                  valuesAt,
                  validityAt));
    }
  }

  /** Behind the superblocks. */
  private static boolean isExtent(long offset) {
    return offset >= EXTENTS_AT && offset % EXTENT_UNIT_BYTES == 0;
  }

  private static long regionNeeds(UndoEntry entry, Element element) {
    MemorySegment h = entry.header();
    int words = HclLayout.updateEntryWords(element);
    if ((h.get(JAVA_INT, UndoLayout.FLAGS_AT) & UndoLayout.FLAG_CONVENTIONAL) == 0) {
      return HclLayout.regionBytes(entry.n(), words);
    }
    int partitions = h.get(JAVA_INT, UndoLayout.PARTITIONS_AT);
    int capacity = h.get(JAVA_INT, UndoLayout.PARTITION_ENTRIES_AT);
    boolean holds =
        partitions > 0
            && partitions <= Tablet.ROWS
            && capacity >= UndoLog.entriesOf(0, partitions, entry.n());
    return holds ? (long) partitions * capacity * words * HclLayout.WORD_BYTES : Long.MAX_VALUE;
  }
}
