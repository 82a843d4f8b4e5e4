package io.gpdb.txn.protocol;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.ConventionalLog;
import io.gpdb.exec.library.change.GridReplay;
import io.gpdb.exec.library.change.UpdateLog;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.log.Crc;
import io.gpdb.txn.log.DatabaseId;
import io.gpdb.txn.log.MemoryRange;
import io.gpdb.txn.log.WalLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
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
 *       record of the present epoch is the end. One that is found behind it proves damage, unless
 *       it was appended together with the one that is missing.
 *   <li>U3. A record is marked with a commit only when the commit record is durable in the log, and
 *       before a checkpoint makes that record superfluous.
 * </ul>
 */
public final class UndoLog implements AutoCloseable {
  private static final long INITIAL_BYTES = 256L << 10;
  private static final long STEP_BYTES_MAX = 64L << 20;

  /** The log is emptied, when it can be, once it is longer than this. */
  static final long RESET_BYTES = 8L << 20;

  private final PersistentMemory memory;
  private final PersistentMemory home;
  private final @Nullable UUID databaseId;
  private final UndoHeaders headers;

  /** A mark before it is stored. */
  private final MemorySegment marks = Arena.ofAuto().allocate(2L * Long.BYTES, Long.BYTES);

  private long epoch;
  private long newestCommit;
  private long tail = UndoLayout.RECORDS_AT;
  private long last;

  /** What a roll-back did. */
  public record Undone(long transactions, long entries) {
    public static final Undone NOTHING = new Undone(0, 0);
  }

  /** Fills the regions of records by kernels, which make them durable. */
  interface RegionsWriter {
    /** One log for each record, in order. */
    void write(List<UpdateLog> logs);
  }

  /**
   * @param databaseId the database that the file must belong to, where its headers say it; null for
   *     a reader, which takes any
   */
  public UndoLog(StorageDirectory directory, PersistentMemory home, @Nullable UUID databaseId) {
    this(directory, home, databaseId, SharedWork.ALONE);
  }

