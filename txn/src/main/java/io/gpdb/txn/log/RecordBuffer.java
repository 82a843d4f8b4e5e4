package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.NativeChunks;
import io.gpdb.storage.memory.NativeChunks.NativeChunk;
import java.lang.foreign.MemorySegment;

/**
 * One log record being made: {@link #begin}, sections, {@link #end}; then {@link #seal} once its
 * place is known. Used by one thread at a time.
 */
public final class RecordBuffer {
  private static final int FIRST_BYTES = 4096;

  private final NativeChunks pool;
  private NativeChunk chunk;
  private long used;
  private int sections;
  private long sectionAt;

  public RecordBuffer(NativeChunks pool) {
    this.pool = pool;
    this.chunk = pool.takeAnyway(FIRST_BYTES);
  }

  /** The header is whole when the record is sealed: each byte of it is a field. */
  public void begin(int kind, int flags, long transactionId) {
    used = WalLayout.RECORD_HEADER_BYTES;
    sections = 0;
    sectionAt = -1;
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

  /** Begins a section; its payload follows by {@link #reserve}. */
  public void section(
      SectionKind kind, int flags, int tableId, int tablet, int n, int column, long extra) {
    closeSection();
    MemorySegment s = reserve(WalLayout.SECTION_HEADER_BYTES);
    sectionAt = used - WalLayout.SECTION_HEADER_BYTES;
    s.set(JAVA_SHORT, WalLayout.SECTION_KIND_AT, (short) kind.code());
    s.set(JAVA_SHORT, WalLayout.SECTION_FLAGS_AT, (short) flags);
    s.set(JAVA_INT, WalLayout.SECTION_PAYLOAD_BYTES_AT, 0);
    s.set(JAVA_INT, WalLayout.SECTION_TABLE_AT, tableId);
    s.set(JAVA_INT, WalLayout.SECTION_TABLET_AT, tablet);
    s.set(JAVA_INT, WalLayout.SECTION_N_AT, n);
    s.set(JAVA_INT, WalLayout.SECTION_COLUMN_AT, column);
    s.set(JAVA_LONG, WalLayout.SECTION_EXTRA_AT, extra);
    sections++;
  }

  /** The next {@code bytes} bytes of the record, of undefined content; padding after is zero. */
  public MemorySegment reserve(long bytes) {
    long padded = WalLayout.align(bytes, WalLayout.SECTION_ALIGNMENT);
    ensure(used + padded);
    MemorySegment piece = chunk.segment().asSlice(used, bytes);
    if (padded > bytes) {
      chunk.segment().asSlice(used + bytes, padded - bytes).fill((byte) 0);
    }
    used += padded;
    return piece;
  }

  public void copy(MemorySegment source) {
    reserve(source.byteSize()).copyFrom(source);
  }

  /** Appends whole sections that were made elsewhere. */
  public void copySections(MemorySegment source, int count) {
    closeSection();
    copy(source);
    sections += count;
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

  private void closeSection() {
    if (sectionAt >= 0) {
      long payload = used - sectionAt - WalLayout.SECTION_HEADER_BYTES;
      chunk
          .segment()
          .set(JAVA_INT, sectionAt + WalLayout.SECTION_PAYLOAD_BYTES_AT, Math.toIntExact(payload));
      sectionAt = -1;
    }
  }

  /** Ends the record: its length and the checksum of its body are known. */
  public void end() {
    closeSection();
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
