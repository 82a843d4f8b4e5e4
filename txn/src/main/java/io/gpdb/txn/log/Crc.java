package io.gpdb.txn.log;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.zip.CRC32C;

/** CRC-32C of native memory: where it matches, the bytes are those that were written (A6). */
public final class Crc {
  private static final long PIECE_BYTES = 1 << 30;

  private Crc() {}

  public static int of(MemorySegment segment, long from, long bytes) {
    CRC32C crc = new CRC32C();
    update(crc, segment.asSlice(from, bytes));
    return (int) crc.getValue();
  }

  /** Of the pieces one behind the other, without so many bytes of the first. */
  static int of(List<MemorySegment> pieces, long without) {
    CRC32C crc = new CRC32C();
    long from = without;
    for (MemorySegment piece : pieces) {
      update(crc, piece.asSlice(from));
      from = 0;
    }
    return (int) crc.getValue();
  }

  private static void update(CRC32C crc, MemorySegment segment) {
    for (long at = 0, end = segment.byteSize(); at < end; at += PIECE_BYTES) {
      crc.update(segment.asSlice(at, Math.min(PIECE_BYTES, end - at)).asByteBuffer());
    }
  }
}
