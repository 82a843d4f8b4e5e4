package io.gpdb.exec.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a kernel. Arithmetic on integers wraps; the planner emits the overflow checks
 * ({@link OverflowOp}) where SQL wants them. Shifts take the count modulo the width. Integer
 * division by zero and out-of-range indices trap with {@code INTERNAL} codes in every executor.
 */
public sealed interface Op {
  /** {@code dst = bits}: floats as raw bits, predicates as 0 or 1. */
  record Const(Reg dst, long bits) implements Op {}

  record Move(Reg dst, Reg a) implements Op {}

  /** {@code dst} = scalar parameter number {@code index}. */
  record Scalar(Reg dst, int index) implements Op {}

  /** {@code dst} (i32, GLOBAL also i64) = a position in the launch. */
  record Special(Reg dst, SpecialKind kind) implements Op {}

  record Unary(Reg dst, UnaryOp op, Reg a) implements Op {}

  record Binary(Reg dst, BinaryOp op, Reg a, Reg b) implements Op {}

  /** {@code dst} (pred) = the signed integer operation on a, b does not fit their type. */
  record Overflow(Reg dst, OverflowOp op, Reg a, Reg b) implements Op {}

  /**
   * {@code dst} (pred) = a op b. Float comparisons are SQL's total order: NaN equals NaN and is
   * above all; -0.0 equals 0.0.
   */
  record Compare(Reg dst, CompareOp op, Reg a, Reg b) implements Op {}

  record Select(Reg dst, Reg p, Reg a, Reg b) implements Op {}

  /**
   * Between register types: integers truncate or sign-extend; float to integer rounds toward zero
   * and saturates, NaN gives 0 (as Java); i64 or i32 to float rounds to nearest; pred to integer
   * gives 0 or 1; BITCAST variants are {@link UnaryOp#BITCAST}.
   */
  record Convert(Reg dst, Reg a) implements Op {}

  /** {@code dst = buffers[buffer][index]}; index is i32 or i64, in elements. */
  record Load(Reg dst, int buffer, Reg index) implements Op {}

  record Store(int buffer, Reg index, Reg value) implements Op {}

  record LoadShared(Reg dst, int array, Reg index) implements Op {}

  record StoreShared(int array, Reg index, Reg value) implements Op {}

  /**
   * Atomic read-modify-write on an I32 or I64 buffer; {@code dst} receives the old value. {@code
   * compare} is for CAS only. ADD on F64/F32 is not offered: its order would not be deterministic.
   */
  record Atomic(
      @Nullable Reg dst, AtomicOp op, int buffer, Reg index, Reg value, @Nullable Reg compare)
      implements Op {}

  /** As {@link Atomic} on a shared array. */
  record AtomicShared(
      @Nullable Reg dst, AtomicOp op, int array, Reg index, Reg value, @Nullable Reg compare)
      implements Op {}

  /** {@code dst} (i32) = mask of active lanes of the warp whose p holds. Inactive lanes count 0. */
  record Ballot(Reg dst, Reg p) implements Op {}

  /**
   * {@code dst} = a of lane {@code lane} (IDX), lane-{@code lane} (UP), lane+{@code lane} (DOWN) or
   * lane^{@code lane} (XOR) of the warp; the own value where that lane is outside the warp or
   * inactive.
   */
  record Shuffle(Reg dst, ShuffleKind kind, Reg a, Reg lane) implements Op {}

  /**
   * {@code dst} = reduction of a over the active lanes of the warp, in every active lane. Floats:
   * fixed tree, lane i with i+16, then 8, 4, 2, 1, inactive lanes giving the identity.
   */
  record WarpReduce(Reg dst, ReduceOp op, Reg a) implements Op {}

  /** {@code dst} (i32) = number of active lanes with a lower lane index whose p holds. */
  record WarpRank(Reg dst, Reg p) implements Op {}

  /**
   * {@code dst} (i32) = number of lanes of the block with a lower thread index whose p holds. Block
   * operations stand only where control flow is uniform; lanes that trapped count as p = false.
   */
  record BlockRank(Reg dst, Reg p) implements Op {}

