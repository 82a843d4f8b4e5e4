package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Op;

/** Counts the 32-byte sectors and 128-byte lines that a warp touches in one operation. */
final class AccessCount {
  private static final int SECTOR_SHIFT = 5;
  private static final int LINE_SHIFT = 7;

  private long[] sectors = new long[Op.WARP_LANES];
  private int sectorCount;

  /** Counts an operation in which each active lane accesses {@code words} elements. */
  static void count(
      BlockState state, LaneMask mask, int buffer, long[] index, int words, long wordStride) {
    ExecutionCounters counters = state.counters;
    if (counters == null) {
      return;
    }
    AccessCount access = new AccessCount();
    long address = state.buffers[buffer].address();
    int bytes = state.element(buffer).bytes();
    for (int start = mask.lo & -Op.WARP_LANES; start < mask.hi; start += Op.WARP_LANES) {
      access.sectorCount = 0;
      for (int lane = Math.max(start, mask.lo);
          lane < Math.min(start + Op.WARP_LANES, mask.hi);
          lane++) {
        if (mask.on[lane] != 0) {
          for (int w = 0; w < words; w++) {
            access.touch(address + (index[lane] + w * wordStride) * bytes);
          }
        }
      }
      if (access.sectorCount > 0) {
        counters.accessed(1, access.sectorCount, access.lines());
      }
    }
  }

  private void touch(long address) {
    long sector = address >> SECTOR_SHIFT;
    for (int i = sectorCount - 1; i >= 0; i--) {
      if (sectors[i] == sector) {
        return;
      }
    }
    if (sectorCount == sectors.length) {
      sectors = java.util.Arrays.copyOf(sectors, sectorCount * 2);
    }
    sectors[sectorCount++] = sector;
  }

  private int lines() {
    int lines = 0;
    for (int i = 0; i < sectorCount; i++) {
      long line = sectors[i] >> (LINE_SHIFT - SECTOR_SHIFT);
      boolean isNew = true;
      for (int j = 0; j < i && isNew; j++) {
        isNew = sectors[j] >> (LINE_SHIFT - SECTOR_SHIFT) != line;
      }
      lines += isNew ? 1 : 0;
    }
    return lines;
  }
}
