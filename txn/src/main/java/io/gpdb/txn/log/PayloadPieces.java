package io.gpdb.txn.log;

import io.gpdb.storage.error.GpdbException;
import java.lang.foreign.MemorySegment;

/** A section's payload from its beginning on, in pieces that are padded to multiples of 8. */
final class PayloadPieces {
  private final SectionHeader header;
  private final MemorySegment payload;
  private long at;

  PayloadPieces(SectionHeader header, MemorySegment payload) {
    this.header = header;
    this.payload = payload;
  }

  static long padded(long bytes) {
    return WalLayout.align(bytes, WalLayout.SECTION_ALIGNMENT);
  }

  /** The next piece, to be read; throws where it would go beyond the payload. */
  MemorySegment take(long bytes) {
    long padded = padded(bytes);
    header.require(at + padded, payload);
    MemorySegment piece = payload.asSlice(at, bytes);
    at += padded;
    return piece;
  }

  /** The next piece, to be written; its padding is zero. */
  MemorySegment put(long bytes) {
    long from = at;
    MemorySegment piece = take(bytes);
    if (at > from + bytes) {
      payload.asSlice(from + bytes, at - from - bytes).fill((byte) 0);
    }
    return piece;
  }

  GpdbException damaged(String what) {
    return header.damaged(what);
  }
}
