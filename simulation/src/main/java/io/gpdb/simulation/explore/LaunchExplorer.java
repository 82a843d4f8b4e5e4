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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

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

  /** A block that is under way, and how many of its warps are not done and can go on. */
  private static final class Resident {
    private final ReferenceBlock block;
    private final ExploredWarp[] warps;
    private int live;
    private int ready;

    Resident(ReferenceBlock block, ExploredWarp[] warps) {
      this.block = block;
      this.warps = warps;
      count();
    }

    boolean isDone() {
      return live == 0;
    }

    private void count() {
      live = 0;
      ready = 0;
      for (ExploredWarp warp : warps) {
        live += warp.isDone() ? 0 : 1;
        ready += warp.isReady() ? 1 : 0;
      }
    }

    /** The ready warp of that number goes on by one operation. */
    void step(int number) {
      ExploredWarp warp = ready(number);
      warp.step();
      live -= warp.isDone() ? 1 : 0;
      ready -= warp.isReady() ? 0 : 1;
    }

    private ExploredWarp ready(int number) {
      int left = number;
      for (ExploredWarp warp : warps) {
        if (warp.isReady() && left-- == 0) {
          return warp;
        }
      }
      throw new IllegalArgumentException("no ready warp " + number);
    }

    /** All warps that are not done wait for the same operation of the block: it is done. */
    void together(int lanes) {
      List<ExploredWarp> waiting = Arrays.stream(warps).filter(warp -> !warp.isDone()).toList();
      Op op = waiting.getFirst().awaited();
      boolean[] mask = new boolean[lanes];
      waiting.forEach(warp -> warp.join(mask));
      block.only(0, lanes);
      if (op != null) {
        block.runOne(op, mask);
      }
      waiting.forEach(ExploredWarp::release);
      count();
    }
  }

  /** One launch. */
  private static final class Run {
    private final Kernel kernel;
    private final EffectListener listener;
    private final Random random;
    private final BlockTraps traps = new BlockTraps();
    private final ArrayDeque<Block> waiting = new ArrayDeque<>();
    private final List<Resident> residents = new ArrayList<>();
    private final List<ExploredPersists> all = new ArrayList<>();

    /** A block of a group that was not begun yet. */
    private record Block(int number, LaunchGroup group) {}

    Run(Kernel kernel, List<LaunchGroup> groups, EffectListener listener, Random random) {
      this.kernel = kernel;
      for (LaunchGroup group : groups) {
        for (int number = 0; number < group.blocks(); number++) {
          waiting.add(new Block(number, group));
        }
      }
      this.listener = listener;
      this.random = random;
    }

    void run() {
      while (!waiting.isEmpty() || !residents.isEmpty()) {
        while (!waiting.isEmpty() && residents.size() < RESIDENT_BLOCKS_MAX) {
          residents.add(resident(waiting.remove()));
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
      if (resident.ready > 0) {
        resident.step(random.nextInt(resident.ready));
      } else {
        resident.together(kernel.blockSize());
      }
    }
  }
}
