package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.Device;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.ConventionalLog;
import io.gpdb.exec.library.GridReplay;
import io.gpdb.exec.library.HclLayout;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.storage.PersistentMemory;
import io.gpdb.storage.StorageDirectory;
import io.gpdb.storage.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The old values of in-place changes that have not ended, in the file undo.gpdb. Callers of {@link
 * #append} and {@link #reset} take turns.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>U1. A record is durable, region and header, before a byte that it saves is overwritten.
 *   <li>U2. Records of an epoch follow each other without a gap: the first place without a whole
 *       record of the present epoch is the end.
 *   <li>U3. A record is marked done only when its transaction's mark is durable in the log, and
 *       before a checkpoint makes that mark superfluous.
 * </ul>
 */
final class UndoLog implements AutoCloseable {
  private static final long INITIAL_BYTES = 1L << 20;
  private static final long STEP_BYTES_MAX = 64L << 20;

  /** The log is emptied, when it can be, once it is longer than this. */
  static final long RESET_BYTES = 8L << 20;

  private final PersistentMemory memory;
  private final PersistentMemory home;
  private long epoch;
  private long tail = UndoLayout.RECORDS_AT;

  /** What a roll-back did. */
  record Undone(long transactions, long entries) {}

  /** Fills the region of a record: kernels that persist it, most often. */
  interface RegionWriter {
    void write(MemorySegment region, PersistTarget target);
  }

  /** One record, by its place. */
  record Entry(long offset, MemorySegment header) {
    long transactionId() {
      return header.get(JAVA_LONG, UndoLayout.TRANSACTION_AT);
    }

    int n() {
      return header.get(JAVA_INT, UndoLayout.N_AT);
    }

    int regionBytes() {
      return header.get(JAVA_INT, UndoLayout.REGION_BYTES_AT);
    }
  }

  UndoLog(StorageDirectory directory, PersistentMemory home) {
    this.home = home;
    this.memory = directory.open(UndoLayout.FILE_NAME, INITIAL_BYTES);
    memory.grow(INITIAL_BYTES); // where a crash cut its making short
    if (!readFileHeader()) {
      writeFileHeader(1);
      directory.syncNames();
    }
  }

  /** Takes the newer of the two headers; false when there is none yet. */
  private boolean readFileHeader() {
    epoch = Math.max(readFileHeader(0), readFileHeader(UndoLayout.FILE_HEADER_STEP));
    if (epoch == 0) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment first = arena.allocate(UndoLayout.HEADER_BYTES, 8);
        memory.load(UndoLayout.RECORDS_AT, first);
        if (first.get(JAVA_INT, UndoLayout.MAGIC_AT) == UndoLayout.RECORD_MAGIC) {
          throw new GpdbException(
              ErrorCode.CORRUPTION, "both headers are damaged: file=" + UndoLayout.FILE_NAME);
        }
      }
    }
    return epoch > 0;
  }

  /** The epoch in the header at the place, or 0. */
  private long readFileHeader(long at) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(UndoLayout.FILE_HEADER_BYTES, 8);
      memory.load(at, header);
      int crc = header.get(JAVA_INT, UndoLayout.FILE_CRC_AT);
      header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, 0);
      boolean whole =
          header.get(JAVA_LONG, UndoLayout.FILE_MAGIC_AT) == UndoLayout.FILE_MAGIC
              && header.get(JAVA_INT, UndoLayout.FILE_VERSION_AT) == UndoLayout.VERSION
              && crc == Crc.of(header, 0, UndoLayout.FILE_HEADER_BYTES);
      return whole ? header.get(JAVA_LONG, UndoLayout.FILE_EPOCH_AT) : 0;
    }
  }

  /** Writes the header that is not the newer one; durable on return. */
  private void writeFileHeader(long newEpoch) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment header = arena.allocate(UndoLayout.FILE_HEADER_BYTES, 8);
      header.set(JAVA_LONG, UndoLayout.FILE_MAGIC_AT, UndoLayout.FILE_MAGIC);
      header.set(JAVA_INT, UndoLayout.FILE_VERSION_AT, UndoLayout.VERSION);
      header.set(JAVA_LONG, UndoLayout.FILE_EPOCH_AT, newEpoch);
      header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, Crc.of(header, 0, UndoLayout.FILE_HEADER_BYTES));
      long at = newEpoch % 2 == 0 ? 0 : UndoLayout.FILE_HEADER_STEP;
      memory.store(at, header);
      memory.persist(at, UndoLayout.FILE_HEADER_BYTES);
    }
    epoch = newEpoch;
  }

  long tail() {
    return tail;
  }

  /** The place for a record of so many bytes, from {@code at} on. */
  private static long place(long at, long bytes) {
    long pieceEnd = (at / UndoLayout.PIECE_BYTES + 1) * UndoLayout.PIECE_BYTES;
    return at + bytes > pieceEnd ? pieceEnd : at;
  }

  private static long recordBytes(long regionBytes) {
    return WalLayout.align(UndoLayout.HEADER_BYTES + regionBytes, UndoLayout.ALIGNMENT);
  }

  /**
   * Appends one record; durable on return.
   *
   * @param header fields from TRANSACTION on are filled by the caller
   * @return where the record lies
   */
  long append(MemorySegment header, long regionBytes, RegionWriter writer) {
    long bytes = recordBytes(regionBytes);
    if (bytes > UndoLayout.PIECE_BYTES) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "undo record too long: bytes=" + bytes + ", limit=" + UndoLayout.PIECE_BYTES);
    }
    long at = place(tail, bytes);
    if (at + bytes > memory.sizeBytes()) {
      long step = Math.clamp(memory.sizeBytes(), INITIAL_BYTES, STEP_BYTES_MAX);
      memory.grow(memory.sizeBytes() + step);
    }
    long regionAt = at + UndoLayout.HEADER_BYTES;
    MemorySegment region = memory.view(regionAt, regionBytes, true);
    writer.write(region, new MemoryRange(memory, regionAt));
    header.set(JAVA_INT, UndoLayout.MAGIC_AT, UndoLayout.RECORD_MAGIC);
    header.set(JAVA_INT, UndoLayout.VERSION_AT, UndoLayout.VERSION);
    header.set(JAVA_LONG, UndoLayout.EPOCH_AT, epoch);
    header.set(JAVA_INT, UndoLayout.REGION_BYTES_AT, Math.toIntExact(regionBytes));
    header.set(JAVA_INT, UndoLayout.REGION_CRC_AT, Crc.of(region, 0, regionBytes));
    header.set(JAVA_LONG, UndoLayout.DONE_AT, 0);
    header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, 0);
    header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, Crc.of(header, 0, UndoLayout.DONE_AT));
    memory.store(at, header);
    memory.persist(at, UndoLayout.HEADER_BYTES);
    tail = at + bytes;
    return at;
  }

  /** Marks a record done; durable with the next {@link #drain}. */
  void markDone(long offset) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment done = arena.allocateFrom(JAVA_LONG, 1L);
      memory.store(offset + UndoLayout.DONE_AT, done);
      memory.flush(offset + UndoLayout.DONE_AT, Long.BYTES);
    }
  }

  void drain() {
    memory.drain();
  }

  /** Empties the log: all its transactions have ended. */
  void reset() {
    writeFileHeader(epoch + 1);
    tail = UndoLayout.RECORDS_AT;
  }

  /** The records not marked done, in order. */
  List<Entry> unfinished() {
    List<Entry> found = new ArrayList<>();
    long at = UndoLayout.RECORDS_AT;
    for (Entry entry = find(at); entry != null; entry = find(at)) {
      if (entry.header().get(JAVA_LONG, UndoLayout.DONE_AT) == 0) {
        found.add(entry);
      }
      at = entry.offset() + recordBytes(entry.regionBytes());
    }
    tail = at;
    return found;
  }

  /** The record at the place, or at the next piece's begin. */
  private @Nullable Entry find(long at) {
    Entry here = read(at);
    long next = (at / UndoLayout.PIECE_BYTES + 1) * UndoLayout.PIECE_BYTES;
    return here != null || at % UndoLayout.PIECE_BYTES == 0 ? here : read(next);
  }

  private @Nullable Entry read(long at) {
    if (at + UndoLayout.HEADER_BYTES > memory.sizeBytes()) {
      return null;
    }
    MemorySegment header = Arena.ofAuto().allocate(UndoLayout.HEADER_BYTES, 8);
    memory.load(at, header);
    int crc = header.get(JAVA_INT, UndoLayout.HEADER_CRC_AT);
    header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, 0);
    boolean whole =
        header.get(JAVA_INT, UndoLayout.MAGIC_AT) == UndoLayout.RECORD_MAGIC
            && header.get(JAVA_LONG, UndoLayout.EPOCH_AT) == epoch
            && crc == Crc.of(header, 0, UndoLayout.DONE_AT);
    return whole ? new Entry(at, header) : null;
  }

  /** What is wrong with the records that are not done. */
  void check(List<String> problems) {
    for (Entry entry : unfinished()) {
      if (!regionIsWhole(entry)) {
        problems.add(
            "checksum of undo record does not match: file=%s, offset=%d"
                .formatted(UndoLayout.FILE_NAME, entry.offset()));
      }
    }
  }

  private boolean regionIsWhole(Entry entry) {
    long at = entry.offset() + UndoLayout.HEADER_BYTES;
    if (entry.regionBytes() < 0 || at + entry.regionBytes() > memory.sizeBytes()) {
      return false;
    }
    MemorySegment region = memory.view(at, entry.regionBytes(), false);
    return Crc.of(region, 0, entry.regionBytes())
        == entry.header().get(JAVA_INT, UndoLayout.REGION_CRC_AT);
  }

  /** Puts back what unfinished transactions have overwritten, and empties the log. */
  Undone rollBack(Set<Long> finished, Device device) {
    List<Entry> entries = unfinished();
    GridReplay kernels = new GridReplay(device);
    Set<Long> transactions = new LinkedHashSet<>();
    long count = 0;
    for (int i = entries.size() - 1; i >= 0; i--) {
      Entry entry = entries.get(i);
      if (!finished.contains(entry.transactionId())) {
        putBack(entry, kernels);
        transactions.add(entry.transactionId());
        count += entry.n();
      }
    }
    reset();
    return new Undone(transactions.size(), count);
  }

  private void putBack(Entry entry, GridReplay kernels) {
    MemorySegment h = entry.header();
    if (!regionIsWhole(entry)) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "checksum of undo record does not match: file=%s, offset=%d"
              .formatted(UndoLayout.FILE_NAME, entry.offset()));
    }
    MemorySegment region =
        memory.view(entry.offset() + UndoLayout.HEADER_BYTES, entry.regionBytes(), false);
    Element element = FormatCodes.element(h.get(JAVA_INT, UndoLayout.ELEMENT_AT));
    long valuesAt = h.get(JAVA_LONG, UndoLayout.VALUES_OFFSET_AT);
    long valuesBytes = (long) Tablet.ROWS * element.bytes();
    if (isBehindTheEnd(valuesAt, valuesBytes)) {
      return;
    }
    MemorySegment values = home.view(valuesAt, valuesBytes, true);
    MemoryRange valuesTarget = new MemoryRange(home, valuesAt);
    long validityAt = h.get(JAVA_LONG, UndoLayout.VALIDITY_OFFSET_AT);
    long validityBytes = Bitmaps.bytes(Tablet.ROWS);
    MemorySegment validity = null;
    PersistTarget validityTarget = PersistTarget.VOLATILE;
    if (validityAt >= 0 && isBehindTheEnd(validityAt, validityBytes)) {
      validity = Arena.ofAuto().allocate(validityBytes, Integer.BYTES);
    } else if (validityAt >= 0) {
      validity = home.view(validityAt, validityBytes, true);
      validityTarget = new MemoryRange(home, validityAt);
    }
    if ((h.get(JAVA_INT, UndoLayout.FLAGS_AT) & UndoLayout.FLAG_CONVENTIONAL) != 0) {
      putBackPartitions(entry, kernels, element, region, values, validity);
      valuesTarget.persistAll(values);
      if (validityTarget instanceof MemoryRange range && validity != null) {
        range.persistAll(validity);
      }
    } else {
      kernels.updateInPlace(
          element, region, 0, entry.n(), values, valuesTarget, validity, validityTarget);
    }
  }

  /**
   * Whether the power failed before the home file's growth for this extent was durable. Then no
   * commit record names it: each is written after a drain of the home file.
   */
  private boolean isBehindTheEnd(long offset, long bytes) {
    return offset + bytes > home.sizeBytes();
  }

  private static void putBackPartitions(
      Entry entry,
      GridReplay kernels,
      Element element,
      MemorySegment region,
      MemorySegment values,
      @Nullable MemorySegment validity) {
    int partitions = entry.header().get(JAVA_INT, UndoLayout.PARTITIONS_AT);
    int capacity = entry.header().get(JAVA_INT, UndoLayout.PARTITION_ENTRIES_AT);
    int words = HclLayout.updateEntryWords(element);
    for (int p = 0; p < partitions; p++) {
      kernels.updateRowMajor(
          element,
          region,
          (long) p * capacity * words,
          entriesOf(p, partitions, entry.n()),
          values,
          validity);
    }
  }

  /** How many of n entries went to a partition: warp w appends to partition w mod partitions. */
  static int entriesOf(int partition, int partitions, int n) {
    int entries = 0;
    for (int from = partition * HclLayout.GROUP_ENTRIES;
        from < n;
        from += partitions * HclLayout.GROUP_ENTRIES) {
      entries += Math.min(HclLayout.GROUP_ENTRIES, n - from);
    }
    return entries;
  }

  /** Words of a conventional region. */
  static long conventionalBytes(int partitions, int capacity, int words) {
    return ConventionalLog.entriesWords(partitions, capacity, words) * HclLayout.WORD_BYTES;
  }

  @Override
  public void close() {
    memory.close();
  }
}
