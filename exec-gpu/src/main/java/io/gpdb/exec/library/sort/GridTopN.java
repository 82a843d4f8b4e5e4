package io.gpdb.exec.library.sort;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.exec.library.move.GridGather;
import io.gpdb.exec.library.scan.GridFilterProject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first n rows of an order, without sorting the rest. Called by the planner for ORDER BY with
 * LIMIT, with windows of tablets; each execution is a {@link Top}. Rows whose first key is beyond
 * that of the n-th best so far do not pass the filter, and the n-th best of some thousand rows is
 * known before the first launch over a window; what passes is sorted and cut when enough has come
 * together. Where few rows are wanted, blocks have small regions that the host reads ({@link
 * TopCandidates}). Thread-safe.
 *
 * <p>It declares parameters of its own among the inputs: make it before the bindings.
 */
public final class GridTopN {
  /** So few rows are chosen by the host. */
  static final int HOST_LIMIT_MAX = 1024;

  final GridFilterProject candidates;
  final TopCandidates fewCandidates;
  final GridSort sort;
  final GridGather gather;
  final int words;
  final List<Parameter> thresholds = new ArrayList<>();
  private final boolean readsRegions;

  /**
   * Whether a row is a candidate: the condition holds and the first key is within the thresholds.
   */
  record Filter(@Nullable LaneProgram condition, List<LaneProgram> firstKey) {
    int thresholds() {
      return firstKey.size();
    }

    Reg passes(Lane lane, List<Reg> limits) {
      KernelBuilder b = lane.builder();
      Reg passes = b.variable(condition == null ? b.pred(true) : lane.isTrue(condition.emit(lane)));
      b.ifThen(passes, () -> b.set(passes, isWithin(lane, limits)));
      return passes;
    }

    private Reg isWithin(Lane lane, List<Reg> limits) {
      KernelBuilder b = lane.builder();
      Reg word0 = firstKey.get(0).emit(lane).value();
      Reg within = b.compare(CompareOp.UGE, limits.get(0), word0);
      if (limits.size() > 1) {
        Reg word1 = firstKey.get(1).emit(lane).value();
        Reg below = b.compare(CompareOp.ULT, word0, limits.get(0));
        Reg tie = b.compare(CompareOp.UGE, limits.get(1), word1);
        within = b.or(below, b.and(within, tie));
      }
      return within;
    }
  }

  /**
   * @param filter null lets every live row through
   */
  public GridTopN(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<SortKey> keys) {
    List<LaneProgram> programs = SortWords.programs(inputs, keys);
    List<LaneProgram> first = SortWords.programs(inputs, keys.get(0));
    words = programs.size();
    for (int i = 0; i < first.size(); i++) {
      thresholds.add(inputs.parameter("threshold" + i, Type.I64));
    }
    Filter ofRows = new Filter(filter, first);
    LaneProgram passes = lane -> LaneValue.of(ofRows.passes(lane, thresholds(lane)));
    candidates =
        new GridFilterProject(device, name, inputs, passes, SortWords.outputs(programs), true);
    fewCandidates = new TopCandidates(device, name + "_few", inputs, ofRows, programs);
    readsRegions = device.memory().isHosts();
    sort = new GridSort(device, name, inputs, keys);
    gather = new GridGather(device);
  }

  private List<Reg> thresholds(Lane lane) {
    return thresholds.stream().map(threshold -> lane.parameter(threshold).value()).toList();
  }

  /** Whether candidates come in small regions that the host reads. */
  boolean readsRegions(int limit) {
    return readsRegions && limit <= HOST_LIMIT_MAX;
  }

  /** Begins one execution that keeps {@code limit} rows, 1 or more. */
  public Top start(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit=" + limit + " is below 1");
    }
    return new Top(this, limit);
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return candidates.kernel();
  }
}
