package io.gpdb.txn.log;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** CRC-32C of native memory: where it matches, the bytes are those that were written (A6). */
public final class Crc {
  private static final long PIECE_BYTES = 1 << 30;

  private Crc() {}

  public static int of(MemorySegment segment, long from, long bytes) {
    CRC32C crc = new CRC32C();
    for (long at = from, end = from + bytes; at < end; at += PIECE_BYTES) {
      crc.update(segment.asSlice(at, Math.min(PIECE_BYTES, end - at)).asByteBuffer());
    }
    return (int) crc.getValue();
  }
}
