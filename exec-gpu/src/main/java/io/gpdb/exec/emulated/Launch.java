package io.gpdb.exec.emulated;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One launch of a kernel. Every thread that calls {@link #work} claims chunks of blocks until none
 * is left; the launching thread calls it too and then awaits the blocks that others claimed. A
 * thread that comes late finds nothing to claim.
 */
final class Launch {
  private final BlockProgram program;
  private final int blocks;
  private final int chunk;
  private final MemorySegment[] buffers;
  private final long[] scalars;
  private final Arguments arguments;
  private final @Nullable ExecutionCounters blockCounters;
  private final ExecutionCounters counters;
  private final AtomicInteger next = new AtomicInteger();

  // Under this object's monitor
  private int blocksDone;
  private final BlockTraps traps = new BlockTraps();
  private final @Nullable BlockPersists persists;
  private @Nullable Throwable failure;
  private volatile boolean failed;

  Launch(
      Kernel kernel,
      ProgramChoice choice,
      int blocks,
      int threads,
      Arguments arguments,
      boolean persisting,
      boolean counting,
      ExecutionCounters counters) {
    this.blocks = blocks;
    this.chunk = Math.max(1, Math.min(64, blocks / (threads * 8)));
    this.buffers = arguments.boundBuffers();
    this.scalars = arguments.boundScalars();
    this.program = choice.program((long) blocks * kernel.blockSize(), overlap(kernel, buffers));
    this.arguments = arguments;
    this.blockCounters = counting ? counters : null;
    this.counters = counters;
    this.persists = persisting ? newPersists() : null;
  }

  /** Whether a buffer that the kernel may write shares bytes with another one. */
  private static boolean overlap(Kernel kernel, MemorySegment[] buffers) {
    for (int i = 0; i < buffers.length; i++) {
      if (kernel.buffers().get(i).access() == Kernel.Access.READ_WRITE) {
        for (int j = 0; j < buffers.length; j++) {
          if (i != j && overlap(buffers[i], buffers[j])) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean overlap(MemorySegment a, MemorySegment b) {
    return a.address() < b.address() + b.byteSize() && b.address() < a.address() + a.byteSize();
  }

  private BlockPersists newPersists() {
    return new BlockPersists(buffers, arguments.persistTargets(), counters);
  }

  /** Whether threads other than the launching one may use the buffers. */
  boolean mayShare(Thread other) {
    for (MemorySegment buffer : buffers) {
      if (!buffer.isAccessibleBy(other)) {
        return false;
      }
    }
    return true;
  }

  /** Chunks that no thread has claimed yet. */
  int unclaimedChunks() {
    return Math.max(0, (blocks - next.get() + chunk - 1) / chunk);
  }

  /** Runs blocks until none is left to claim. */
  void work() {
    BlockTraps ownTraps = new BlockTraps();
    BlockPersists ownPersists = null;
    int done = 0;
    int first;
    while ((first = next.getAndAdd(chunk)) < blocks && first >= 0) {
      int end = Math.min(first + chunk, blocks);
      if (persists != null && ownPersists == null) {
        ownPersists = newPersists();
      }
      runBlocks(first, end, ownTraps, ownPersists);
      done += end - first;
    }
    if (done > 0) {
      finish(done, ownTraps, ownPersists);
    }
  }

  private void runBlocks(int first, int end, BlockTraps to, @Nullable BlockPersists stored) {
    try {
      for (int block = first; block < end && !failed; block++) {
        program.runBlock(block, blocks, buffers, scalars, to, stored, blockCounters);
      }
    } catch (RuntimeException | Error e) {
      fail(e);
    }
  }

  private synchronized void fail(Throwable e) {
    failed = true;
    failure = failure == null ? e : failure;
  }

  private synchronized void finish(int done, BlockTraps other, @Nullable BlockPersists stored) {
    traps.merge(other);
    if (persists != null && stored != null) {
      persists.merge(stored);
    }
    blocksDone += done;
    if (blocksDone == blocks) {
      notifyAll();
    }
  }

  /** Waits for blocks that other threads run; then the launch's traps and failures. */
  void await(String kernel) {
    synchronized (this) {
      boolean interrupted = false;
      while (blocksDone < blocks) {
        try {
          wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      switch (failure) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case null, default -> {}
      }
    }
    if (persists != null) {
      persists.endLaunch();
    }
    traps.throwIfAny(kernel);
  }
}
