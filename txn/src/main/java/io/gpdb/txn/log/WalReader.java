package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log from a position to its end: the first place without a whole record. All
 * acknowledged records are before that place, because an acknowledged record is durable and so are
 * all before it. A whole record behind that place, of a batch that began behind it, proves damage
 * instead.
 */
public final class WalReader implements AutoCloseable {
  private static final long SEARCH_BYTES = 1L << 20;

  private final StorageDirectory directory;
  private final MemoryAccount memory;
  private final List<WalSegment> segments = new ArrayList<>();
  private final List<String> unusable = new ArrayList<>();
  private final @Nullable ArrivedValues arrived;
  private MemorySegment chunk;
  private int current;
  private long position;
  private long batchStart;
  private int epoch;
  private int epochBehind;
  private String tornTail = "";
  private boolean valuesMissing;
  private long lastNumber;

  public WalReader(
      StorageDirectory directory,
      MemoryAccount memory,
      UUID databaseId,
      ArrivedValues arrived,
      long from,
      int epoch) {
    this.arrived = arrived;
    this.directory = directory;
    this.memory = memory;
    this.position = from;
    this.batchStart = from;
    this.epoch = epoch;
    this.chunk = memory.takeAnyway(1 << 16);
    for (String name : directory.names()) {
      if (WalLayout.isFileName(name)) {
        lastNumber = Math.max(lastNumber, WalLayout.number(name));
        WalSegment segment = WalSegment.read(directory, name, databaseId);
        if (segment == null) {
          unusable.add(name);
        } else {
          segments.add(segment);
        }
      }
    }
    // One that took no record starts where the next one does.
    segments.sort(
        Comparator.comparingLong(WalSegment::start).thenComparingLong(WalSegment::number));
    current = -1;
    for (int i = 0; i < segments.size() && segments.get(i).start() <= from; i++) {
      current = i;
    }
    boolean absent = current < 0 ? from > 0 || !segments.isEmpty() : isBehind(from);
    if (absent) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log file missing: position=%d, without a whole header=%s, database=%s"
              .formatted(from, unusable, directory.description()));
    }
    if (current < 0) {
      requireNoneNewer();
    }
  }

  private boolean isBehind(long from) {
    return from > segments.get(current).limit();
  }

  /** Reads one segment alone, from its first record on, by {@link #nextHere}. */
  public WalReader(StorageDirectory directory, MemoryAccount memory, WalSegment segment) {
    this.arrived = null;
    this.directory = directory;
    this.memory = memory;
    this.position = segment.start();
    this.chunk = memory.take(1 << 16);
    segments.add(segment);
  }

  /** The next record of the segment, or null where none follows. */
  public @Nullable WalRecord nextHere() {
    tornTail = read(segments.get(current));
    if (!tornTail.isEmpty()) {
      return null;
    }
    WalRecord record = new WalRecord(position, chunk.asSlice(0, recordBytes()));
    position += record.bytes();
    epoch = record.epoch();
    return record;
  }

  /** The next record, or null at the end of the log. */
  public @Nullable WalRecord next() {
    while (current >= 0) {
      WalSegment segment = segments.get(current);
      String problem = read(segment);
      if (problem.isEmpty()) {
        WalRecord record = new WalRecord(position, chunk.asSlice(0, recordBytes()));
        if (arrived == null || arrived.holdsWith(record)) {
          position += record.bytes();
          epoch = record.epoch();
          batchStart = batchStart(record);
          return record;
        }
        problem = "values outside the log did not arrive";
        valuesMissing = true;
        end(segment, problem);
        return null;
      }
      if (current + 1 < segments.size() && segments.get(current + 1).start() == position) {
        current++;
      } else {
        end(segment, problem);
        return null;
      }
    }
    return null;
  }

  /** What was durable before the record; never anything behind it. */
  private static long batchStart(WalRecord record) {
    long start = record.content().get(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT);
    if (start < 0 || start > record.position()) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log record has a batch that begins at %d: position=%d"
              .formatted(start, record.position()));
    }
    return start;
  }

  private int recordBytes() {
    return chunk.get(JAVA_INT, WalLayout.RECORD_BYTES_AT);
  }

  /** Reads the record at the position into the chunk; says why it is none. */
  private String read(WalSegment segment) {
    long room = segment.limit() - position;
    if (room < WalLayout.RECORD_HEADER_BYTES) {
      return "end of file";
    }
    String problem = readHeader(segment, position, room);
    if (!problem.isEmpty()) {
      return problem;
    }
    MemorySegment s = chunk;
    if (s.get(JAVA_INT, WalLayout.RECORD_EPOCH_AT) < epoch) {
      return "record of an earlier opening";
    }
    int bytes = recordBytes();
    if (bytes > chunk.byteSize()) {
      MemorySegment larger = memory.takeAnyway(bytes);
      memory.give(chunk);
      chunk = larger;
    }
    segment.memory().load(segment.fileOffset(position), chunk.asSlice(0, bytes));
    int body = WalLayout.RECORD_HEADER_BYTES;
    boolean whole =
        chunk.get(JAVA_INT, WalLayout.RECORD_BODY_CRC_AT) == Crc.of(chunk, body, bytes - body);
    return whole ? "" : "checksum of record body does not match";
  }

  private String readHeader(WalSegment segment, long at, long room) {
    MemorySegment s = chunk.asSlice(0, WalLayout.RECORD_HEADER_BYTES);
    segment.memory().load(segment.fileOffset(at), s);
    if (s.get(JAVA_INT, WalLayout.RECORD_MAGIC_AT) == 0) {
      return "unwritten";
    }
    if (s.get(JAVA_INT, WalLayout.RECORD_MAGIC_AT) != WalLayout.RECORD_MAGIC
        || s.get(JAVA_SHORT, WalLayout.RECORD_VERSION_AT) != WalLayout.VERSION) {
      return "no record header";
    }
    int bytes = s.get(JAVA_INT, WalLayout.RECORD_BYTES_AT);
    boolean whole =
        s.get(JAVA_INT, WalLayout.RECORD_HEADER_CRC_AT)
            == Crc.of(s, 0, WalLayout.RECORD_HEADER_CRC_AT);
    if (!whole) {
      return "checksum of record header does not match";
    }
    if (s.get(JAVA_LONG, WalLayout.RECORD_POSITION_AT) != at) {
      return "record of another position";
    }
    boolean inRange =
        bytes >= WalLayout.RECORD_HEADER_BYTES
            && bytes <= room
            && bytes % WalLayout.RECORD_ALIGNMENT == 0
            && s.get(JAVA_INT, WalLayout.RECORD_EPOCH_AT) >= 0;
    return inRange ? "" : "length out of range";
  }

  private void end(WalSegment segment, String problem) {
    boolean unwritten = problem.equals("unwritten") || problem.equals("end of file");
    tornTail =
        unwritten
            ? ""
            : "%s: position=%d, file=%s"
                .formatted(problem, position, WalLayout.fileName(segment.number()));
    if (current + 1 < segments.size()) {
      throw lost(segments.get(current + 1).start());
    }
    searchBehind(segment);
    requireNoneNewer();
    requireNoneNoted(segment);
  }

  /**
   * Throws when the segment, with which the log ends, notes another one: that one was durable, with
   * its header and name, before the note was stored, and would have been gone on with (W8).
   */
  private void requireNoneNoted(WalSegment segment) {
    long next = segment.notedNext();
    if (next != 0) {
      String name = WalLayout.fileName(next);
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "log file %s: file=%s, which follows %s at position=%d, database=%s"
              .formatted(
                  whyNotRead(name),
                  name,
                  WalLayout.fileName(segment.number()),
                  position,
                  directory.description()));
    }
  }

  private String whyNotRead(String name) {
    if (!directory.exists(name)) {
      return "missing";
    }
    return unusable.contains(name) ? "without a whole header" : "of another place";
  }

  /** Throws when a file without a whole header holds records of the log from here on. */
  private void requireNoneNewer() {
    for (String name : unusable) {
      WalSegment guess =
          new WalSegment(
              WalLayout.number(name), 0, directory.open(name, WalLayout.SEGMENT_RECORDS_AT));
      if (guess.limit() > WalLayout.RECORD_HEADER_BYTES && headerIsNewer(guess)) {
        throw lost(position);
      }
    }
  }

  /**
   * Looks for records that prove that an acknowledged one is gone, and for the epochs of others,
   * which were never acknowledged: what is written next must not be of the same (W4).
   */
  private void searchBehind(WalSegment segment) {
    long left = Math.max(0, segment.limit() - position);
    MemorySegment piece = memory.takeAnyway(Math.min(SEARCH_BYTES, left));
    try {
      for (long from = position; from < segment.limit(); from += SEARCH_BYTES) {
        long bytes = Math.min(SEARCH_BYTES, segment.limit() - from);
        MemorySegment s = piece.asSlice(0, bytes);
        segment.memory().load(segment.fileOffset(from), s);
        // An array: a process opens one log, and runs this loop before it is compiled.
        int[] words = s.asSlice(0, bytes / Integer.BYTES * Integer.BYTES).toArray(JAVA_INT);
        for (int w = 0; w < words.length; w += WalLayout.RECORD_ALIGNMENT / Integer.BYTES) {
          if (words[w] == WalLayout.RECORD_MAGIC) {
            examineBehind(segment, from + (long) w * Integer.BYTES);
          }
        }
      }
    } finally {
      memory.give(piece);
    }
  }

  /** W5. All positions before the begin of a batch were durable when it was written. */
  private void examineBehind(WalSegment segment, long at) {
    if (!readHeader(segment, at, segment.limit() - at).isEmpty()) {
      return;
    }
    int itsEpoch = chunk.get(JAVA_INT, WalLayout.RECORD_EPOCH_AT);
    long batchStart = chunk.get(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT);
    if (itsEpoch >= epoch && batchStart > position) {
      throw lost(at);
    }
    epochBehind = Math.max(epochBehind, itsEpoch);
  }

  /** Whether the file begins with a record that belongs behind the end of the log. */
  private boolean headerIsNewer(WalSegment guess) {
    MemorySegment s = chunk.asSlice(0, WalLayout.RECORD_HEADER_BYTES);
    guess.memory().load(WalLayout.SEGMENT_RECORDS_AT, s);
    return s.get(JAVA_INT, WalLayout.RECORD_MAGIC_AT) == WalLayout.RECORD_MAGIC
        && s.get(JAVA_INT, WalLayout.RECORD_HEADER_CRC_AT)
            == Crc.of(s, 0, WalLayout.RECORD_HEADER_CRC_AT)
        && s.get(JAVA_LONG, WalLayout.RECORD_POSITION_AT) >= position
        && s.get(JAVA_INT, WalLayout.RECORD_EPOCH_AT) >= epoch;
  }

  private GpdbException lost(long later) {
    return new GpdbException(
        ErrorCode.CORRUPTION,
        "log is damaged: nothing whole at position=%d, but later records from position=%d on are there, database=%s"
            .formatted(position, later, directory.description()));
  }

  /**
   * Makes durable what was read: a process that was killed between a store and its drain has left
   * it to be seen, but not to survive a loss of power (W7).
   */
  public void persist() {
    for (WalSegment segment : used(batchStart)) {
      long first = Math.max(batchStart, segment.start());
      segment.memory().flush(0, WalLayout.SEGMENT_HEADER_BYTES);
      if (first < position) {
        long bytes = Math.min(position, segment.limit()) - first;
        segment.memory().flush(segment.fileOffset(first), bytes);
      }
      segment.memory().drain();
    }
    if (arrived != null) {
      arrived.drain();
    }
    directory.syncNames();
  }

  /** Behind the last whole record. */
  public long position() {
    return position;
  }

  /** The greatest epoch seen, also of records behind the end. */
  public int epoch() {
    return Math.max(epoch, epochBehind);
  }

  /** Why the log ended where it did; empty when nothing was written there. */
  public String tornTail() {
    return tornTail;
  }

  /** Whether it ended with a record that is whole, but not what it names. */
  public boolean valuesMissing() {
    return valuesMissing;
  }

  public long lastNumber() {
    return lastNumber;
  }

  /** Those with the records from the first position on. */
  public List<WalSegment> used(long from) {
    List<WalSegment> used = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      if (isUsed(i, from)) {
        used.add(segments.get(i));
      }
    }
    return used;
  }

  private boolean isUsed(int index, long from) {
    return index == current || (index < current && segments.get(index + 1).start() > from);
  }

  /** Files that hold nothing of the log any more. */
  public List<String> useless(long from) {
    List<String> names = new ArrayList<>(unusable);
    for (int i = 0; i < segments.size(); i++) {
      if (!isUsed(i, from)) {
        names.add(WalLayout.fileName(segments.get(i).number()));
      }
    }
    return names;
  }

  /** Reads a record again that {@link #next} returned: there is room for it since then. */
  public WalRecord reread(long at) {
    int index = 0;
    while (index + 1 < segments.size() && segments.get(index + 1).start() <= at) {
      index++;
    }
    WalSegment segment = segments.get(index);
    MemorySegment header = chunk.asSlice(0, WalLayout.RECORD_HEADER_BYTES);
    segment.memory().load(segment.fileOffset(at), header);
    int bytes = recordBytes();
    segment.memory().load(segment.fileOffset(at), chunk.asSlice(0, bytes));
    return new WalRecord(at, chunk.asSlice(0, bytes));
  }

  @Override
  public void close() {
    memory.give(chunk);
  }
}