  /**
   * As above for a writer.
   *
   * @param workers share the checksums of records that are appended together
   */
  public UndoLog(
      StorageDirectory directory,
      PersistentMemory home,
      @Nullable UUID databaseId,
      SharedWork workers) {
    this.home = home;
    this.databaseId = databaseId;
    this.memory = directory.open(UndoLayout.FILE_NAME, INITIAL_BYTES);
    this.headers = new UndoHeaders(memory, workers);
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
      MemorySegment first = Arena.ofAuto().allocate(UndoLayout.HEADER_BYTES, 8);
      memory.load(UndoLayout.RECORDS_AT, first);
      if (first.get(JAVA_INT, UndoLayout.MAGIC_AT) == UndoLayout.RECORD_MAGIC) {
        throw new GpdbException(
            ErrorCode.CORRUPTION, "both headers are damaged: file=" + UndoLayout.FILE_NAME);
      }
    }
    return epoch > 0;
  }

  /** The epoch in the header at the place, or 0. */
  private long readFileHeader(long at) {
    MemorySegment header = Arena.ofAuto().allocate(UndoLayout.FILE_HEADER_BYTES, 8);
    memory.load(at, header);
    int version = header.get(JAVA_INT, UndoLayout.FILE_VERSION_AT);
    boolean old = version == UndoLayout.VERSION_WITHOUT_ENDING;
    boolean hasId = version == UndoLayout.FILE_VERSION;
    int bytes = old ? UndoLayout.FILE_COMMIT_AT : UndoLayout.FILE_DATABASE_ID_AT;
    bytes = hasId ? UndoLayout.FILE_HEADER_BYTES : bytes;
    int crc = header.get(JAVA_INT, UndoLayout.FILE_CRC_AT);
    header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, 0);
    boolean whole =
        header.get(JAVA_LONG, UndoLayout.FILE_MAGIC_AT) == UndoLayout.FILE_MAGIC
            && version >= UndoLayout.VERSION_WITHOUT_ENDING
            && version <= UndoLayout.FILE_VERSION
            && crc == Crc.of(header, 0, bytes);
    if (whole && hasId && databaseId != null) {
      DatabaseId.require(header, UndoLayout.FILE_DATABASE_ID_AT, databaseId, UndoLayout.FILE_NAME);
    }
    if (whole && !old) {
      noteCommit(header.get(JAVA_LONG, UndoLayout.FILE_COMMIT_AT));
    }
    return whole ? UndoBounds.epoch(header.get(JAVA_LONG, UndoLayout.FILE_EPOCH_AT)) : 0;
  }

  private void noteCommit(long sequence) {
    newestCommit = Math.max(newestCommit, sequence);
  }

  /** Writes the header that is not the newer one; durable on return. */
  private void writeFileHeader(long newEpoch) {
    MemorySegment header = Arena.ofAuto().allocate(UndoLayout.FILE_HEADER_BYTES, 8);
    header.set(JAVA_LONG, UndoLayout.FILE_MAGIC_AT, UndoLayout.FILE_MAGIC);
    header.set(JAVA_INT, UndoLayout.FILE_VERSION_AT, UndoLayout.FILE_VERSION);
    header.set(JAVA_LONG, UndoLayout.FILE_EPOCH_AT, newEpoch);
    header.set(JAVA_LONG, UndoLayout.FILE_COMMIT_AT, newestCommit);
    UUID id = databaseId;
    if (id != null) {
      DatabaseId.store(header, UndoLayout.FILE_DATABASE_ID_AT, id);
    }
    header.set(JAVA_INT, UndoLayout.FILE_CRC_AT, Crc.of(header, 0, UndoLayout.FILE_HEADER_BYTES));
    long at = headerOffset(newEpoch);
    memory.store(at, header);
    memory.persist(at, UndoLayout.FILE_HEADER_BYTES);
    epoch = newEpoch;
  }

  private static long headerOffset(long epoch) {
    return epoch % 2 == 0 ? 0 : UndoLayout.FILE_HEADER_STEP;
  }

  long tail() {
    return tail;
  }

  /** The place for a record of {@code bytes} bytes, from {@code at} on. */
  private static long place(long at, long bytes) {
    long pieceEnd = (at / UndoLayout.PIECE_BYTES + 1) * UndoLayout.PIECE_BYTES;
    return at + bytes > pieceEnd ? pieceEnd : at;
  }

  private static long recordBytes(long regionBytes) {
    return WalLayout.align(UndoLayout.HEADER_BYTES + regionBytes, UndoLayout.ALIGNMENT);
  }

  /**
   * Appends records together; all are durable on return. When it throws, there are none.
   *
   * @return where each begins
   */
  long[] append(List<UndoDraft> drafts, RegionsWriter writer) {
    long[] places = new long[drafts.size()];
    long end = tail;
    for (int i = 0; i < places.length; i++) {
      long bytes = recordBytes(drafts.get(i).regionBytes());
      if (bytes > UndoLayout.PIECE_BYTES) {
        throw new GpdbException(
            ErrorCode.LIMIT_EXCEEDED,
            "undo record too long: bytes=" + bytes + ", limit=" + UndoLayout.PIECE_BYTES);
      }
      places[i] = place(end, bytes);
      end = places[i] + bytes;
    }
    while (end > memory.sizeBytes()) {
      long step = Math.clamp(memory.sizeBytes(), INITIAL_BYTES, STEP_BYTES_MAX);
      memory.grow(memory.sizeBytes() + step);
    }
    List<UpdateLog> logs = new ArrayList<>(places.length);
    for (int i = 0; i < places.length; i++) {
      UndoDraft draft = drafts.get(i);
      logs.add(draft.log(headers.region(places[i], draft.regionBytes()), target(places[i])));
    }
    writer.write(logs);
    headers.complete(drafts, places, epoch, last);
    last = places[places.length - 1];
    tail = end;
    return places;
  }

  private MemoryRange target(long at) {
    return new MemoryRange(memory, at + UndoLayout.HEADER_BYTES);
  }

  /**
   * Marks a record's transaction as ended; durable with the next {@link #drain}.
   *
   * @param ending {@link UndoMark#UNDONE}, or the sequence of a commit that is durable (U3)
   */
  void mark(long offset, long ending) {
    int crc = memory.view(offset + UndoLayout.HEADER_CRC_AT, Integer.BYTES, false).get(JAVA_INT, 0);
    long word = UndoMark.word(ending, crc);
    marks.setAtIndex(JAVA_LONG, 0, word);
    marks.setAtIndex(JAVA_LONG, 1, word);
    headers.store(offset + UndoLayout.MARK_AT, marks);
    memory.flush(offset + UndoLayout.MARK_AT, marks.byteSize());
    if (ending != UndoMark.UNDONE) {
      noteCommit(ending);
    }
  }

  void drain() {
    memory.drain();
  }

  /** Empties the log at opening, after recovery; what its records prove goes to the header. */
  public void restart() {
    List<UndoEntry> ended = entries();
    assert ended.stream().allMatch(entry -> entry.mark().isDone(newestCommit))
        : "U2: records that recovery has left open";
    reset();
  }

  /**
   * Makes the header in force and all records durable, those of earlier epochs too: the process
   * that stored them may have been killed (W7). A {@link #reset} overwrites the other header, and a
   * kernel does not write all bytes of a region that its checksum covers.
   */
  public void persistWhatWasRead() {
    memory.flush(UndoLayout.RECORDS_AT, memory.sizeBytes() - UndoLayout.RECORDS_AT);
    memory.persist(headerOffset(epoch), UndoLayout.FILE_HEADER_BYTES);
  }

  /** Empties the log: all its transactions have ended. */
  void reset() {
    writeFileHeader(epoch + 1);
    tail = UndoLayout.RECORDS_AT;
    last = 0;
  }

  /**
   * Every record of the epoch, in order. Afterwards {@link #newestCommit} is at least what their
   * marks say.
   */
  public List<UndoEntry> entries() {
    List<UndoEntry> found = new ArrayList<>();
    long at = UndoLayout.RECORDS_AT;
    last = 0;
    for (UndoEntry entry = find(at); entry != null; entry = find(at)) {
      requireFollows(entry, last);
      found.add(entry);
      noteCommit(entry.mark().provenCommit());
      last = entry.offset();
      at = entry.offset() + recordBytes(entry.regionBytes());
    }
    tail = at;
    searchBehind();
    return found;
  }

  private static void requireFollows(UndoEntry entry, long previous) {
    if (!entry.isOld() && entry.header().get(JAVA_LONG, UndoLayout.PREVIOUS_AT) != previous) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "undo log is damaged: the record at offset=%d does not follow the one at offset=%d, file=%s"
              .formatted(entry.offset(), previous, UndoLayout.FILE_NAME));
    }
  }

  /**
   * Looks for a record that proves that the one at the tail was damaged (U2). The next one would
   * begin in the same piece, or with one of the two that follow; so would the one after a record
   * that was appended together with the one at the tail, of which the power has left others only.
   */
  private void searchBehind() {
    long end = searchEnd(tail);
    for (long at = UndoSearch.next(memory, tail, end);
        at <= end;
        at = UndoSearch.next(memory, at + UndoLayout.ALIGNMENT, end)) {
      UndoEntry entry = read(at);
      if (entry != null) {
        requireCutShort(entry);
        end = searchEnd(entry.offset() + recordBytes(entry.regionBytes()));
      }
    }
  }

  private static long searchEnd(long from) {
    return (from / UndoLayout.PIECE_BYTES + 2) * UndoLayout.PIECE_BYTES;
  }

  /**
   * A record behind the tail was not durable as a whole; then its transaction has not ended,
   * either.
   */
  private void requireCutShort(UndoEntry entry) {
    boolean ended = entry.mark().isTwice() && entry.mark().ending() != UndoMark.OPEN;
    if (!entry.isOld() && (entry.durableBefore() > last || ended)) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "undo log is damaged: what was between the records at offset=%d and at %d is gone, file=%s"
              .formatted(last, entry.offset(), UndoLayout.FILE_NAME));
    }
  }

  /** The last commit that the log must hold, because records say that it was durable (U5). */
  public long newestCommit() {
    return newestCommit;
  }

  /** The record at the place, or at the next piece's begin. */
  private @Nullable UndoEntry find(long at) {
    UndoEntry here = read(at);
    long next = (at / UndoLayout.PIECE_BYTES + 1) * UndoLayout.PIECE_BYTES;
    return here != null || at % UndoLayout.PIECE_BYTES == 0 ? here : read(next);
  }

  private @Nullable UndoEntry read(long at) {
    if (at + UndoLayout.HEADER_BYTES > memory.sizeBytes()) {
      return null;
    }
    if (memory.view(at, Integer.BYTES, false).get(JAVA_INT, 0) != UndoLayout.RECORD_MAGIC) {
      return null;
    }
    MemorySegment header = Arena.ofAuto().allocate(UndoLayout.HEADER_BYTES, 8);
    memory.load(at, header);
    int crc = header.get(JAVA_INT, UndoLayout.HEADER_CRC_AT);
    header.set(JAVA_INT, UndoLayout.HEADER_CRC_AT, 0);
    boolean old = header.get(JAVA_INT, UndoLayout.VERSION_AT) == UndoLayout.VERSION_WITHOUT_ENDING;
    boolean whole =
        header.get(JAVA_LONG, UndoLayout.EPOCH_AT) == epoch
            && crc == Crc.of(header, 0, old ? UndoLayout.DONE_AT : UndoLayout.MARK_AT);
    return whole
        ? UndoBounds.inside(new UndoEntry(at, header, UndoMark.of(header, crc)), memory.sizeBytes())
        : null;
  }

  /**
   * What is wrong with the records that {@link #rollBack} would put back.
   *
   * @param finished transactions whose commits the log holds
   * @param lastCommit with which the log ends
   */
  public void check(Set<Long> finished, long lastCommit, List<String> problems) {
    List<UndoEntry> entries = entries();
    long done = Math.max(lastCommit, newestCommit);
    for (UndoEntry entry : entries) {
      if (!entry.mark().isDone(done)
          && !finished.contains(entry.transactionId())
          && !regionIsWhole(entry, region(entry))) {
        problems.add(
            "checksum of undo record does not match: file=%s, offset=%d"
                .formatted(UndoLayout.FILE_NAME, entry.offset()));
      }
    }
  }

  private MemorySegment region(UndoEntry entry) {
    return memory.view(entry.offset() + UndoLayout.HEADER_BYTES, entry.regionBytes(), false);
  }

  private static boolean regionIsWhole(UndoEntry entry, MemorySegment region) {
    return Crc.of(region, 0, region.byteSize())
        == entry.header().get(JAVA_INT, UndoLayout.REGION_CRC_AT);
  }

  /**
   * Puts back what unfinished transactions have overwritten, and empties the log.
   *
   * @param finished transactions whose commits the log holds
   * @param lastCommit with which the log ends
   */
  public Undone rollBack(Set<Long> finished, long lastCommit, Device device) {
    assert newestCommit <= lastCommit
        : "U5: log ends at %d, not %d".formatted(lastCommit, newestCommit);
    List<UndoEntry> open = new ArrayList<>();
    for (UndoEntry entry : entries().reversed()) {
      if (!entry.mark().isDone(lastCommit) && !finished.contains(entry.transactionId())) {
        open.add(entry);
      }
    }
    requireWhole(open, device);
    UndoPutBack old = new UndoPutBack(memory, home, new GridReplay(device));
    Set<Long> transactions = new LinkedHashSet<>();
    long count = 0;
    for (UndoEntry entry : open) {
      old.add(entry);
      transactions.add(entry.transactionId());
      count += entry.n();
    }
    old.finish();
    reset();
    return new Undone(transactions.size(), count);
  }

  /** By all threads. */
  private void requireWhole(List<UndoEntry> entries, Device device) {
    List<MemorySegment> regions = new ArrayList<>();
    entries.forEach(entry -> regions.add(region(entry)));
    device.share(
        regions.size(),
        i -> {
          if (!regionIsWhole(entries.get(i), regions.get(i))) {
            throw new GpdbException(
                ErrorCode.CORRUPTION,
                "checksum of undo record does not match: file=%s, offset=%d"
                    .formatted(UndoLayout.FILE_NAME, entries.get(i).offset()));
          }
        });
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
