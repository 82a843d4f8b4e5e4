package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Type;

/** What a step does, as far as its time for each lane tells whether it has been compiled well. */
enum StepKind {
  /** Runs other steps, or next to nothing. */
  CONTROL(0, 0, false),
  /** A loop over registers. */
  COMPUTATION(600, 1_500, true),
  /** Loops over registers, with a result that all lanes of the block have a part in. */
  BLOCK(1_000, 2_500, false),
  /** Takes several times a computation's time even when compiled well. */
  ACCESS(600, 15_000, true),
  /** Waits for memory and for other threads. */
  ATOMIC(10_000, 40_000, true);

  /** Picoseconds for each lane that no step takes which is not compiled well. */
  final int surePicos;

  /** Picoseconds for each lane below which a step is compiled well that has run often. */
  final int fastPicos;

  /** Whether the step may run for some warps after the others. */
  final boolean isDivisible;

  StepKind(int surePicos, int fastPicos, boolean isDivisible) {
    this.surePicos = surePicos;
    this.fastPicos = fastPicos;
    this.isDivisible = isDivisible;
  }

  static StepKind of(Op op) {
    return switch (op) {
      case Op.If _, Op.While _, Op.Barrier _, Op.Fence _, Op.Persist _ -> CONTROL;
      case Op.BlockReduce _, Op.BlockRank _ -> BLOCK;
      case Op.Atomic _ -> ATOMIC;
      case Op.Load _, Op.Store _, Op.LogAppend _, Op.AtomicShared _, Op.Unary _ -> ACCESS;
      case Op.Binary o -> divides(o) ? ACCESS : COMPUTATION;
      case Op.LoadShared _, Op.StoreShared _, Op.Ballot _, Op.Shuffle _, Op.WarpReduce _ -> ACCESS;
      default -> COMPUTATION;
    };
  }

  private static boolean divides(Op.Binary op) {
    boolean isWhole = op.a().type() == Type.I32 || op.a().type() == Type.I64;
    return isWhole && (op.op() == Op.BinaryOp.DIV || op.op() == Op.BinaryOp.REM);
  }
}
