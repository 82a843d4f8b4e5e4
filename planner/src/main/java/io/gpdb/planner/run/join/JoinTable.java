package io.gpdb.planner.run.join;

import io.gpdb.exec.library.join.FusedProbe;
import io.gpdb.exec.library.join.JoinBuild;
import io.gpdb.exec.library.join.JoinMatches;
import io.gpdb.exec.library.join.JoinWindow;
import io.gpdb.exec.library.lane.RowMatch;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchBinding;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.kernel.KernelExpression;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The kept side of one execution of a join, with its index: one for kernels, made when a window has
 * many rows, and one for the host, made when a window has few. For one thread.
 */
final class JoinTable implements AutoCloseable {
  private final JoinArm arm;
  private final Execution x;
  private final DenseBatch held;
  private final int hostRowsMax;
  private final long probes;
  private @Nullable ByKernels kernels;
  private @Nullable HostJoin host;

  /** Built rows in a table that kernels look up. */
  private record ByKernels(JoinBuild build, Binding binding) {}

  /** Binds probe batches; knows the strings of the build side's keys. */
  static final class Binding extends BatchBinding {
    private final List<@Nullable StringDomain> buildStrings;

    Binding(JoinArm arm, Execution x, RunInputs buildRun) {
      super(arm.kernels().probeExpressions(), arm.probed.types(), x, arm.device());
      buildStrings = new ArrayList<>();
      for (KernelExpression key : arm.kernels().buildKeys()) {
        buildStrings.add(key.type().kind().isString() ? key.domain(buildRun) : null);
      }
    }

    StringDomain buildStrings(int key) {
      StringDomain domain = buildStrings.get(key);
      if (domain == null) {
        throw new IllegalStateException("key " + key + " is not a string");
      }
      return domain;
    }
  }

  /**
   * @param held closed with this
   * @param hostRowsMax up to how many rows of either side the host joins
   * @param probes for how many streamed rows the index may take more memory
   */
  JoinTable(JoinArm arm, Execution x, DenseBatch held, int hostRowsMax, long probes) {
    this.arm = arm;
    this.x = x;
    this.held = held;
    this.probes = probes;
    this.hostRowsMax = HostJoin.isPossible(arm) && held.rows() <= hostRowsMax ? hostRowsMax : 0;
  }

  /** Evaluates the keys of the kept rows, which may raise errors, where the host cannot join. */
  void begin() {
    if (hostRowsMax == 0) {
      var _ = kernels();
    }
  }

  /** Frees the index; the kept rows are the caller's. */
  void dropIndex() {
    ByKernels by = kernels;
    kernels = null;
    if (by != null) {
      by.build.close();
    }
  }

  private ByKernels kernels() {
    ByKernels known = kernels;
    if (known == null) {
      known = made();
      kernels = known;
    }
    return known;
  }

  private ByKernels made() {
    JoinArm.Kernels by = arm.kernels();
    BatchBinding keys = new BatchBinding(by.buildExpressions(), arm.built.types(), x, arm.device());
    JoinBuild build =
        by.failingBuild()
            .launched(
                by.buildExpressions(),
                x,
                held,
                () -> by.join().build(keys.bind(held), held.rows(), null, probes));
    try {
      return new ByKernels(build, new Binding(arm, x, keys));
    } catch (RuntimeException | Error e) {
      build.close();
      throw e;
    }
  }

  DenseBatch held() {
    return held;
  }

  /** The field of the join that is the first of the kept side's; negative where none is. */
  int builtFirst() {
    return arm.built.first();
  }

  int builtColumns() {
    return arm.built.source().columns().size();
  }

  int probedFirst() {
    return arm.probed.first();
  }

  boolean canBeFused() {
    return kernels().build.canBeFused();
  }

  RowMatch fused(Batch probed, BitSet inputs) {
    ByKernels by = kernels();
    return new FusedProbe(by.build, by.binding.bind(probed), inputs);
  }

  /** The pairs of a window's rows as the host finds them, or null where that is for kernels. */
  HostJoin.@Nullable Pairs hostPairs(List<Batch> window) {
    if (hostRowsMax == 0 || window.stream().mapToLong(Batch::rows).sum() > hostRowsMax) {
      return null;
    }
    HostJoin known = host;
    if (known == null) {
      known = new HostJoin(arm, held);
      host = known;
    }
    return known.pairs(window);
  }

  /** The pairs of a window's rows. */
  JoinMatches matches(List<Batch> window) {
    ByKernels by = kernels();
    JoinArm.Kernels of = arm.kernels();
    return of.failingProbe()
        .launched(of.probeExpressions(), x, window, batches -> matches(by, batches));
  }

  private static JoinMatches matches(ByKernels by, List<Batch> batches) {
    JoinWindow window = by.build.start();
    for (Batch batch : batches) {
      window.add(by.binding.bind(batch), batch.rows(), batch.live());
    }
    return window.finish();
  }

  @Override
  public void close() {
    try (held) {
      dropIndex();
    }
  }
}
