package io.gpdb.simulation.explore;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.emulated.common.BoundSegments;
import io.gpdb.exec.emulated.reference.ReferenceBlock;
import io.gpdb.exec.emulated.reference.ReferenceMemory;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The explore executor: runs a launch on the launching thread, one operation of one warp at a time.
 * Which warp of which block goes on next is drawn from a seed; the lanes of a warp go in step.
 * Every persistent effect is reported before it happens.
 */
public final class LaunchExplorer {
  /** Blocks that are under way at the same time, as on the processors of a GPU. */
  private static final int RESIDENT_BLOCKS_MAX = 8;

  private final long seed;
  private final EffectListener listener;
  private final AtomicLong launches = new AtomicLong();

  public LaunchExplorer(long seed, EffectListener listener) {
    this.seed = seed;
    this.listener = listener;
  }

  public void launch(Kernel kernel, List<LaunchGroup> groups) {
    Random random = new Random(seed * 1_000_003 + launches.incrementAndGet());
    new Run(kernel, groups, listener, random).run();
  }

  /** A block that is under way; its warps are gone through before each operation of one. */
  private static final class Resident {
    private final ReferenceBlock block;
    private final ExploredWarp[] warps;

    Resident(ReferenceBlock block, ExploredWarp[] warps) {
      this.block = block;
      this.warps = warps;
    }

    boolean isDone() {
      for (ExploredWarp warp : warps) {
        if (!warp.isDone()) {
          return false;
        }
      }
      return true;
    }
  }

  /** One launch. */
  private static final class Run {
    private final Kernel kernel;
    private final Iterator<Block> waiting;
    private final EffectListener listener;
    private final Random random;
    private final BlockTraps traps = new BlockTraps();
    private final List<Resident> residents = new ArrayList<>();
    private final List<ExploredPersists> all = new ArrayList<>();

    /** A block of a group that was not begun yet. */
    private record Block(int number, LaunchGroup group) {}

    Run(Kernel kernel, List<LaunchGroup> groups, EffectListener listener, Random random) {
      this.kernel = kernel;
      this.waiting =
          groups.stream()
              .flatMap(g -> IntStream.range(0, g.blocks()).mapToObj(n -> new Block(n, g)))
              .iterator();
      this.listener = listener;
      this.random = random;
    }

    void run() {
      while (waiting.hasNext() || !residents.isEmpty()) {
        while (waiting.hasNext() && residents.size() < RESIDENT_BLOCKS_MAX) {
          residents.add(resident(waiting.next()));
        }
        Resident chosen = residents.get(random.nextInt(residents.size()));
        step(chosen);
        if (chosen.isDone()) {
          residents.remove(chosen);
        }
      }
      if (all.stream().anyMatch(ExploredPersists::isKernelScope)) {
        Set<PersistTarget> flushed = new LinkedHashSet<>();
        all.forEach(persists -> persists.flushAll(flushed));
        BlockPersists.drainOnce(flushed);
      }
      traps.throwIfAny(kernel.name());
    }

    private Resident resident(Block next) {
      Arguments arguments = next.group.arguments();
      MemorySegment[] buffers = BoundSegments.of(arguments);
      ExploredPersists persists =
          new ExploredPersists(
              kernel, next.number, arguments.persistTargets(), buffers, listener, random);
      all.add(persists);
      ReferenceMemory memory =
          new ReferenceMemory(kernel, next.number, buffers, traps, persists, null);
      ReferenceBlock block =
          new ReferenceBlock(
              kernel, next.number, next.group.blocks(), arguments.boundScalars(), memory);
      ExploredWarp[] warps = new ExploredWarp[Math.ceilDiv(kernel.blockSize(), Op.WARP_LANES)];
      for (int warp = 0; warp < warps.length; warp++) {
        int lane = warp * Op.WARP_LANES;
        warps[warp] = new ExploredWarp(block, kernel.body(), lane, kernel.blockSize());
      }
      return new Resident(block, warps);
    }

    /** One warp goes on; where all of them wait, the block's operation is done. */
    private void step(Resident resident) {
      int ready = 0;
      for (ExploredWarp warp : resident.warps) {
        ready += warp.isReady() ? 1 : 0;
      }
      if (ready > 0) {
        ready(resident.warps, random.nextInt(ready)).step();
      } else {
        together(resident);
      }
    }

    private static ExploredWarp ready(ExploredWarp[] warps, int number) {
      int left = number;
      for (ExploredWarp warp : warps) {
        if (warp.isReady() && left-- == 0) {
          return warp;
        }
      }
      throw new IllegalArgumentException("no ready warp " + number);
    }

    private void together(Resident resident) {
      List<ExploredWarp> waiting =
          Arrays.stream(resident.warps).filter(warp -> !warp.isDone()).toList();
      if (waiting.isEmpty()) {
        return;
      }
      Op op = waiting.getFirst().awaited();
      boolean[] mask = new boolean[kernel.blockSize()];
      waiting.forEach(warp -> warp.join(mask));
      resident.block.only(0, kernel.blockSize());
      if (op != null) {
        resident.block.runOne(op, mask);
      }
      waiting.forEach(ExploredWarp::release);
    }
  }
}
