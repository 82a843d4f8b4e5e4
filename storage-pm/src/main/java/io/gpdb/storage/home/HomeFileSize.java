package io.gpdb.storage.home;

import io.gpdb.storage.memory.MemoryPieces;

/** By how much a home file grows and shrinks at once. */
final class HomeFileSize {
  private static final long SMALL_STEP_BYTES = 64 << 10;
  private static final long LARGE_STEP_BYTES = 1 << 20;
  private static final long STEP_BYTES_MAX = 64 << 20;

  private HomeFileSize() {}

  /** How much a file of that size grows at once. */
  static long step(long size) {
    return Math.clamp(size / 8, SMALL_STEP_BYTES, STEP_BYTES_MAX);
  }

  static long roundUp(long bytes) {
    return MemoryPieces.roundUp(
        bytes, bytes <= LARGE_STEP_BYTES ? SMALL_STEP_BYTES : LARGE_STEP_BYTES);
  }

  /** The size of a file that has this one, when its last extent ends there. */
  static long shrunk(long size, long end) {
    long step = step(end);
    return size - end > 2 * step ? Math.min(size, roundUp(end + step)) : size;
  }
}
