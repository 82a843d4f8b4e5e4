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
 * together. Thread-safe.
 *
 * <p>It declares parameters of its own among the inputs: make it before the bindings.
 */
public final class GridTopN {
  final GridFilterProject candidates;
  final GridSort sort;
  final GridGather gather;
  final int words;
  final List<Parameter> thresholds = new ArrayList<>();

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
    LaneProgram passes = lane -> LaneValue.of(passes(lane, filter, first));
    candidates =
        new GridFilterProject(device, name, inputs, passes, SortWords.outputs(programs), true);
    sort = new GridSort(device, name, inputs, keys);
    gather = new GridGather(device);
  }

  /** The filter holds and the first key's words are not above the thresholds. */
  private Reg passes(Lane lane, @Nullable LaneProgram filter, List<LaneProgram> first) {
    KernelBuilder b = lane.builder();
    Reg limit0 = lane.parameter(thresholds.get(0)).value();
    Reg limit1 = first.size() > 1 ? lane.parameter(thresholds.get(1)).value() : null;
    Reg passes = b.variable(filter == null ? b.pred(true) : lane.isTrue(filter.emit(lane)));
    b.ifThen(
        passes,
        () -> {
          Reg word0 = first.get(0).emit(lane).value();
          Reg notAbove = b.compare(CompareOp.UGE, limit0, word0);
          if (limit1 != null) {
            Reg word1 = first.get(1).emit(lane).value();
            Reg below = b.compare(CompareOp.ULT, word0, limit0);
            Reg tie = b.compare(CompareOp.UGE, limit1, word1);
            notAbove = b.or(below, b.and(notAbove, tie));
          }
          b.set(passes, notAbove);
        });
    return passes;
  }

  /** Begins one execution that keeps {@code limit} rows, 1 or more. */
  public Top start(int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit=" + limit + " is below 1");
    }
    return new Top(this, limit);
  }

  /** About the bytes that a row takes while it is compared, whether it may be among them or not. */
  public int bytesPerRow() {
    return candidates.bytesPerRow();
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return candidates.kernel();
  }
}