  /**
   * {@code dst} = reduction of a over all lanes of the block, in every lane. Lanes out of range
   * must pass the identity. Floats: WarpReduce tree in each warp, then the warps' results reduced
   * by the same tree over warp index (identity where there is no warp).
   */
  record BlockReduce(Reg dst, ReduceOp op, Reg a) implements Op {}

  /** All lanes of the block arrive; shared memory is consistent after it. */
  record Barrier() implements Op {}

  record Fence(FenceScope scope) implements Op {}

  /**
   * Persist barrier: stores to PERSISTENT buffers made before it by the lane (WORKITEM), by the
   * block (WORKGROUP) or by the whole grid (KERNEL: takes effect at the end of the launch) are
   * durable before anything that follows it. WORKGROUP and KERNEL stand in uniform control flow.
   */
  record Persist(PersistScope scope) implements Op {}

  /**
   * Appends one entry of {@code words} (i32 each) to a hierarchical coalesced log in buffer {@code
   * buffer} (I32, base word index {@code base} (i64)): entry number {@code entry} (i32) lies at
   * {@code base + (entry/32)*K*32 + w*32 + entry%32} for word w, K = number of words. The planner
   * makes {@code entry} from grid, block, warp and lane; no locks.
   */
  record LogAppend(int buffer, Reg base, Reg entry, List<Reg> words) implements Op {
    public LogAppend {
      words = List.copyOf(words);
    }
  }

  /**
   * The lane stops with an error where p holds. The launch fails after all blocks end, reporting
   * the smallest (detail, code) among trapped lanes: the same error on every device.
   */
  record Trap(Reg p, int code, Reg detail) implements Op {}

  record If(Reg p, List<Op> then, List<Op> otherwise) implements Op {
    public If {
      then = List.copyOf(then);
      otherwise = List.copyOf(otherwise);
    }
  }

  /** Runs {@code head}; while p holds (per lane): body, then head again. */
  record While(List<Op> head, Reg p, List<Op> body) implements Op {
    public While {
      head = List.copyOf(head);
      body = List.copyOf(body);
    }
  }

  /** A position in the launch. */
  enum SpecialKind {
    LANE,
    WARP,
    THREAD,
    BLOCK,
    BLOCK_SIZE,
    GRID_SIZE,
    GLOBAL
  }

  /**
   * One-operand operations. NOT: integers bitwise, predicates logical. BITCAST: i32/f32, i64/f64.
   * Rounding operations are on floats only. POPC, CLZ: result in the operand's type.
   */
  enum UnaryOp {
    NEG,
    NOT,
    ABS,
    SQRT,
    FLOOR,
    CEIL,
    ROUND_EVEN,
    TRUNC,
    POPC,
    CLZ,
    BITCAST
  }

  /**
   * Two-operand operations; AND, OR, XOR also on predicates. MULHI is the signed high half. MIN and
   * MAX on floats follow the total order of {@link Compare}.
   */
  enum BinaryOp {
    ADD,
    SUB,
    MUL,
    DIV,
    REM,
    MULHI,
    MIN,
    MAX,
    AND,
    OR,
    XOR,
    SHL,
    SHR,
    USHR
  }

  /** Signed operations that can leave their type. */
  enum OverflowOp {
    ADD,
    SUB,
    MUL
  }

  /** Comparisons; signed on integers; EQ and NE also on predicates. ULT, UGE unsigned. */
  enum CompareOp {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    ULT,
    UGE
  }

  /** Atomic operations on integers; MIN and MAX signed. */
  enum AtomicOp {
    ADD,
    MIN,
    MAX,
    AND,
    OR,
    EXCHANGE,
    CAS
  }

  /** How a shuffle names its source lane. */
  enum ShuffleKind {
    IDX,
    UP,
    DOWN,
    XOR
  }

  /** Reductions; MIN and MAX on floats in total order; AND and OR on integers. */
  enum ReduceOp {
    ADD,
    MIN,
    MAX,
    AND,
    OR
  }

  /** Whom a fence orders stores for. */
  enum FenceScope {
    BLOCK,
    DEVICE,
    SYSTEM
  }

  /** Whose stores a persist barrier makes durable (Gope et al. 2018). */
  enum PersistScope {
    WORKITEM,
    WORKGROUP,
    KERNEL
  }
}
