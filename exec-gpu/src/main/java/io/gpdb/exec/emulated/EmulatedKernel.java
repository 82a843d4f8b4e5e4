package io.gpdb.exec.emulated;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.emulated.compiled.KeptLanes;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Ops;
import java.util.List;
import java.util.Set;

/** A kernel loaded on the emulated device. */
final class EmulatedKernel implements LoadedKernel {
  private static final int WARP_LANES = 32;

  private final Kernel kernel;
  private final ProgramChoice choice;
  private final LaunchPool pool;
  private final ExecutionCounters counters;
  private final EmulatedOptions options;
  private final KeptLanes kept;
  private final Set<PersistScope> persists;

  EmulatedKernel(
      Kernel kernel,
      ProgramChoice choice,
      LaunchPool pool,
      ExecutionCounters counters,
      EmulatedOptions options,
      KeptLanes kept) {
    this.kernel = kernel;
    this.choice = choice;
    this.pool = pool;
    this.counters = counters;
    this.options = options;
    this.kept = kept;
    this.persists = Ops.persistScopes(kernel);
  }

  @Override
  public Kernel kernel() {
    return kernel;
  }

  @Override
  public void launch(List<LaunchGroup> groups) {
    int blocks = LaunchGroup.blocksOf(kernel, groups);
    long warps = blocks * (long) ((kernel.blockSize() + WARP_LANES - 1) / WARP_LANES);
    boolean apart = EmulatedDevice.COUNTED.isBound();
    ExecutionCounters figures = apart ? EmulatedDevice.COUNTED.get() : counters;
    boolean counting = apart ? figures.areInBlocks() : options.counting();
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
      long waited =
          pool.run(launch, isHelped(groups.size(), LaunchGroup.rowsOf(groups)), kernel.name());
      if (apart) {
        figures.waitedAtBarrier(waited);
      }
    } finally {
      kept.used(launch.program());
    }
  }

  /**
   * Whether helper threads are worth waking. Groups of a block or two are often a few rows each, so
   * that lanes say little about the work: waking, and waiting for, a helper costs more than the
   * blocks do.
   */
  private boolean isHelped(int groups, long rows) {
    return rows > (long) EmulatedDevice.BLOCKS_ALONE_MAX * kernel.blockSize() * groups
        || (groups > 1 && rows > EmulatedDevice.GROUPED_ROWS_ALONE_MAX);
  }
}
