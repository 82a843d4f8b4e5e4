package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.ir.Uniformity;
import org.jspecify.annotations.Nullable;

/** The indices at which neighbouring lanes access neighbouring elements of a buffer. */
public final class LaneRows {
  private final RegisterUse use;
  private final Uniformity uniformity;

  public LaneRows(RegisterUse use, Uniformity uniformity) {
    this.use = use;
    this.uniformity = uniformity;
  }

  public static LaneRows of(Kernel kernel, RegisterUse use) {
    return new LaneRows(use, Uniformity.of(kernel));
  }

  /** The register's position in the launch, where it is nothing else. */
  public @Nullable SpecialKind special(Reg register) {
    return use.onlyWriter(register.id()) instanceof Op.Special special ? special.kind() : null;
  }

  /** The register s, one value for the block, where the index is s + THREAD; else null. */
  public @Nullable Reg start(Reg index) {
    if (index.type() != Type.I32
        || !(use.onlyWriter(index.id()) instanceof Op.Binary sum)
        || sum.op() != BinaryOp.ADD) {
      return null;
    }
    if (special(sum.b()) == SpecialKind.THREAD && uniformity.isUniform(sum.a())) {
      return sum.a();
    }
    return special(sum.a()) == SpecialKind.THREAD && uniformity.isUniform(sum.b()) ? sum.b() : null;
  }

  /**
   * Whether the block walks through buffers: a loop that all lanes leave together, in each turn of
   * which they access neighbouring elements.
   */
  public boolean isWalk(Op op) {
    if (!(op instanceof Op.While loop) || !uniformity.isUniform(loop.p())) {
      return false;
    }
    boolean[] walks = new boolean[1];
    Ops.forEach(
        loop.body(), o -> walks[0] |= o instanceof Op.Load load && start(load.index()) != null);
    return walks[0];
  }
}
