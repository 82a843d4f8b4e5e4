package io.gpdb.storage.memory;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** CRC-32C (Castagnoli) of ranges of memory, as every persistent structure carries it. */
public final class Checksum {
  private static final long STEP_BYTES = 1L << 30;

  private Checksum() {}

  public static int of(MemorySegment range) {
    CRC32C crc = new CRC32C();
    for (long at = 0; at < range.byteSize(); at += STEP_BYTES) {
      crc.update(range.asSlice(at, Math.min(STEP_BYTES, range.byteSize() - at)).asByteBuffer());
    }
    return (int) crc.getValue();
  }

  /** Of a range of a memory, read piece by piece into {@code scratch}. */
  public static int of(PersistentMemory memory, long offset, long bytes, byte[] scratch) {
    CRC32C crc = new CRC32C();
    MemorySegment target = MemorySegment.ofArray(scratch);
    for (long done = 0; done < bytes; done += scratch.length) {
      int n = (int) Math.min(scratch.length, bytes - done);
      memory.load(offset + done, target.asSlice(0, n));
      crc.update(scratch, 0, n);
    }
    return (int) crc.getValue();
  }

  public static int of(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }
}
