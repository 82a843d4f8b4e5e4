package io.gpdb.simulation.medium;

import io.gpdb.storage.memory.PersistCounters;

/** How finely a crash tears what was stored and not drained. */
public enum CrashUnit {
  /**
   * Byte-addressable media: lines of 64 bytes are flushed, each word of 8 bytes survives or not.
   */
  LINE(PersistCounters.LINE_BYTES, 8),

  /** Files: each sector of 512 bytes survives or not, in any order between two syncs. */
  SECTOR(512, 512),

  /** Files on media of larger blocks: each page of 4096 bytes survives or not. */
  PAGE(CrashPage.BYTES, CrashPage.BYTES);

  private final int flushedBytes;
  private final int tornBytes;

  CrashUnit(int flushedBytes, int tornBytes) {
    this.flushedBytes = flushedBytes;
    this.tornBytes = tornBytes;
  }

  /** What becomes durable together when it was flushed. */
  int flushedBytes() {
    return flushedBytes;
  }

  /** What survives whole or not at all. */
  int tornBytes() {
    return tornBytes;
  }
}
