package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.LaneRows;
import io.gpdb.exec.emulated.common.RegisterUse;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.ir.Uniformity;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the compiled executor knows of a kernel before it forms regions.
 *
 * <p>A register is <i>scalar</i> when it is kept once per block: it is uniform, and each of its
 * writes is at block level (not inside control flow that lanes run by themselves) and needs scalar
 * registers only.
 */
final class KernelFacts {
  final Kernel kernel;
  final RegisterUse use;
  private final Uniformity uniformity;
  private final LaneRows rows;
  private final BitSet scalar = new BitSet();
  private final BitSet combined = new BitSet();

  /** Whether stores to PERSISTENT buffers must be reported. */
  final boolean tracksStores;

  /**
   * Regions end beyond this number of operations, and an If or While with more operations inside is
   * split into regions of its own.
   */
  final int operationsMax;

  KernelFacts(Kernel kernel, int operationsMax) {
    this.kernel = kernel;
    this.operationsMax = operationsMax;
    this.use = RegisterUse.of(kernel);
    this.uniformity = Uniformity.of(kernel);
    this.rows = new LaneRows(use, uniformity);
    boolean[] persists = new boolean[1];
    Ops.forEach(kernel.body(), op -> persists[0] |= op instanceof Op.Persist);
    this.tracksStores = persists[0];
    findScalars();
    Ops.forEach(kernel.body(), this::findCombined);
  }

  private void findCombined(Op op) {
    if (op instanceof Op.Binary || op instanceof Op.Unary || op instanceof Op.Move) {
      for (Reg register : Ops.reads(op)) {
        if (register.type() == Type.PRED) {
          combined.set(register.id());
        }
      }
    }
  }

  /** Whether the register is a predicate of which others are computed. */
  boolean isCombined(Reg register) {
    return combined.get(register.id());
  }

  private void findScalars() {
    Ops.forEach(
        kernel.body(),
        op -> {
          Reg dst = Ops.write(op);
          if (dst != null && uniformity.isUniform(dst)) {
            scalar.set(dst.id());
          }
        });
    int before;
    do {
      before = scalar.cardinality();
      dropVarying(kernel.body(), true);
    } while (scalar.cardinality() < before);
  }

  private void dropVarying(List<Op> ops, boolean blockLevel) {
    for (Op op : ops) {
      Reg dst = Ops.write(op);
      boolean keeps =
          op instanceof Op.BlockReduce || Ops.reads(op).stream().allMatch(this::isScalar);
      if (dst != null && !(blockLevel && keeps)) {
        scalar.clear(dst.id());
      }
      boolean inside = blockLevel && splits(op) && choosesUniformly(op);
      Ops.inner(op).forEach(inner -> dropVarying(inner, inside));
    }
  }

  boolean isScalar(Reg register) {
    return scalar.get(register.id());
  }

  /** Whether an If or While cannot, or should not, run lane by lane. */
  boolean splits(Op op) {
    boolean control = op instanceof Op.If || op instanceof Op.While;
    return control && (runsTogether(op) || size(op) > operationsMax);
  }

  private boolean runsTogether(Op op) {
    return Ops.isBlockOperation(op)
        || Ops.isWarpOperation(op)
        || op instanceof Op.Persist
        || rows.isWalk(op)
        || Ops.inner(op).stream().anyMatch(ops -> ops.stream().anyMatch(this::runsTogether));
  }

  /** The register s, one value for the block, where the index is s + THREAD; else null. */
  @Nullable Reg walkStart(Reg index) {
    return rows.start(index);
  }

  private static int size(Op op) {
    int[] count = {0};
    Ops.inner(op).forEach(ops -> Ops.forEach(ops, o -> count[0]++));
    return count[0];
  }

  /** Whether all active lanes choose the same way. */
  boolean choosesUniformly(Op op) {
    return switch (op) {
      case Op.If branch -> isUniform(branch.p());
      case Op.While loop -> isUniform(loop.p());
      default -> true;
    };
  }

  /** A constant is uniform even where it is written in control flow that varies. */
  private boolean isUniform(Reg p) {
    return uniformity.isUniform(p) || isInline(p);
  }

  /** The register's constant, where it has only that value. */
  Op.@Nullable Const constant(Reg register) {
    return use.onlyWriter(register.id()) instanceof Op.Const constant ? constant : null;
  }

  /** The register's position in the launch, where it is nothing else. */
  @Nullable SpecialKind special(Reg register) {
    return rows.special(register);
  }

  /** Whether code reads the register from no place of its own: a constant or a position. */
  boolean isInline(Reg register) {
    return constant(register) != null || special(register) != null || launchScalar(register) >= 0;
  }

  /** The number of the scalar parameter that the register always holds, or -1. */
  int launchScalar(Reg register) {
    return use.onlyWriter(register.id()) instanceof Op.Scalar scalarOp ? scalarOp.index() : -1;
  }

  /** Whether the index is the lane's GLOBAL position. */
  boolean isRow(Reg index) {
    return special(index) == SpecialKind.GLOBAL;
  }

  /** The row where the index is row / 32, the word of a bitmap with one bit per row; else null. */
  @Nullable Reg rowOfBitmapWord(Reg index) {
    return use.onlyWriter(index.id()) instanceof Op.Binary shift
            && (shift.op() == BinaryOp.USHR || shift.op() == BinaryOp.SHR)
            && isConstant(shift.b(), 5)
        ? shift.a()
        : null;
  }

  boolean isConstant(Reg register, long bits) {
    Op.Const constant = constant(register);
    return constant != null && constant.bits() == bits;
  }

  boolean isTracked(int buffer) {
    return tracksStores && kernel.buffers().get(buffer).space() == Kernel.Space.PERSISTENT;
  }

  static boolean divides(Op op) {
    return op instanceof Op.Binary b
        && (b.op() == BinaryOp.DIV || b.op() == BinaryOp.REM)
        && (b.a().type() == Type.I32 || b.a().type() == Type.I64);
  }

  /** Whether the operation only computes a register from registers, without traps. */
  static boolean isPure(Op op) {
    return switch (op) {
      case Op.Const o -> true;
      case Op.Move o -> true;
      case Op.Scalar o -> true;
      case Op.Special o -> true;
      case Op.Unary o -> true;
      case Op.Binary o -> !divides(o);
      case Op.Overflow o -> true;
      case Op.Compare o -> true;
      case Op.Select o -> true;
      case Op.Convert o -> true;
      default -> false;
    };
  }
}
