package io.gpdb.exec.emulated;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.common.EmulatedOptions;
import io.gpdb.exec.emulated.compiled.KeptLanes;
import io.gpdb.exec.emulated.explore.LaunchExplorer;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelLimits;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Ops;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kernel loaded on the emulated device. */
final class EmulatedKernel implements LoadedKernel {
  private static final int WARP_LANES = 32;

  private final Kernel kernel;
  private final ProgramChoice choice;
  private final LaunchPool pool;
  private final ExecutionCounters counters;
  private final EmulatedOptions options;
  private final @Nullable LaunchExplorer explorer;
  private final KeptLanes kept;
  private final Set<PersistScope> persists = EnumSet.noneOf(PersistScope.class);

  EmulatedKernel(
      Kernel kernel,
      ProgramChoice choice,
      LaunchPool pool,
      ExecutionCounters counters,
      EmulatedOptions options,
      @Nullable LaunchExplorer explorer,
      KeptLanes kept) {
    this.kernel = kernel;
    this.choice = choice;
    this.pool = pool;
    this.counters = counters;
    this.options = options;
    this.explorer = explorer;
    this.kept = kept;
    Ops.forEach(
        kernel.body(),
        op -> {
          if (op instanceof Op.Persist persist) {
            persists.add(persist.scope());
          }
        });
  }

  @Override
  public Kernel kernel() {
    return kernel;
  }

  @Override
  public void launch(List<LaunchGroup> groups) {
    int blocks = blocksOf(groups);
    long warps = blocks * (long) ((kernel.blockSize() + WARP_LANES - 1) / WARP_LANES);
    boolean apart = EmulatedDevice.COUNTED.isBound();
    ExecutionCounters figures = apart ? EmulatedDevice.COUNTED.get() : counters;
    boolean counting = apart || options.counting();
    if (explorer != null) {
      counters.launched(blocks, warps);
      explorer.launch(kernel, groups);
      return;
    }
    Launch launch =
        new Launch(
            kernel, choice, groups, options.workers(), !persists.isEmpty(), counting, figures);
    counters.launched(blocks, warps);
    if (apart) {
      figures.launched(blocks, warps);
    }
    if (persists.contains(PersistScope.KERNEL) && counting) {
      figures.persisted(PersistScope.KERNEL, 1);
    }
    try {
      pool.run(launch, isHelped(groups.size(), blocks), kernel.name());
    } finally {
      kept.used(launch.program());
    }
  }

  /**
   * Whether helper threads are worth waking. Groups are often a few rows each, so that blocks say
   * little about the work: waking, and waiting for, a helper costs more than the blocks do.
   */
  private boolean isHelped(int groups, int blocks) {
    return groups > 1
        ? (long) blocks * kernel.blockSize() > EmulatedDevice.GROUPED_LANES_ALONE_MAX
        : blocks > EmulatedDevice.BLOCKS_ALONE_MAX;
  }

  private int blocksOf(List<LaunchGroup> groups) {
    long blocks = 0;
    for (LaunchGroup group : groups) {
      if (!isThis(group.arguments().kernel())) {
        throw new IllegalArgumentException(
            "kernel " + kernel.name() + ": arguments of " + group.arguments().kernel().name());
      }
      requireBlocks(group.blocks());
      blocks += group.blocks();
    }
    requireBlocks(blocks);
    return (int) blocks;
  }

  private void requireBlocks(long blocks) {
    long lanes = blocks * kernel.blockSize();
    if (blocks < 0 || lanes > KernelLimits.GRID_LANES_MAX) {
      throw new IllegalArgumentException(
          "kernel %s: blocks=%d, lanes=%d, limit=%d"
              .formatted(kernel.name(), blocks, lanes, KernelLimits.GRID_LANES_MAX));
    }
  }

  @SuppressWarnings("ReferenceEquality") // the usual case; comparing whole kernels is slow
  private boolean isThis(Kernel other) {
    return other == kernel || other.equals(kernel);
  }
}
