package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ExecutionCounters;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A kernel in the form an executor runs: one block at a time. Blocks run on several threads. */
public interface BlockProgram {
  /** Helpers that may run code together which is neither fresh nor known to be fast. */
  int FEW_HELPERS = 3;

  /**
   * Runs one block.
   *
   * @param buffers the bound segments in the kernel's order
   * @param scalars raw bits in the kernel's order
   * @param traps takes the traps of the block's lanes
   * @param persists takes stores to PERSISTENT buffers and persist barriers; null when the kernel
   *     has no {@link io.gpdb.exec.ir.Op.Persist}
   * @param counters null when nothing is counted
   */
  void runBlock(
      int block,
      int gridSize,
      MemorySegment[] buffers,
      long[] scalars,
      BlockTraps traps,
      @Nullable BlockPersists persists,
      @Nullable ExecutionCounters counters);

  /**
   * Runs the blocks from {@code first} to before {@code end}, which are few: the thread takes its
   * lane arrays once for all of them.
   */
  default void runBlocks(
      int first,
      int end,
      int gridSize,
      MemorySegment[] buffers,
      long[] scalars,
      BlockTraps traps,
      @Nullable BlockPersists persists,
      @Nullable ExecutionCounters counters) {
    for (int block = first; block < end; block++) {
      runBlock(block, gridSize, buffers, scalars, traps, persists, counters);
    }
  }

  /** Whether the JIT compiler has compiled what blocks run, so that later ones take no less. */
  default boolean isWarm() {
    return true;
  }

  /**
   * By how many helpers a thread that runs blocks gains at the moment. Code that the JIT compiler
   * has not compiled well counts what it does in memory that all threads share, so that one thread
   * is faster than many, and the compiler needs the processors that they would take.
   */
  default int helpersMax() {
    return isWarm() ? Integer.MAX_VALUE : 0;
  }

  /** About the bytes that one thread's lane arrays take, which are kept from block to block. */
  default long laneBytes() {
    return 0;
  }

  /** Lets go of the lane arrays that no thread uses at the moment. */
  default void forgetLanes() {}
}
