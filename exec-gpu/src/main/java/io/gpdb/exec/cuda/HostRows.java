package io.gpdb.exec.cuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * How many rows the host reads while a GPU answers: a statement asks it some times and waits for
 * each answer, however few rows there are.
 */
final class HostRows {
  /** As EXPLAIN ANALYZE counts them for small statements of most kinds. */
  private static final int WAITS_OF_A_STATEMENT = 6;

  /** Of one thread, with a few columns of each row. */
  private static final int NANOS_OF_A_ROW = 2;

  /** The first are slower: the JVM interprets the calls. */
  private static final int ROUND_TRIPS = 20;

  private HostRows() {}

  static long measured(LaunchSlots slots, DeviceBlocks blocks) {
    long size = DeviceBlocks.blockBytes(Long.BYTES);
    long block = blocks.take(size);
    try {
      MemorySegment answer = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < ROUND_TRIPS; i++) {
        least = Math.min(least, nanos(slots, answer, block));
      }
      return least * WAITS_OF_A_STATEMENT / NANOS_OF_A_ROW;
    } finally {
      blocks.give(block, size);
    }
  }

  private static long nanos(LaunchSlots slots, MemorySegment answer, long from) {
    long start = System.nanoTime();
    slots.with(
        slot -> {
          slot.copyToHost(answer, from);
          return 0;
        });
    return System.nanoTime() - start;
  }
}
