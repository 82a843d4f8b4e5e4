package io.gpdb.exec.emulated;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.storage.error.StopSignal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One launch of a kernel. Every thread that calls {@link #work} claims chunks of blocks from all
 * groups together until none is left; the launching thread calls it too and then awaits the blocks
 * that others claimed. A thread that comes late finds nothing to claim. All of them work under the
 * launching thread's stop signal, which is asked before every few blocks and in turns of loops.
 */
final class Launch implements ClaimedWork {
  private static final @Nullable BlockPersists[] NO_PERSISTS = {};

  /** By then the JIT compiler has mostly compiled what a kernel's blocks run. */
  private static final long ALONE_NANOS_MAX = 25_000_000;

  /** So long after its beginning a launch takes all helpers, whatever its blocks take. */
  private static final long FEW_NANOS_MAX = 2 * ALONE_NANOS_MAX;

  /** So long a launch that seems small is tried by one thread. */
  private static final long TRIED_NANOS = 40_000;

  /** Where less is left to do, others would come when it is done. */
  private static final long HELPED_NANOS_MIN = 100_000;

  /** Blocks that a thread runs before it asks again whether it is to stop. */
  private static final int UNASKED_BLOCKS_MAX = 16;

  /** Into how many claims for each thread the blocks that are left are divided. */
  private static final int PARTS_LEFT = 4;

  private final BlockProgram program;
  private final int blocks;
  private final int chunk;
  private final int threads;
  private final LaunchPart[] parts;
  private final boolean ownerless;
  private final @Nullable ExecutionCounters blockCounters;
  private final ExecutionCounters counters;
  private final StopSignal stop = StopSignal.current();
  private final AtomicInteger next = new AtomicInteger();
  private final long startNanos = System.nanoTime();

  private final SharedEnd end;

  // Under this object's monitor
  private final BlockTraps traps = new BlockTraps();
  private final @Nullable BlockPersists @Nullable [] persists;

  Launch(
      Kernel kernel,
      ProgramChoice choice,
      List<LaunchGroup> groups,
      int threads,
      boolean persisting,
      boolean counting,
      ExecutionCounters counters) {
    int before = 0;
    boolean overlapping = false;
    boolean allOwnerless = true;
    parts = new LaunchPart[groups.size()];
    for (int i = 0; i < parts.length; i++) {
      LaunchGroup group = groups.get(i);
      parts[i] = new LaunchPart(before, group.blocks(), group.arguments());
      overlapping |= parts[i].overlaps(kernel);
      allOwnerless &= parts[i].isOwnerless();
      before += group.blocks();
    }
    this.blocks = before;
    this.end = new SharedEnd(blocks);
    this.threads = threads;
    this.chunk = Math.max(1, Math.min(64, blocks / (threads * 8)));
    this.program =
        counting
            ? choice.simple()
            : choice.program(LaunchGroup.rowsOf(groups), allOwnerless && !overlapping);
    this.ownerless = allOwnerless;
    this.blockCounters = counting ? counters : null;
    this.counters = counters;
    this.persists = persisting ? new @Nullable BlockPersists[parts.length] : null;
  }

  BlockProgram program() {
    return program;
  }

  /** Whether threads other than the launching one may use the buffers. */
  boolean isOwnerless() {
    return ownerless;
  }

  /** Chunks of blocks that no thread has claimed yet. */
  @Override
  public int unclaimed() {
    return Math.max(0, (blocks - next.get() + chunk - 1) / chunk);
  }

  @Override
  public int helpersMax() {
    return nanos() > FEW_NANOS_MAX
        ? Integer.MAX_VALUE
        : Math.max(program.helpersMax(), BlockProgram.FEW_HELPERS);
  }

  private long nanos() {
    return System.nanoTime() - startNanos;
  }

  /**
   * Whether what is left is worth the help of other threads, to judge by the first blocks, which
   * this thread does.
   */
  boolean isLong() {
    if (blocks < 2) {
      return false;
    }
    work(1, () -> nanos() < TRIED_NANOS);
    int begun = Math.min(blocks, next.get());
    return begun == 0 || (blocks - begun) * (nanos() / begun) > HELPED_NANOS_MIN;
  }

  /** Does blocks on this thread alone until others can help, or for long. */
  void workWhileCold() {
    work(1, () -> program.helpersMax() == 0 && nanos() < ALONE_NANOS_MAX);
  }

  @Override
  public void work() {
    work(chunk, () -> true);
  }

  private void work(int most, BooleanSupplier goesOn) {
    BlockTraps ownTraps = new BlockTraps();
    @Nullable BlockPersists[] ownPersists =
        persists == null ? NO_PERSISTS : new @Nullable BlockPersists[parts.length];
    int done = 0;
    int first;
    int claimed = most;
    while (goesOn.getAsBoolean() && (first = next.getAndAdd(claimed)) < blocks && first >= 0) {
      int endBlock = Math.min(first + claimed, blocks);
      runBlocks(first, endBlock, ownTraps, ownPersists);
      done += endBlock - first;
      claimed = claimed(most, blocks - next.get(), threads);
    }
    if (done > 0) {
      merge(ownTraps, ownPersists);
      end.done(done);
    }
  }

  /**
   * How many blocks a thread claims: fewer towards the end, where others would wait for it (guided
   * self-scheduling, Polychronopoulos and Kuck, IEEE Transactions on Computers 1987).
   */
  static int claimed(int most, int left, int threads) {
    return Math.max(1, Math.min(most, left / (threads * PARTS_LEFT)));
  }

  private void runBlocks(
      int first, int endBlock, BlockTraps to, @Nullable BlockPersists[] ownPersists) {
    try (StopSignal.Scope _ = stop.bind()) {
      int p = partOf(first);
      int block = first;
      while (block < endBlock && !end.hasFailed()) {
        stop.check();
        while (block >= parts[p].endBlock()) {
          p++;
        }
        LaunchPart part = parts[p];
        int upTo = Math.min(Math.min(endBlock, part.endBlock()), block + UNASKED_BLOCKS_MAX);
        program.runBlocks(
            block - part.firstBlock,
            upTo - part.firstBlock,
            part.blocks,
            part.buffers,
            part.scalars,
            to,
            persists == null ? null : stored(ownPersists, p),
            blockCounters);
        block = upTo;
      }
    } catch (RuntimeException | Error e) {
      end.fail(e);
    }
  }

  /** The part that has the block: the last that begins at or before it and is not empty. */
  private int partOf(int block) {
    int low = 0;
    int high = parts.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (parts[middle].endBlock() > block) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private BlockPersists stored(@Nullable BlockPersists[] ownPersists, int part) {
    BlockPersists known = ownPersists[part];
    if (known == null) {
      known = parts[part].newPersists(counters);
      ownPersists[part] = known;
    }
    return known;
  }

  private synchronized void merge(BlockTraps other, @Nullable BlockPersists[] ownPersists) {
    traps.merge(other);
    for (int p = 0; persists != null && p < ownPersists.length; p++) {
      BlockPersists own = ownPersists[p];
      BlockPersists merged = persists[p];
      if (merged == null) {
        persists[p] = own;
      } else if (own != null) {
        merged.merge(own);
      }
    }
  }

  /** Waits for blocks that other threads run; then the launch's traps and failures. */
  void await(String kernel) {
    end.await();
    if (persists != null) {
      BlockPersists.endLaunch(persists);
    }
    traps.throwIfAny(kernel);
  }
}
