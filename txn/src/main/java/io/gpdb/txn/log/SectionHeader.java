package io.gpdb.txn.log;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;

/**
 * The fields of a section's header as they are in the file, see {@link WalLayout}. Some mean
 * something else in each kind; only the kinds' own types know what.
 */
record SectionHeader(
    SectionKind kind, int flags, int tableId, int tablet, int n, int column, long extra) {
  /** In place of the tablet or column in a section that has none. */
  static final int NONE = -1;

  /** Of a section that is about a table as a whole. */
  static SectionHeader ofTable(SectionKind kind, int tableId, int n, long extra) {
    return new SectionHeader(kind, 0, tableId, NONE, n, NONE, extra);
  }

  static SectionHeader read(MemorySegment memory, long at, long position) {
    return new SectionHeader(
        kind(memory, at, position),
        memory.get(JAVA_SHORT, at + WalLayout.SECTION_FLAGS_AT),
        memory.get(JAVA_INT, at + WalLayout.SECTION_TABLE_AT),
        memory.get(JAVA_INT, at + WalLayout.SECTION_TABLET_AT),
        memory.get(JAVA_INT, at + WalLayout.SECTION_N_AT),
        memory.get(JAVA_INT, at + WalLayout.SECTION_COLUMN_AT),
        memory.get(JAVA_LONG, at + WalLayout.SECTION_EXTRA_AT));
  }

  static SectionKind kind(MemorySegment memory, long at, long position) {
    return SectionKind.of(memory.get(JAVA_SHORT, at + WalLayout.SECTION_KIND_AT), position);
  }

  static long payloadBytes(MemorySegment memory, long at) {
    return Integer.toUnsignedLong(memory.get(JAVA_INT, at + WalLayout.SECTION_PAYLOAD_BYTES_AT));
  }

  /**
   * Begins a section with a payload of that length.
   *
   * @return the payload, without its padding, which is zero; its bytes are undefined
   */
  MemorySegment begin(SectionSink sink, long payloadBytes) {
    long padded = WalLayout.align(payloadBytes, WalLayout.SECTION_ALIGNMENT);
    MemorySegment s = sink.section(WalLayout.SECTION_HEADER_BYTES + padded);
    s.set(JAVA_SHORT, WalLayout.SECTION_KIND_AT, (short) kind.code());
    s.set(JAVA_SHORT, WalLayout.SECTION_FLAGS_AT, (short) flags);
    s.set(JAVA_INT, WalLayout.SECTION_PAYLOAD_BYTES_AT, Math.toIntExact(padded));
    s.set(JAVA_INT, WalLayout.SECTION_TABLE_AT, tableId);
    s.set(JAVA_INT, WalLayout.SECTION_TABLET_AT, tablet);
    s.set(JAVA_INT, WalLayout.SECTION_N_AT, n);
    s.set(JAVA_INT, WalLayout.SECTION_COLUMN_AT, column);
    s.set(JAVA_LONG, WalLayout.SECTION_EXTRA_AT, extra);
    if (padded > payloadBytes) {
      s.asSlice(WalLayout.SECTION_HEADER_BYTES + payloadBytes).fill((byte) 0);
    }
    return s.asSlice(WalLayout.SECTION_HEADER_BYTES, payloadBytes);
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Throws where a payload is shorter than its section says. */
  void require(long bytes, MemorySegment payload) {
    if (bytes > payload.byteSize()) {
      throw damaged("%d bytes of %d that its payload has".formatted(bytes, payload.byteSize()));
    }
  }

  GpdbException damaged(String what) {
    return new GpdbException(
        ErrorCode.CORRUPTION, "log section %s is damaged: %s, %s".formatted(kind, what, this));
  }
}
