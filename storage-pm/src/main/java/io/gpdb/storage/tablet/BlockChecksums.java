package io.gpdb.storage.tablet;

import io.gpdb.storage.memory.Checksum;
import java.lang.foreign.MemorySegment;

/**
 * One CRC-32C for each block of {@link #ROWS} values, in an array indexed by block: a kernel's
 * block, as lazy persistency has it (Yudha et al. 2020). It shows whether values arrived.
 */
final class BlockChecksums {
  /** Rows of a block; the last one may be shorter. */
  static final int ROWS = 1024;

  private BlockChecksums() {}

  static int blocks(int rows) {
    return (rows + ROWS - 1) / ROWS;
  }

  /** The checksums of n values of {@code width} bytes. */
  static int[] of(MemorySegment values, int n, int width) {
    int[] checksums = new int[blocks(n)];
    for (int b = 0; b < checksums.length; b++) {
      long from = (long) b * ROWS * width;
      long to = Math.min((long) n * width, from + (long) ROWS * width);
      checksums[b] = Checksum.of(values.asSlice(from, to - from));
    }
    return checksums;
  }
}
