package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.api.LogFilesAhead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tail of the write-ahead log. One thread at a time calls {@link #beginBatch}, {@link #put} for
 * every record of a batch, and then {@link #flush}, which says what is to be drained.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>W1. A record's bytes are a function of its position: a stale record at another position is
 *       never taken for one of the log.
 *   <li>W2. A segment's size is durable before its header is stored, and its header and name before
 *       a record in it is acknowledged.
 *   <li>W3. A segment starts where the one before it ended, and gets its header only when all
 *       records before its start are durable.
 *   <li>W4. The epoch of records never falls along the log, and rises at each opening: what an
 *       earlier opening left behind the tail is never taken for a continuation.
 *   <li>W6. A record whose values outside the log did not arrive is erased before a writer goes on:
 *       no later values can make it count.
 *   <li>W8. A segment notes the next one when that one's header and name are durable: a log that
 *       ends in a segment with a note has lost what followed.
 * </ul>
 */
public final class Wal implements AutoCloseable {
  static final long SEGMENT_BYTES_MAX = 64L << 20;
  private static final int SEGMENT_GROWTH = 4;
  private static final int SPARES_MIN = 2;
  private static final long GATHERED_BYTES = 1L << 20;

  /** Where threads share a store, they do so once for what a commit has made ahead in a file. */
  private static final long GATHERED_BYTES_SHARED = SEGMENT_BYTES_MAX;

  /** After this number of batches without company a short one goes past the system's cache. */
  static final int ALONE_MIN = 4;

  private static final long APPENDED_BYTES_MAX = 16 << 10;

  private final StorageDirectory directory;
  private final UUID databaseId;
  private final int epoch;
  private final long firstSegmentBytes;
  private final ArrayDeque<WalSegment> segments = new ArrayDeque<>();
  private final SpareFiles spares;
  private final SharedStores stores;

  /** Of the newest segment whose header and name are durable; 0 where there is none. */
  private long durableNumber;

  private volatile long position;
  private long batchStart;
  private final List<MemorySegment> pending = new ArrayList<>();
  private long pendingAt;
  private long pendingBytes;
  private long flushedFrom;
  private long aloneInSuccession;

  /** Where in the newest segment the next file is made ahead. */
  private long aheadAt;

  /**
   * @param databaseId for the headers of new files
   * @param known the segments with records that recovery may need, in order; durable, with names
   * @param tail the position of the next record
   * @param nextNumber greater than that of any file there is
   * @param firstSegmentBytes the size of files while one is enough
   * @param ahead who makes the next file before it is needed
   * @param workers share the stores of long records
   */
  public Wal(
      StorageDirectory directory,
      UUID databaseId,
      List<WalSegment> known,
      long tail,
      long nextNumber,
      int epoch,
      long firstSegmentBytes,
      LogFilesAhead ahead,
      SharedWork workers) {
    this.directory = directory;
    this.databaseId = databaseId;
    this.epoch = epoch;
    this.firstSegmentBytes = firstSegmentBytes;
    this.spares = new SpareFiles(directory, nextNumber, ahead);
    this.stores = new SharedStores(workers);
    this.position = tail;
    this.batchStart = tail;
    this.flushedFrom = tail;
    segments.addAll(known);
    durableNumber = known.isEmpty() ? 0 : known.getLast().number();
    aheadAt = known.isEmpty() ? Long.MAX_VALUE : aheadAt(known.getLast());
  }

  /**
   * Erases the record at the tail, durably: it named values that did not arrive, and would count as
   * committed if equal values were written to their place later (W6).
   */
  public void eraseTail() {
    WalSegment segment = segments.getLast();
    long at = segment.fileOffset(position);
    segment.memory().store(at, Arena.ofAuto().allocate(WalLayout.RECORD_HEADER_BYTES, Long.BYTES));
    segment.memory().persist(at, WalLayout.RECORD_HEADER_BYTES);
  }

  /** The position of the next record. */
  public long position() {
    return position;
  }

  public int epoch() {
    return epoch;
  }

  /**
   * Begins a batch.
   *
   * @param durable all positions before it are durable, and what the records there name (W5)
   */
  public void beginBatch(long durable) {
    beginBatch(durable, false);
  }

  /**
   * As {@link #beginBatch(long)}.
   *
   * @param alone whether no other batch is in flight, and nobody else waits for one
   */
  public void beginBatch(long durable, boolean alone) {
    aloneInSuccession = alone ? aloneInSuccession + 1 : 0;
    assert durable <= position : "W5: durable to " + durable + " of " + position;
    batchStart = durable;
  }

  /** Whether the record fits the last file; otherwise {@link #openSegment} comes first. */
  public boolean hasRoomFor(RecordBuffer record) {
    return !segments.isEmpty() && position + record.bytes() <= segments.getLast().limit();
  }

  /** Takes one record, which stays as it is until the next {@link #write} or {@link #flush}. */
  public void put(RecordBuffer record, long sequence) {
    long bytes = record.bytes();
    assert hasRoomFor(record) : "no room at position " + position;
    assert position % WalLayout.RECORD_ALIGNMENT == 0 : "position " + position;
    record.seal(position, batchStart, sequence, epoch);
    if (pending.isEmpty()) {
      pendingAt = position;
    }
    pending.addAll(record.pieces());
    pendingBytes += bytes;
    advance(bytes);
    if (pendingBytes >= gatheredBytesMax()) {
      write();
    }
  }

  private long gatheredBytesMax() {
    return segments.getLast().memory().takesSharedStores() ? GATHERED_BYTES_SHARED : GATHERED_BYTES;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time, see put
  private void advance(long bytes) {
    position += bytes;
  }

  /** Writes all records put so far with one store; their memory is then free for others. */
  public void write() {
    if (pending.isEmpty()) {
      return;
    }
    WalSegment segment = segments.getLast();
    assert pending.getFirst().get(JAVA_LONG, WalLayout.RECORD_POSITION_AT) == pendingAt
        : "W1: a record of another position goes to " + pendingAt;
    assert segment.number() == durableNumber
        : "W2: a record in segment " + segment.number() + ", durable is " + durableNumber;
    long at = segment.fileOffset(pendingAt);
    if (aloneInSuccession > ALONE_MIN && pendingBytes <= APPENDED_BYTES_MAX) {
      segment.memory().append(at, pending);
    } else {
      stores.store(segment.memory(), at, pending, pendingBytes);
    }
    pending.clear();
    pendingBytes = 0;
    makeAheadIfDue();
  }

  private void makeAheadIfDue() {
    if (position >= aheadAt) {
      aheadAt = Long.MAX_VALUE;
      spares.makeAhead(nextSegmentBytes(0));
    }
  }

  /** Writes and flushes all records put so far; the memory to drain, null where that is none. */
  public @Nullable PersistentMemory flush() {
    write();
    if (position == flushedFrom) {
      return null;
    }
    WalSegment segment = segments.getLast();
    segment.memory().flush(segment.fileOffset(flushedFrom), position - flushedFrom);
    flushedFrom = position;
    return segment.memory();
  }

  /** Returns when all records put since the last flush are durable. */
  public void drain() {
    PersistentMemory flushed = flush();
    if (flushed != null) {
      flushed.drain();
    }
  }

  /**
   * Goes on in a new file, when all before is durable (W3); throws DISK_FULL or TOO_MANY_FILES with
   * nothing changed.
   */
  public void openSegment(long recordBytes) {
    continueInFileOf(nextSegmentBytes(recordBytes));
    makeAheadIfDue();
  }

  private void continueInFileOf(long bytes) {
    assert flushedFrom == position : "W3: flushed to " + flushedFrom + " of " + position;
    SpareFiles.Spare file = spares.take(bytes);
    assert file.number() > durableNumber : "number " + file.number() + " after " + durableNumber;
    WalSegment next = new WalSegment(file.number(), position, file.memory());
    next.writeHeader(databaseId);
    durableNumber = next.number();
    if (!segments.isEmpty()) {
      segments.getLast().noteNext(next.number()); // W8
    }
    segments.addLast(next);
    aheadAt = aheadAt(next);
  }

  /**
   * Halfway: there is time until the file is needed, and not every database takes a second one. At
   * once in a file of full length: the log goes on, and some commits fill a half of it each.
   */
  private static long aheadAt(WalSegment segment) {
    boolean isFull = segment.memory().sizeBytes() >= SEGMENT_BYTES_MAX;
    return isFull ? segment.start() : segment.start() + (segment.limit() - segment.start()) / 2;
  }

  /** Files grow while checkpoints leave more than one of them needed. */
  private long nextSegmentBytes(long recordBytes) {
    long last = segments.isEmpty() ? 0 : segments.getLast().memory().sizeBytes();
    long grown = segments.size() > 1 ? last * SEGMENT_GROWTH : last;
    long wanted = Math.clamp(grown, firstSegmentBytes, SEGMENT_BYTES_MAX);
    return Math.max(wanted, recordBytes + WalLayout.SEGMENT_RECORDS_AT);
  }

  /**
   * Lets go of the files all of whose records are before {@code needed}. As many are kept to be
   * taken again: the log is going to be as long until the next time.
   */
  public void retire(long needed) {
    int given = 0;
    while (segments.size() > 1) {
      WalSegment first = segments.removeFirst();
      if (segments.getFirst().start() > needed) {
        segments.addFirst(first);
        break;
      }
      given++;
      if (first.memory().sizeBytes() <= SEGMENT_BYTES_MAX) {
        spares.give(first);
      } else {
        directory.delete(WalLayout.fileName(first.number()));
      }
    }
    spares.keepAtMost(Math.max(SPARES_MIN, given));
  }

  /** Deletes the files that are kept to be taken again, because the disk is full. */
  public void deleteSpares() {
    spares.deleteAll();
  }

  /**
   * Keeps one file of the first size, without records, when a checkpoint at {@link #position} is
   * durable. Throws as {@link #openSegment} does; then the last file stays.
   */
  public void shrink() {
    retire(position);
    spares.deleteAll();
    if (!segments.isEmpty() && segments.getLast().memory().sizeBytes() > firstSegmentBytes) {
      continueInFileOf(firstSegmentBytes);
      directory.delete(WalLayout.fileName(segments.removeFirst().number()));
    }
  }

  /** Closes the files; nothing more is written. */
  @Override
  public void close() {
    segments.forEach(segment -> segment.memory().close());
    spares.close();
  }
}
