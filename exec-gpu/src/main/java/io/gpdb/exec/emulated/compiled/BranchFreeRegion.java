package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a region's fast form can be one loop without branches: then what is under an If
 * is computed for every lane and kept where its predicate holds. That is possible where the Ifs
 * only compute and load at the lane's own row, and where they compact: store at the block's first
 * element plus the lane's rank among those for which the predicate holds. A compacting store goes
 * to an array at the running rank, whether the predicate holds or not; the next lane that passes
 * overwrites it.
 *
 * <p>A region with traps is run twice: first to see whether any lane would trap, without effects,
 * then without its traps; where one would, its general form runs instead.
 */
final class BranchFreeRegion {
  private static final int CONDITIONAL_OPERATIONS_MAX = 64;

  private final RegionShape shape;
  private final KernelFacts facts;
  private final BitSet packedBuffers = new BitSet();
  private final BitSet loadedBuffers = new BitSet();
  private final BitSet storedBuffers = new BitSet();
  private int conditional;

  private BranchFreeRegion(RegionShape shape) {
    this.shape = shape;
    this.facts = shape.facts;
  }

  static boolean isPossible(RegionShape shape) {
    BranchFreeRegion region = new BranchFreeRegion(shape);
    boolean possible = region.isPossible(shape.region.ops(), null, false);
    // What a store changes is not seen by the run that only looks for traps.
    boolean sees = !region.loadedBuffers.intersects(region.storedBuffers);
    // Extremes of floats take branches anyway; running them twice costs more than it saves.
    boolean looks = sees && !hasFloatExtremes(shape.region.ops());
    if (!possible || (shape.mayTrap && !looks) || region.conditional > CONDITIONAL_OPERATIONS_MAX) {
      shape.packedStores.clear();
      shape.mayTrap = false;
      return false;
    }
    return true;
  }

  private boolean isPossible(List<Op> ops, @Nullable Reg compactedBy, boolean underIf) {
    for (Op op : ops) {
      conditional += underIf ? 1 : 0;
      boolean possible =
          switch (op) {
            case Op.If branch -> isPossible(branch, underIf);
            case Op.Load load -> {
              loadedBuffers.set(load.buffer());
              yield shape.isRunAccess(load.index());
            }
            case Op.Store store -> {
              storedBuffers.set(store.buffer());
              yield isPossible(store, compactedBy, underIf);
            }
            case Op.Trap trap -> {
              shape.mayTrap = true;
              yield true;
            }
            case Op.BlockReduce o -> true;
            case Op.BlockRank o -> true;
            case Op.WarpRank o -> true;
            default -> KernelFacts.isPure(op);
          };
      if (!possible) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasFloatExtremes(List<Op> ops) {
    boolean[] found = new boolean[1];
    Ops.forEach(
        ops,
        op ->
            found[0] |=
                op instanceof Op.Binary o
                    && (o.op() == BinaryOp.MIN || o.op() == BinaryOp.MAX)
                    && (o.a().type() == Type.F32 || o.a().type() == Type.F64));
    return found[0];
  }

  private boolean isPossible(Op.If branch, boolean underIf) {
    List<Op> taken = shape.taken(branch);
    if (taken != null) {
      return isPossible(taken, null, underIf);
    }
    boolean compacts = !underIf && branch.otherwise().isEmpty();
    return isPossible(branch.then(), compacts ? branch.p() : null, true)
        && isPossible(branch.otherwise(), null, true);
  }

  private boolean isPossible(Op.Store store, @Nullable Reg compactedBy, boolean underIf) {
    if (facts.isTracked(store.buffer())) {
      return false;
    }
    if (!underIf) {
      return shape.isRow(store.index());
    }
    boolean compacts = compactedBy != null && shape.start == null;
    Reg rank = compacts ? rankOf(store.index()) : null;
    if (rank == null || packedBuffers.get(store.buffer()) || !ranks(rank, compactedBy)) {
      return false;
    }
    packedBuffers.set(store.buffer());
    shape.packedStores.add(store);
    return true;
  }

  /** The rank r where the index is the block's first GLOBAL + r, or null. */
  private @Nullable Reg rankOf(Reg index) {
    if (facts.use.onlyWriter(index.id()) instanceof Op.Binary sum && sum.op() == BinaryOp.ADD) {
      return isBlockStart(sum.a()) ? sum.b() : isBlockStart(sum.b()) ? sum.a() : null;
    }
    return null;
  }

  private boolean isBlockStart(Reg register) {
    if (!(facts.use.onlyWriter(register.id()) instanceof Op.Binary op)) {
      return false;
    }
    boolean difference =
        op.op() == BinaryOp.SUB
            && facts.isRow(op.a())
            && facts.special(op.b()) == SpecialKind.THREAD;
    boolean product =
        op.op() == BinaryOp.MUL
            && facts.special(op.a()) == SpecialKind.BLOCK
            && (facts.isConstant(op.b(), facts.kernel.blockSize())
                || facts.special(op.b()) == SpecialKind.BLOCK_SIZE);
    return difference || product;
  }

  /** Whether the region computes {@code rank} of {@code p}, and p stays unchanged after that. */
  private boolean ranks(Reg rank, @Nullable Reg p) {
    boolean ranked = false;
    for (Op op : shape.region.ops()) {
      if (op instanceof Op.BlockRank o
          && o.dst().equals(rank)
          && o.p().equals(p)
          && facts.use.onlyWriter(rank.id()) != null) {
        ranked = true;
      } else if (ranked) {
        boolean[] changes = new boolean[1];
        Ops.forEach(List.of(op), o -> changes[0] |= p != null && p.equals(Ops.write(o)));
        if (changes[0]) {
          return false;
        }
      }
    }
    return ranked;
  }
}
