package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.MemorySegment;
import java.util.function.ObjLongConsumer;

/**
 * One log record being made: {@link #begin}, sections, {@link #end}; then {@link #seal} once its
 * place is known. Used by one thread at a time.
 */
public final class RecordBuffer implements SectionSink {
  private static final int FIRST_BYTES = 4096;

  private final MemoryAccount memory;
  private MemorySegment chunk;
  private long used;
  private int sections;

  public RecordBuffer(MemoryAccount memory) {
    this.memory = memory;
    this.chunk = memory.takeAnyway(FIRST_BYTES);
  }

  /** The header is whole when the record is sealed: each byte of it is a field. */
  public void begin(int kind, int flags, long transactionId) {
    used = WalLayout.RECORD_HEADER_BYTES;
    sections = 0;
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
   * Appends whole sections that were made elsewhere, until the record has that length or more.
   *
   * @param from where the first one begins
   * @param copied is called with each and its length
   * @return where the next one begins
   */
  public long copySections(
      MemorySegment gathered, long from, long recordBytes, ObjLongConsumer<SectionKind> copied) {
    long at = from;
    while (at < gathered.byteSize() && used + at - from < recordBytes) {
      long bytes = WalLayout.SECTION_HEADER_BYTES + SectionHeader.payloadBytes(gathered, at);
      copied.accept(SectionHeader.read(gathered, at, at).kind(), bytes);
      at += bytes;
      sections++;
    }
    reserve(at - from).copyFrom(gathered.asSlice(from, at - from));
    return at;
  }

  private MemorySegment reserve(long bytes) {
    ensure(used + bytes);
    MemorySegment piece = chunk.asSlice(used, bytes);
    used += bytes;
    return piece;
  }

  private void ensure(long bytes) {
    if (bytes > chunk.byteSize()) {
      if (bytes > WalLayout.RECORD_BYTES_MAX - WalLayout.RECORD_ALIGNMENT) {
        throw new GpdbException(
            ErrorCode.LIMIT_EXCEEDED,
            "log record too long: bytes=" + bytes + ", limit=" + WalLayout.RECORD_BYTES_MAX);
      }
      MemorySegment larger = memory.takeAnyway(bytes);
      MemorySegment.copy(chunk, 0, larger, 0, used);
      memory.give(chunk);
      chunk = larger;
    }
  }

  /** Ends the record: its length and the checksum of its body are known. */
  public void end() {
    long bytes = WalLayout.align(used, WalLayout.RECORD_ALIGNMENT);
    ensure(bytes);
    MemorySegment s = chunk;
    if (bytes > used) {
      s.asSlice(used, bytes - used).fill((byte) 0);
      used = bytes;
    }
    s.set(JAVA_INT, WalLayout.RECORD_BYTES_AT, Math.toIntExact(bytes));
    s.set(JAVA_INT, WalLayout.RECORD_SECTIONS_AT, sections);
    long body = WalLayout.RECORD_HEADER_BYTES;
    s.set(JAVA_INT, WalLayout.RECORD_BODY_CRC_AT, Crc.of(s, body, bytes - body));
  }

  /** Writes the record's place in the log into its header. */
  void seal(long position, long batchStart, long sequence, int epoch) {
    MemorySegment s = chunk;
    s.set(JAVA_LONG, WalLayout.RECORD_POSITION_AT, position);
    s.set(JAVA_LONG, WalLayout.RECORD_BATCH_START_AT, batchStart);
    s.set(JAVA_LONG, WalLayout.RECORD_SEQUENCE_AT, sequence);
    s.set(JAVA_INT, WalLayout.RECORD_EPOCH_AT, epoch);
    s.set(JAVA_INT, WalLayout.RECORD_HEADER_CRC_AT, Crc.of(s, 0, WalLayout.RECORD_HEADER_CRC_AT));
  }

  public long bytes() {
    return used;
  }

  public int sections() {
    return sections;
  }

  MemorySegment content() {
    return chunk.asSlice(0, used);
  }

  public void free() {
    memory.give(chunk);
  }
}
