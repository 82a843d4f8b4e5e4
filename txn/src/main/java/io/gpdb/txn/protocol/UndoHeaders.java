package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.PersistenceDomain;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.log.Crc;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** The headers of records of the undo log, as {@link UndoLog} appends and marks them. */
final class UndoHeaders {
  /** Fewer bytes are summed before other threads have woken up. */
  private static final long SHARED_BYTES_MIN = 1L << 20;

  private final PersistentMemory memory;
  private final SharedWork workers;

  /**
   * @param workers share the checksums of records that are appended together
   */
  UndoHeaders(PersistentMemory memory, SharedWork workers) {
    this.memory = memory;
    this.workers = workers;
  }

  /** The region of a record at that place. */
  MemorySegment region(long at, long bytes) {
    return memory.view(at + UndoLayout.HEADER_BYTES, bytes, true);
  }

  /**
   * Completes the headers of records whose regions are durable; they are durable on return.
   *
   * @param last the record before them
   */
  void complete(List<UndoDraft> drafts, long[] places, long epoch, long last) {
    int[] regionCrcs = regionCrcs(drafts, places);
    for (int i = 0; i < places.length; i++) {
      MemorySegment header = drafts.get(i).header();
      long regionBytes = drafts.get(i).regionBytes();
      header.set(JAVA_INT, UndoLayout.MAGIC_AT, UndoLayout.RECORD_MAGIC);
      header.set(JAVA_INT, UndoLayout.VERSION_AT, UndoLayout.VERSION);
      header.set(JAVA_LONG, UndoLayout.EPOCH_AT, epoch);
      header.set(JAVA_INT, UndoLayout.REGION_BYTES_AT, Math.toIntExact(regionBytes));
      header.set(JAVA_INT, UndoLayout.REGION_CRC_AT, regionCrcs[i]);
      header.set(JAVA_LONG, UndoLayout.PREVIOUS_AT, i == 0 ? last : places[i - 1]);
      header.set(JAVA_LONG, UndoLayout.DURABLE_BEFORE_AT, last);
      int crc = Crc.of(header, 0, UndoLayout.MARK_AT); // its own place is zero still
      header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, crc);
      header.set(JAVA_LONG, UndoLayout.MARK_AT, UndoMark.word(UndoMark.OPEN, crc));
      header.set(JAVA_LONG, UndoLayout.DONE_AT, UndoMark.word(UndoMark.OPEN, crc));
      store(places[i], header);
      memory.flush(places[i], UndoLayout.HEADER_BYTES);
    }
    memory.drain();
  }

  /** Of many bytes by all threads: as many as the kernel has just written. */
  private int[] regionCrcs(List<UndoDraft> drafts, long[] places) {
    int[] crcs = new int[places.length];
    long bytes = 0;
    for (UndoDraft draft : drafts) {
      bytes += draft.regionBytes();
    }
    (bytes < SHARED_BYTES_MIN ? SharedWork.ALONE : workers)
        .share(
            crcs.length,
            i -> {
              long regionBytes = drafts.get(i).regionBytes();
              crcs[i] = Crc.of(region(places[i], regionBytes), 0, regionBytes);
            });
    return crcs;
  }

  /**
   * In a file that is in memory through a view: a call of the system for each of some hundred
   * headers takes longer than all else of them.
   */
  void store(long at, MemorySegment bytes) {
    if (memory.domain() == PersistenceDomain.PROCESS) {
      memory.view(at, bytes.byteSize(), true).copyFrom(bytes);
      memory.counters().stored(bytes.byteSize());
    } else {
      memory.store(at, bytes);
    }
  }
}
