package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * One log record being made: {@link #begin}, sections, {@link #end}; then {@link #seal} once its
 * place is known. Used by one thread at a time.
 *
 * <p>Its bytes are in pieces: what was made here, in one block of memory, and between it whatever
 * {@link #takeSections} found long enough to stay where it is. Long sections may be filled when the
 * record is ended: {@link #complete} has all threads fill them, and sum what they have just filled.
 */
public final class RecordBuffer implements SectionSink {
  private static final int FIRST_BYTES = 4096;

  /** Shorter ones are copied: a piece of its own is a write of its own. */
  static final int PIECE_BYTES_MIN = 64 << 10;

  private final MemoryAccount memory;
  private final List<Elsewhere> elsewhere = new ArrayList<>(0);
  private final List<Unfilled> unfilled = new ArrayList<>(0);
  private MemorySegment chunk;

  /** Of the chunk. */
  private long used;

  private long elsewhereBytes;
  private int sections;
  private boolean summed;

  /** Sections that stay where they are, behind that number of bytes of the chunk. */
  private record Elsewhere(long behind, MemorySegment bytes) {}

  /** A section of the chunk that is not whole yet. */
  private record Unfilled(long at, long bytes, SectionFill fill) {}

  public RecordBuffer(MemoryAccount memory) {
    this.memory = memory;
    this.chunk = memory.takeAnyway(FIRST_BYTES);
  }

  /** The header is whole when the record is sealed: each byte of it is a field. */
  public void begin(int kind, int flags, long transactionId) {
    used = WalLayout.RECORD_HEADER_BYTES;
    elsewhere.clear();
    unfilled.clear();
    elsewhereBytes = 0;
    sections = 0;
    summed = false;
    MemorySegment s = chunk;
    s.set(JAVA_INT, WalLayout.RECORD_MAGIC_AT, WalLayout.RECORD_MAGIC);
    s.set(JAVA_SHORT, WalLayout.RECORD_VERSION_AT, (short) WalLayout.VERSION);
    s.set(JAVA_SHORT, WalLayout.RECORD_KIND_AT, (short) kind);
    s.set(JAVA_INT, WalLayout.RECORD_FLAGS_AT, flags);
    s.set(JAVA_LONG, WalLayout.RECORD_TRANSACTION_AT, transactionId);
  }

  public void addFlags(int flags) {
    MemorySegment s = chunk;
    int old = s.get(JAVA_INT, WalLayout.RECORD_FLAGS_AT);
    s.set(JAVA_INT, WalLayout.RECORD_FLAGS_AT, old | flags);
  }

  @Override
  public MemorySegment section(long bytes) {
    sections++;
    return reserve(bytes);
  }

  /**
   * Has the last section filled, which has so many bytes: now, or where it is long when the record
   * is completed, by any thread.
   */
  void fill(long bytes, SectionFill fill) {
    long at = used - bytes;
    if (bytes < PIECE_BYTES_MIN) {
      fill.fill(chunk.asSlice(at, bytes));
    } else {
      unfilled.add(new Unfilled(at, bytes, fill));
    }
  }

  /**
   * Appends whole sections that were made elsewhere, until the record has that length or more. They
   * stay as and where they are until the record was written.
   *
   * @param from where the first one begins
   * @param taken is called with each and its length
   * @return where the next one begins
   */
  public long takeSections(
      MemorySegment gathered, long from, long recordBytes, ObjLongConsumer<SectionKind> taken) {
    long at = from;
    while (at < gathered.byteSize() && bytes() + at - from < recordBytes) {
      long bytes = WalLayout.SECTION_HEADER_BYTES + SectionHeader.payloadBytes(gathered, at);
      taken.accept(SectionHeader.kind(gathered, at, at), bytes);
      at += bytes;
      sections++;
    }
    MemorySegment whole = gathered.asSlice(from, at - from);
    if (whole.byteSize() < PIECE_BYTES_MIN) {
      reserve(whole.byteSize()).copyFrom(whole);
    } else {
      requireLength(bytes() + whole.byteSize());
      elsewhere.add(new Elsewhere(used, whole));
      elsewhereBytes += whole.byteSize();
    }
    return at;
  }

  private MemorySegment reserve(long bytes) {
    ensure(used + bytes);
    MemorySegment piece = chunk.asSlice(used, bytes);
    used += bytes;
    return piece;
  }

  private void ensure(long bytes) {
    requireLength(bytes + elsewhereBytes);
    if (bytes > chunk.byteSize()) {
      MemorySegment larger = memory.takeAnyway(bytes);
      MemorySegment.copy(chunk, 0, larger, 0, used);
      memory.give(chunk);
      chunk = larger;
    }
  }

  /** Has room for so many more bytes at once, so that sections are not moved as they come. */
  public void expect(long bytes) {
    ensure(used + bytes);
  }

  private static void requireLength(long bytes) {
    if (bytes > WalLayout.RECORD_BYTES_MAX - WalLayout.RECORD_ALIGNMENT) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "log record too long: bytes=" + bytes + ", limit=" + WalLayout.RECORD_BYTES_MAX);
    }
  }

  /** Ends the record: its length is known. Its body is to be summed before it gets its place. */
  public void end() {
    long bytes = WalLayout.align(bytes(), WalLayout.RECORD_ALIGNMENT);
    reserve(bytes - bytes()).fill((byte) 0);
    MemorySegment s = chunk;
    s.set(JAVA_INT, WalLayout.RECORD_BYTES_AT, Math.toIntExact(bytes));
    s.set(JAVA_INT, WalLayout.RECORD_SECTIONS_AT, sections);
  }

  /**
   * Fills the sections of records that are ended, and stores the checksums of their bodies.
   *
   * @param workers share the bytes where there are many: all at once, because to wake threads takes
   *     as long as to sum a MiB
   */
  public static void complete(List<RecordBuffer> records, SharedWork workers) {
    long bytes = 0;
    for (RecordBuffer record : records) {
      bytes += record.bytes();
    }
    if (bytes < Crc.SHARED_BYTES_MIN) {
      for (RecordBuffer record : records) {
        record.unfilled.forEach(each -> each.fill.fill(record.chunk.asSlice(each.at, each.bytes)));
        record.sum(Crc.of(record.pieces(), WalLayout.RECORD_HEADER_BYTES));
      }
      return;
    }
    List<List<CrcPart>> parts = records.stream().map(RecordBuffer::parts).toList();
    int[] crcs = Crc.of(parts, workers);
    for (int i = 0; i < crcs.length; i++) {
      records.get(i).sum(crcs[i]);
    }
  }

  /** The body, in parts for threads; a section that is to be filled is one. */
  private List<CrcPart> parts() {
    List<CrcPart> parts = new ArrayList<>();
    long from = WalLayout.RECORD_HEADER_BYTES;
    int nextUnfilled = 0;
    for (MemorySegment piece : pieces()) {
      long pieceAt = piece.address() - chunk.address();
      while (nextUnfilled < unfilled.size() && isIn(piece, unfilled.get(nextUnfilled))) {
        Unfilled each = unfilled.get(nextUnfilled++);
        long at = each.at - pieceAt;
        CrcPart.add(piece.asSlice(from, at - from), parts);
        parts.add(new CrcPart(piece.asSlice(at, each.bytes), each.fill));
        from = at + each.bytes;
      }
      CrcPart.add(piece.asSlice(from), parts);
      from = 0;
    }
    return parts;
  }

  /** Whether the piece is of the chunk, and has the section. */
  private boolean isIn(MemorySegment piece, Unfilled section) {
    long at = piece.address() - chunk.address();
    return at >= 0 && at <= section.at && section.at + section.bytes <= at + piece.byteSize();
  }

  private void sum(int bodyCrc) {
    chunk.set(JAVA_INT, WalLayout.RECORD_BODY_CRC_AT, bodyCrc);
    summed = true;
  }

  /** Writes the record's place in the log into its header. */
  void seal(long position, long batchStart, long sequence, int epoch) {
    assert summed : "a record without the checksum of its body";
    MemorySegment s = chunk;
    s.set(JAVA_LONG, WalLayout.RECORD_POSITION_AT, position);
    s.set(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT, batchStart);
    s.set(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT, sequence);
    s.set(JAVA_INT, WalLayout.RECORD_EPOCH_AT, epoch);
    s.set(JAVA_INT, WalLayout.RECORD_HEADER_CRC_AT, Crc.of(s, 0, WalLayout.RECORD_HEADER_CRC_AT));
  }

  public long bytes() {
    return used + elsewhereBytes;
  }

  /** Of memory that the record takes, beside what stays elsewhere. */
  public long ownBytes() {
    return used;
  }

  public int sections() {
    return sections;
  }

  /** The record from its header on; the first piece has the whole header. */
  List<MemorySegment> pieces() {
    if (elsewhere.isEmpty()) {
      return List.of(chunk.asSlice(0, used));
    }
    List<MemorySegment> pieces = new ArrayList<>(1 + 2 * elsewhere.size());
    long from = 0;
    for (Elsewhere each : elsewhere) {
      if (each.behind > from) {
        pieces.add(chunk.asSlice(from, each.behind - from));
        from = each.behind;
      }
      pieces.add(each.bytes);
    }
    if (used > from) {
      pieces.add(chunk.asSlice(from, used - from));
    }
    return pieces;
  }

  public void free() {
    memory.give(chunk);
  }
}
