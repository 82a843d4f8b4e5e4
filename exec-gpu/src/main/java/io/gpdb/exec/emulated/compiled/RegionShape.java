package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How the fast form of a region may run. The fast form serves lanes of which more is known:
 *
 * <ul>
 *   <li>the <i>guard</i>, a comparison row &lt; n with scalar n, holds;
 *   <li>comparisons THREAD = c do not hold (lanes c go by the general form);
 *   <li>accesses at index row, or row / 32, are in range.
 * </ul>
 *
 * The <i>row</i> of a lane is GLOBAL or, in a region that accesses buffers so, {@link #start} +
 * THREAD.
 */
final class RegionShape {
  final KernelFacts facts;
  final PlanStep.Region region;
  private final BitSet spilled;

  /** The row of lane 0 where a lane's row is that + THREAD; null where it is GLOBAL. */
  final @Nullable Reg start;

  /** The scalar that bounds the row (or THREAD) in the guard, or null. */
  @Nullable Reg bound;

  /** GLOBAL, which is the lane's row, or THREAD. */
  SpecialKind bounded = SpecialKind.GLOBAL;

  /** Buffers with an access at the row, and at row / 32. */
  final BitSet rowBuffers = new BitSet();

  final BitSet bitmapBuffers = new BitSet();

  /** The lanes that the fast form leaves out. */
  final TreeSet<Integer> leftOut = new TreeSet<>();

  /** Lane c of each warp is left out for these c; used only where the fast form has no effect. */
  final TreeSet<Integer> leftOutOfWarps = new TreeSet<>();

  /** Stores that compaction gathers in a frame's arrays first, in order. */
  final List<Op.Store> packedStores = new ArrayList<>();

  boolean branchFree;

  /** Whether a lane may trap in the form without branches. */
  boolean mayTrap;

  boolean effectless;
  private boolean warpGuardsFalse;
  private final BitSet visited = new BitSet();
  private final Map<Integer, Integer> knownValues = new HashMap<>();

  RegionShape(KernelFacts facts, PlanStep.Region region, BitSet spilled) {
    this.facts = facts;
    this.region = region;
    this.spilled = spilled;
    this.start = start(region.ops());
    Ops.forEach(region.ops(), op -> Ops.reads(op).forEach(this::findGuards));
    warpGuardsFalse = true;
    effectless = !hasEffect(region.ops());
    warpGuardsFalse = effectless;
    knownValues.clear();
    if (!effectless) {
      leftOutOfWarps.clear();
      branchFree = BranchFreeRegion.isPossible(this);
    }
    Ops.forEach(region.ops(), this::findBuffers);
  }

  private @Nullable Reg start(List<Op> ops) {
    Reg[] found = new Reg[1];
    Ops.forEach(
        ops,
        op -> {
          Reg first = op instanceof Op.Load load ? facts.walkStart(load.index()) : null;
          if (found[0] == null && first != null && facts.isScalar(first)) {
            found[0] = first;
          }
        });
    return found[0];
  }

  boolean isRow(Reg register) {
    return start == null ? facts.isRow(register) : start.equals(facts.walkStart(register));
  }

  boolean isBitmapWord(Reg index) {
    Reg row = facts.rowOfBitmapWord(index);
    return row != null && isRow(row);
  }

  private @Nullable SpecialKind position(Reg register) {
    return isRow(register)
        ? SpecialKind.GLOBAL
        : facts.special(register) == SpecialKind.GLOBAL ? null : facts.special(register);
  }

  private void findGuards(Reg register) {
    if (register.type() != Type.PRED || visited.get(register.id())) {
      return;
    }
    visited.set(register.id());
    Op writer = facts.use.onlyWriter(register.id());
    if (writer instanceof Op.Compare compare) {
      boolean ordered = compare.op() == CompareOp.LT && isBlockConstant(compare.b());
      SpecialKind position = position(compare.a());
      boolean bounds = position == SpecialKind.GLOBAL || position == SpecialKind.THREAD;
      if (bound == null && ordered && bounds && position != null) {
        bound = compare.b();
        bounded = position;
      }
      if (compare.op() == CompareOp.EQ) {
        Op.Const lane = facts.constant(compare.b());
        if (lane != null && facts.special(compare.a()) == SpecialKind.THREAD) {
          leftOut.add((int) lane.bits());
        } else if (lane != null && facts.special(compare.a()) == SpecialKind.LANE) {
          leftOutOfWarps.add((int) lane.bits());
        }
      }
    } else if (writer instanceof Op.Binary || writer instanceof Op.Unary) {
      Ops.reads(writer).forEach(this::findGuards);
    }
  }

  /** Whether the register has one value in the block, from its only write on. */
  private boolean isBlockConstant(Reg register) {
    Op writer = facts.use.onlyWriter(register.id());
    return facts.constant(register) != null
        || facts.launchScalar(register) >= 0
        || (writer != null && facts.isScalar(register) && facts.kernel.body().contains(writer));
  }

  /** 1 or 0 where the predicate has that value in the fast form, else -1. */
  int known(Reg register) {
    Integer value = knownValues.get(register.id());
    if (value == null) {
      value = findKnown(register);
      knownValues.put(register.id(), value);
    }
    return value;
  }

  private int findKnown(Reg register) {
    return switch (facts.use.onlyWriter(register.id())) {
      case Op.Const o -> (int) o.bits();
      case Op.Compare o -> known(o);
      case Op.Binary o when o.op() == BinaryOp.AND -> {
        int a = known(o.a());
        int b = known(o.b());
        yield a == 0 || b == 0 ? 0 : a == 1 && b == 1 ? 1 : -1;
      }
      case Op.Unary o when o.op() == UnaryOp.NOT -> known(o.a()) < 0 ? -1 : 1 - known(o.a());
      case null, default -> -1;
    };
  }

  private int known(Op.Compare compare) {
    if (compare.op() == CompareOp.LT
        && position(compare.a()) == bounded
        && compare.b().equals(bound)) {
      return 1;
    }
    Op.Const lane = facts.constant(compare.b());
    if (compare.op() != CompareOp.EQ || lane == null) {
      return -1;
    }
    SpecialKind position = facts.special(compare.a());
    boolean never =
        position == SpecialKind.THREAD || (position == SpecialKind.LANE && warpGuardsFalse);
    return never ? 0 : -1;
  }

  /** The list that the fast form takes of an If, or null where the lane decides. */
  @Nullable List<Op> taken(Op.If branch) {
    return switch (known(branch.p())) {
      case 1 -> branch.then();
      case 0 -> branch.otherwise();
      default -> null;
    };
  }

  boolean isRunAccess(Reg index) {
    return isRow(index) || isBitmapWord(index);
  }

  boolean isSpilled(Reg register) {
    return spilled.get(register.id());
  }

  private boolean hasEffect(List<Op> ops) {
    for (Op op : ops) {
      Reg dst = Ops.write(op);
      boolean quiet =
          switch (op) {
            case Op.If branch -> {
              List<Op> taken = taken(branch);
              yield taken != null
                  ? !hasEffect(taken)
                  : !hasEffect(branch.then()) && !hasEffect(branch.otherwise());
            }
            case Op.Load load -> isRunAccess(load.index());
            default -> KernelFacts.isPure(op);
          };
      if (!quiet || (dst != null && isSpilled(dst))) {
        return true;
      }
    }
    return false;
  }

  private void findBuffers(Op op) {
    switch (op) {
      case Op.Load load -> addAccess(load.buffer(), load.index());
      case Op.Store store -> {
        addAccess(store.buffer(), store.index());
        if (packedStores.contains(store)) {
          rowBuffers.set(store.buffer());
        }
      }
      default -> {}
    }
  }

  private void addAccess(int buffer, Reg index) {
    if (isRow(index)) {
      rowBuffers.set(buffer);
    } else if (isBitmapWord(index)) {
      bitmapBuffers.set(buffer);
    }
  }
}
