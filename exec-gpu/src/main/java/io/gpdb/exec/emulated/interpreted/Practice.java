package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.memory.SlabSource;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Runs {@link PracticeKernels} over values of no table, so that the JIT compiler has compiled the
 * loops of most kernels before a statement waits for them, once a process and on a thread of its
 * own. Pays where that thread and the compiler find processors without work.
 */
public final class Practice {
  /** The one of the process, whose loops all devices share. */
  public static final Practice OF_PROCESS = new Practice();

  static final int PROCESSORS_MIN = 8;

  /**
   * A kernel that is warm sooner has steps that HotSpot's second compiler has not been asked for.
   */
  private static final int RUNS_MIN = 4;

  private static final int BLOCKS = PracticeKernels.ROWS / PracticeKernels.BLOCK_SIZE;

  private final AtomicBoolean begun = new AtomicBoolean();

  Practice() {}

  /**
   * Begins in the background where it pays and was not begun; returns at once.
   *
   * @param processors that the device may use
   * @return the thread that practises, null where none begins
   */
  public @Nullable Thread begin(int processors, SlabSource slabs) {
    if (processors < PROCESSORS_MIN || begun.get() || !begun.compareAndSet(false, true)) {
      return null;
    }
    return Thread.ofPlatform().daemon().name("gpdb-practice").start(() -> run(slabs));
  }

  private static void run(SlabSource slabs) {
    try {
      SlabSource.Slab slab = slabs.take(PracticeKernels.bytes());
      try {
        MemorySegment[] buffers = PracticeKernels.buffers(slab.bytes());
        PracticeKernels.all().forEach(kernel -> run(kernel, buffers));
      } finally {
        slab.giveBack().run();
      }
    } catch (OutOfMemoryError _) {
      // Statements run the loops as they are.
    }
  }

  private static void run(Kernel kernel, MemorySegment[] buffers) {
    InterpretedExecutor executor = new InterpretedExecutor(kernel);
    long[] scalars = {PracticeKernels.ROWS, PracticeKernels.BOUND};
    for (int i = 0; i < RUNS_MIN || !executor.isWarm(); i++) {
      executor.runBlocks(0, BLOCKS, BLOCKS, buffers, scalars, new BlockTraps(), null, null);
    }
  }
}
