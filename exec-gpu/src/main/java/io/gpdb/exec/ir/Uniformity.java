package io.gpdb.exec.ir;

import java.util.BitSet;
import java.util.List;

/**
 * Which registers hold one value for all active lanes of the block, whenever they are read.
 *
 * <p>A register varies when one of its writes stores a varying value or is where control flow
 * varies; the rest are uniform. Found by repeating until nothing changes, so the order of writes
 * does not count: a uniform register is uniform everywhere.
 */
public final class Uniformity {
  private final Kernel kernel;
  private final BitSet varying = new BitSet();
  private boolean changed;

  private Uniformity(Kernel kernel) {
    this.kernel = kernel;
  }

  public static Uniformity of(Kernel kernel) {
    Uniformity uniformity = new Uniformity(kernel);
    do {
      uniformity.changed = false;
      uniformity.visit(kernel.body(), true);
    } while (uniformity.changed);
    return uniformity;
  }

  public boolean isUniform(Reg register) {
    return !varying.get(register.id());
  }

  private void visit(List<Op> ops, boolean uniformFlow) {
    for (Op op : ops) {
      Reg written = Ops.write(op);
      if (written != null && !varying.get(written.id()) && !(uniformFlow && hasUniformResult(op))) {
        varying.set(written.id());
        changed = true;
      }
      boolean inside = uniformFlow && choosesUniformly(op);
      for (List<Op> inner : Ops.inner(op)) {
        visit(inner, inside);
      }
    }
  }

  /** Whether all lanes take the same way inside; true for operations without lists. */
  boolean choosesUniformly(Op op) {
    return switch (op) {
      case Op.If branch -> isUniform(branch.p());
      case Op.While loop -> isUniform(loop.p());
      default -> true;
    };
  }

  /** Whether all lanes of the block get the same result, where they run the operation together. */
  private boolean hasUniformResult(Op op) {
    return switch (op) {
      case Op.Special special ->
          switch (special.kind()) {
            case BLOCK, BLOCK_SIZE, GRID_SIZE -> true;
            case LANE, WARP, THREAD, GLOBAL -> false;
          };
      case Op.Load load ->
          kernel.buffers().get(load.buffer()).access() == Kernel.Access.READ
              && isUniform(load.index());
      case Op.Atomic atomic -> false;
      case Op.AtomicShared atomic -> false;
      case Op.Ballot ballot -> false;
      case Op.Shuffle shuffle -> false;
      case Op.WarpReduce reduce -> false;
      case Op.WarpRank rank -> false;
      case Op.BlockRank rank -> false;
      case Op.BlockReduce reduce -> true;
      default -> Ops.reads(op).stream().allMatch(this::isUniform);
    };
  }
}
