package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Reg;
import java.util.ArrayList;
import java.util.List;

/** One step of a block in the compiled executor; steps of a list run one after the other. */
sealed interface PlanStep {
  /** Operations on scalar registers, run once. */
  record Scalars(List<Op> ops) implements PlanStep {}

  /**
   * A loop over the lanes. {@code rankCounters} are BlockRank and WarpRank operations, {@code
   * reductions} the whole-number BlockReduce operations that the loop carries out on its way.
   */
  record Region(List<Op> ops, boolean divergent) implements PlanStep {
    List<Op.BlockReduce> reductions() {
      List<Op.BlockReduce> found = new ArrayList<>();
      for (Op op : ops) {
        if (op instanceof Op.BlockReduce reduce) {
          found.add(reduce);
        }
      }
      return found;
    }

    /** The registers that BlockRank and WarpRank operations write, in order. */
    List<Reg> ranks() {
      List<Reg> found = new ArrayList<>();
      for (Op op : ops) {
        switch (op) {
          case Op.BlockRank rank -> found.add(rank.dst());
          case Op.WarpRank rank -> found.add(rank.dst());
          default -> {}
        }
      }
      return found;
    }
  }

  /** An operation on arrays over the lanes: Ballot, Shuffle, WarpReduce, a float BlockReduce. */
  record Collective(Op op) implements PlanStep {}

  /** A Fence or Persist. */
  record Order(Op op) implements PlanStep {}

  record Branch(Op.If op, boolean uniform, List<PlanStep> then, List<PlanStep> otherwise)
      implements PlanStep {}

  record Loop(Op.While op, boolean uniform, List<PlanStep> head, List<PlanStep> body)
      implements PlanStep {}
}
