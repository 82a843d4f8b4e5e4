package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.NativeChunks;
import io.gpdb.storage.memory.NativeChunks.NativeChunk;
import java.lang.foreign.MemorySegment;
import java.util.function.ObjLongConsumer;

/**
 * One log record being made: {@link #begin}, sections, {@link #end}; then {@link #seal} once its
 * place is known. Used by one thread at a time.
 */
public final class RecordBuffer implements SectionSink {
  private static final int FIRST_BYTES = 4096;

  private final NativeChunks pool;
  private NativeChunk chunk;
  private long used;
  private int sections;

  public RecordBuffer(NativeChunks pool) {
    this.pool = pool;
    this.chunk = pool.takeAnyway(FIRST_BYTES);
  }

  /** The header is whole when the record is sealed: each byte of it is a field. */
  public void begin(int kind, int flags, long transactionId) {
    used = WalLayout.RECORD_HEADER_BYTES;
    sections = 0;
    MemorySegment s = chunk.segment();
    s.set(JAVA_INT, WalLayout.RECORD_MAGIC_AT, WalLayout.RECORD_MAGIC);
    s.set(JAVA_SHORT, WalLayout.RECORD_VERSION_AT, (short) WalLayout.VERSION);
    s.set(JAVA_SHORT, WalLayout.RECORD_KIND_AT, (short) kind);
    s.set(JAVA_INT, WalLayout.RECORD_FLAGS_AT, flags);
    s.set(JAVA_LONG, WalLayout.RECORD_TRANSACTION_AT, transactionId);
  }

  public void addFlags(int flags) {
    MemorySegment s = chunk.segment();
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
   * @param copied is told of each, with its length
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
    MemorySegment piece = chunk.segment().asSlice(used, bytes);
    used += bytes;
    return piece;
  }

  private void ensure(long bytes) {
    if (bytes > chunk.bytes()) {
      if (bytes > WalLayout.RECORD_BYTES_MAX - WalLayout.RECORD_ALIGNMENT) {
        throw new GpdbException(
            ErrorCode.LIMIT_EXCEEDED,
            "log record too long: bytes=" + bytes + ", limit=" + WalLayout.RECORD_BYTES_MAX);
      }
      NativeChunk larger = pool.takeAnyway(bytes);
      MemorySegment.copy(chunk.segment(), 0, larger.segment(), 0, used);
      pool.give(chunk);
      chunk = larger;
    }
  }

  /** Ends the record: its length and the checksum of its body are known. */
  public void end() {
    long bytes = WalLayout.align(used, WalLayout.RECORD_ALIGNMENT);
    ensure(bytes);
    MemorySegment s = chunk.segment();
    if (bytes > used) {
      s.asSlice(used, bytes - used).fill((byte) 0);
      used = bytes;
    }
    s.set(JAVA_INT, WalLayout.RECORD_BYTES_AT, Math.toIntExact(bytes));
    s.set(JAVA_INT, WalLayout.RECORD_SECTIONS_AT, sections);
    long body = WalLayout.RECORD_HEADER_BYTES;
    s.set(JAVA_INT, WalLayout.RECORD_BODY_CRC_AT, Crc.of(s, body, bytes - body));
  }

  /** Gives the record its place in the log. */
  void seal(long position, long batchStart, long sequence, int epoch) {
    MemorySegment s = chunk.segment();
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
    return chunk.segment().asSlice(0, used);
  }

  public void free() {
    pool.give(chunk);
  }
}
