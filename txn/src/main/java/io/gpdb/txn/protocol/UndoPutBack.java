package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.GridReplay;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.log.MemoryRange;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts old values back in place, for recovery: records come newest first. Those of places that are
 * apart are put back together, by one launch for each kind of column, and share its sync; before a
 * place comes again, those that wait are put back, durably. So of one place the oldest record is
 * the last. Used by one thread.
 */
final class UndoPutBack {
  /** The greatest number of entries that are put back together. */
  private static final int ENTRIES_MAX = 1 << 24;

  private final PersistentMemory memory;
  private final PersistentMemory home;
  private final GridReplay kernels;
  private final List<GridReplay.InPlace> waiting = new ArrayList<>();
  private long waitingEntries;

  /** Where what waits begins and ends in the home file. */
  private final TreeMap<Long, Long> places = new TreeMap<>();

  /**
   * @param memory holds the undo log
   */
  UndoPutBack(PersistentMemory memory, PersistentMemory home, GridReplay kernels) {
    this.memory = memory;
    this.home = home;
    this.kernels = kernels;
  }

  /** Takes a record that is whole. */
  void add(UndoEntry entry) {
    MemorySegment h = entry.header();
    MemorySegment region =
        memory.view(entry.offset() + UndoLayout.HEADER_BYTES, entry.regionBytes(), false);
    Element element = FormatCodes.element(h.get(JAVA_INT, UndoLayout.ELEMENT_AT));
    long valuesAt = h.get(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT);
    UndoBounds.requireFits(entry, element);
    long valuesBytes = (long) Tablet.ROWS * element.bytes();
    if (isBehindTheEnd(valuesAt, valuesBytes) || entry.n() == 0) {
      return;
    }
    MemorySegment values = home.view(valuesAt, valuesBytes, true);
    MemoryRange valuesTarget = new MemoryRange(home, valuesAt);
    long validityAt = h.get(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT);
    long validityBytes = Bitmaps.bytes(Tablet.ROWS);
    boolean nullable = validityAt != UndoLayout.NO_VALIDITY;
    MemorySegment validity = null;
    PersistTarget validityTarget = PersistTarget.VOLATILE;
    if (nullable && isBehindTheEnd(validityAt, validityBytes)) {
      validity = Arena.ofAuto().allocate(validityBytes, Integer.BYTES);
    } else if (nullable) {
      validity = home.view(validityAt, validityBytes, true);
      validityTarget = new MemoryRange(home, validityAt);
    }
    if ((h.get(JAVA_INT, UndoLayout.FLAGS_AT) & UndoLayout.FLAG_CONVENTIONAL) != 0) {
      finish();
      putBackPartitions(entry, element, region, values, validity);
      valuesTarget.flush(0, valuesBytes);
      if (validityTarget instanceof MemoryRange range) {
        range.flush(0, validityBytes);
      }
      home.drain();
      return;
    }
    if (isTaken(valuesAt, valuesBytes)
        || (nullable && isTaken(validityAt, validityBytes))
        || waitingEntries + entry.n() > ENTRIES_MAX) {
      finish();
    }
    places.put(valuesAt, valuesAt + valuesBytes);
    if (nullable) {
      places.put(validityAt, validityAt + validityBytes);
    }
    waitingEntries += entry.n();
    DeviceMemory device = kernels.memory();
    waiting.add(
        new GridReplay.InPlace(
            element,
            device.map(region),
            entry.n(),
            device.map(values),
            valuesTarget,
            validity == null ? null : device.map(validity),
            validityTarget));
  }

  /** Puts back what waits; it is durable on return. */
  void finish() {
    kernels.updateInPlace(waiting);
    waiting.clear();
    places.clear();
    waitingEntries = 0;
  }

  private boolean isTaken(long at, long bytes) {
    Map.Entry<Long, Long> last = places.lowerEntry(at + bytes);
    return last != null && last.getValue() > at;
  }

  /**
   * Whether the power failed before the home file's growth for this extent was durable. Then no
   * commit record names it: each is written after a drain of the home file.
   */
  private boolean isBehindTheEnd(long offset, long bytes) {
    return offset > home.sizeBytes() - bytes;
  }

  private void putBackPartitions(
      UndoEntry entry,
      Element element,
      MemorySegment region,
      MemorySegment values,
      @Nullable MemorySegment validity) {
    int partitions = entry.header().get(JAVA_INT, UndoLayout.PARTITIONS_AT);
    int capacity = entry.header().get(JAVA_INT, UndoLayout.PARTITION_ENTRIES_AT);
    int words = HclLayout.updateEntryWords(element);
    DeviceMemory device = kernels.memory();
    for (int p = 0; p < partitions; p++) {
      kernels.updateRowMajor(
          element,
          device.map(region),
          (long) p * capacity * words,
          UndoLog.entriesOf(p, partitions, entry.n()),
          device.map(values),
          validity == null ? null : device.map(validity));
    }
  }
}
