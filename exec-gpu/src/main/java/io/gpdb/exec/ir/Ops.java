package io.gpdb.exec.ir;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What an operation reads, writes and contains. */
public final class Ops {
  private Ops() {}

  /** Calls the visitor for every operation, an enclosing one before those inside it. */
  public static void forEach(List<Op> ops, Consumer<Op> visitor) {
    for (Op op : ops) {
      visitor.accept(op);
      for (List<Op> inner : inner(op)) {
        forEach(inner, visitor);
      }
    }
  }

  /** The scopes of a kernel's persist barriers. */
  public static Set<Op.PersistScope> persistScopes(Kernel kernel) {
    Set<Op.PersistScope> scopes = EnumSet.noneOf(Op.PersistScope.class);
    forEach(
        kernel.body(),
        op -> {
          if (op instanceof Op.Persist persist) {
            scopes.add(persist.scope());
          }
        });
    return scopes;
  }

  /** Whether the kernel's text traps, or divides whole numbers; any index may trap besides. */
  public static boolean trapsByText(Kernel kernel) {
    boolean[] found = {false};
    forEach(
        kernel.body(),
        op -> found[0] |= op instanceof Op.Trap || (op instanceof Op.Binary b && divides(b)));
    return found[0];
  }

  private static boolean divides(Op.Binary op) {
    boolean whole = op.dst().type() == Type.I32 || op.dst().type() == Type.I64;
    return whole && (op.op() == Op.BinaryOp.DIV || op.op() == Op.BinaryOp.REM);
  }

  /** The lists of operations inside an operation, in the order they run. */
  public static List<List<Op>> inner(Op op) {
    return switch (op) {
      case Op.If branch -> List.of(branch.then(), branch.otherwise());
      case Op.While loop -> List.of(loop.head(), loop.body());
      default -> List.of();
    };
  }

  /** The register that the operation itself writes; not those of operations inside it. */
  public static @Nullable Reg write(Op op) {
    return switch (op) {
      case Op.Const o -> o.dst();
      case Op.Move o -> o.dst();
      case Op.Scalar o -> o.dst();
      case Op.Special o -> o.dst();
      case Op.Unary o -> o.dst();
      case Op.Binary o -> o.dst();
      case Op.Overflow o -> o.dst();
      case Op.Compare o -> o.dst();
      case Op.Select o -> o.dst();
      case Op.Convert o -> o.dst();
      case Op.Load o -> o.dst();
      case Op.LoadShared o -> o.dst();
      case Op.Atomic o -> o.dst();
      case Op.AtomicShared o -> o.dst();
      case Op.Ballot o -> o.dst();
      case Op.Shuffle o -> o.dst();
      case Op.WarpReduce o -> o.dst();
      case Op.WarpRank o -> o.dst();
      case Op.BlockRank o -> o.dst();
      case Op.BlockReduce o -> o.dst();
      case Op.Store o -> null;
      case Op.StoreShared o -> null;
      case Op.Barrier o -> null;
      case Op.Fence o -> null;
      case Op.Persist o -> null;
      case Op.LogAppend o -> null;
      case Op.Trap o -> null;
      case Op.If o -> null;
      case Op.While o -> null;
    };
  }

  /** The registers that the operation itself reads. */
  public static List<Reg> reads(Op op) {
    return switch (op) {
      case Op.Const o -> List.of();
      case Op.Scalar o -> List.of();
      case Op.Special o -> List.of();
      case Op.Barrier o -> List.of();
      case Op.Fence o -> List.of();
      case Op.Persist o -> List.of();
      case Op.Move o -> List.of(o.a());
      case Op.Unary o -> List.of(o.a());
      case Op.Binary o -> List.of(o.a(), o.b());
      case Op.Overflow o -> List.of(o.a(), o.b());
      case Op.Compare o -> List.of(o.a(), o.b());
      case Op.Select o -> List.of(o.p(), o.a(), o.b());
      case Op.Convert o -> List.of(o.a());
      case Op.Load o -> List.of(o.index());
      case Op.Store o -> List.of(o.index(), o.value());
      case Op.LoadShared o -> List.of(o.index());
      case Op.StoreShared o -> List.of(o.index(), o.value());
      case Op.Atomic o -> withCompare(o.index(), o.value(), o.compare());
      case Op.AtomicShared o -> withCompare(o.index(), o.value(), o.compare());
      case Op.Ballot o -> List.of(o.p());
      case Op.Shuffle o -> List.of(o.a(), o.lane());
      case Op.WarpReduce o -> List.of(o.a());
      case Op.WarpRank o -> List.of(o.p());
      case Op.BlockRank o -> List.of(o.p());
      case Op.BlockReduce o -> List.of(o.a());
      case Op.LogAppend o -> logReads(o);
      case Op.Trap o -> List.of(o.p(), o.detail());
      case Op.If o -> List.of(o.p());
      case Op.While o -> List.of(o.p());
    };
  }

  private static List<Reg> withCompare(Reg index, Reg value, @Nullable Reg compare) {
    return compare == null ? List.of(index, value) : List.of(index, value, compare);
  }

  private static List<Reg> logReads(Op.LogAppend append) {
    List<Reg> reads = new ArrayList<>(List.of(append.base(), append.entry()));
    reads.addAll(append.words());
    return reads;
  }

  /** Whether the operation needs every lane of the block, and is a barrier to them. */
  public static boolean isBlockOperation(Op op) {
    return switch (op) {
      case Op.BlockRank o -> true;
      case Op.BlockReduce o -> true;
      case Op.Barrier o -> true;
      case Op.Persist o -> o.scope() != Op.PersistScope.WORKITEM;
      default -> false;
    };
  }

  /** Whether lanes of a warp exchange values in the operation. */
  public static boolean isWarpOperation(Op op) {
    return op instanceof Op.Ballot
        || op instanceof Op.Shuffle
        || op instanceof Op.WarpReduce
        || op instanceof Op.WarpRank;
  }

  /** Whether {@link #isBlockOperation} holds of the operation or of one inside it. */
  public static boolean containsBlockOperation(Op op) {
    return isBlockOperation(op)
        || inner(op).stream().anyMatch(ops -> ops.stream().anyMatch(Ops::containsBlockOperation));
  }
}
