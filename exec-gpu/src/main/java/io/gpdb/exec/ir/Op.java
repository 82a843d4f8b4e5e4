package io.gpdb.exec.ir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a kernel. Arithmetic on integers wraps; the planner emits the overflow checks
 * ({@link OverflowOp}) where SQL wants them. Shifts take the count (of the operand's own type)
 * modulo the width.
 *
 * <p><b>Active lanes.</b> A lane is active while every enclosing {@link If} and {@link While} chose
 * the list it is in (for a loop: in this turn of it) and it has not trapped. Lanes of a warp take
 * each list together, so the lanes active in a turn of a loop are those that reached this turn.
 * Inactive lanes write no register, load nothing and store nothing.
 *
 * <p><b>Traps.</b> A lane that traps is inactive for everything after: it takes part in no later
 * collective, branch or barrier. Besides {@link Trap}, an index outside its buffer or array traps
 * with {@link #OUT_OF_RANGE} and an integer division by zero with {@link #DIVIDE_BY_ZERO}, both
 * with the lane's GLOBAL position as the detail; the operation then has no effect. Other lanes go
 * on.
 *
 * <p><b>Order.</b> Plain loads and stores of different lanes to one element, at least one of them a
 * store, without a {@link Barrier} between are a race: the program has no meaning. Atomics on one
 * element happen one after the other in no stated order. {@link While} has no turn limit.
 *
 * <p><b>Floats</b> are IEEE 754, rounded to nearest even, without contraction or flush to zero. The
 * bits of a NaN are seen in two places only and are canonical there (0x7fc00000,
 * 0x7ff8000000000000): a {@link Store} to an F32 or F64 buffer and {@link UnaryOp#BITCAST} to an
 * integer.
 */
public sealed interface Op {
  /** Trap code of an index outside its buffer or shared array. */
  int OUT_OF_RANGE = -1;

  /** Trap code of an integer DIV or REM by zero. */
  int DIVIDE_BY_ZERO = -2;

  /** Codes of {@link Trap} are 1 to this. */
  int TRAP_CODE_MAX = 32_766;

  /** The detail of a trap is kept in this many bits, sign-extended; bits above are dropped. */
  int TRAP_DETAIL_BITS = 48;

  /** Lanes of a warp. */
  int WARP_LANES = 32;

  /** {@code dst = bits}: floats as raw bits, predicates as 0 or 1. */
  record Const(Reg dst, long bits) implements Op {}

  record Move(Reg dst, Reg a) implements Op {}

  /** {@code dst} = scalar parameter number {@code index}. */
  record Scalar(Reg dst, int index) implements Op {}

  /** {@code dst} (i32; GLOBAL i32 or i64) = a position in the launch. */
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
   * Between two different register types: integers truncate or sign-extend; float to integer rounds
   * toward zero and saturates, NaN becomes 0 (as Java); i64 or i32 to float and f64 to f32 round to
   * nearest; pred to integer is 0 or 1; nothing else converts from or to pred. BITCAST variants are
   * {@link UnaryOp#BITCAST}.
   */
  record Convert(Reg dst, Reg a) implements Op {}

  /** {@code dst = buffers[buffer][index]}; index is signed, i32 or i64, in elements. */
  record Load(Reg dst, int buffer, Reg index) implements Op {}

  /** To a READ_WRITE buffer; I8 and I16 elements take the low bits; a NaN is stored canonical. */
  record Store(int buffer, Reg index, Reg value) implements Op {}

  /** As {@link Load} and {@link Store} on a shared array; index i32 or i64. */
  record LoadShared(Reg dst, int array, Reg index) implements Op {}

  record StoreShared(int array, Reg index, Reg value) implements Op {}

  /**
   * Atomic read-modify-write on an I32 or I64 buffer; {@code dst} receives the old value. {@code
   * compare} is for CAS only: value is stored where the old value equals it. ADD on F64/F32 is not
   * offered: its order would not be deterministic.
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
   * lane^{@code lane} (XOR) of the warp; the own value where that lane is outside the warp (not 0
   * to 31, computed without wrapping) or inactive. {@code lane} is i32; a is not a predicate.
   */
  record Shuffle(Reg dst, ShuffleKind kind, Reg a, Reg lane) implements Op {}

  /**
   * {@code dst} = reduction of a over the active lanes of the warp, in every active lane. Fixed
   * tree, stated for floats: lane i (left operand) with i+16, then 8, 4, 2, 1, the result being
   * lane 0's; inactive lanes contribute the identity (see {@link ReduceOp}).
   */
  record WarpReduce(Reg dst, ReduceOp op, Reg a) implements Op {}

  /** {@code dst} (i32) = number of active lanes with a lower lane index whose p holds. */
  record WarpRank(Reg dst, Reg p) implements Op {}

  /**
   * {@code dst} (i32) = number of lanes of the block with a lower thread index whose p holds. Block
   * operations (this, {@link BlockReduce}, {@link Barrier}, {@link Persist} of WORKGROUP or KERNEL)
   * are allowed only where control flow is uniform: every lane of the block that has not trapped is
   * active. Lanes that trapped count as p = false. It is also a {@link Barrier}.
   */
  record BlockRank(Reg dst, Reg p) implements Op {}

  /**
   * {@code dst} = reduction of a over all lanes of the block, in every lane. Lanes out of range
   * must pass the identity; lanes that trapped contribute it. Floats: WarpReduce tree in each warp,
   * then the warps' results reduced by the same tree over warp index (identity where there is no
   * warp). It is also a {@link Barrier}.
   */
  record BlockReduce(Reg dst, ReduceOp op, Reg a) implements Op {}

  /** All lanes of the block arrive; shared memory is consistent after it. */
  record Barrier() implements Op {}

  /** Orders the lane's own loads and stores before it against those after it. */
  record Fence(FenceScope scope) implements Op {}

  /**
   * Persist barrier: stores to PERSISTENT buffers made before it by the lane (WORKITEM), by the
   * block (WORKGROUP) or by the whole grid (KERNEL: takes effect at the end of the launch) are
   * durable before anything that follows it. WORKGROUP and KERNEL need uniform control flow;
   * WORKGROUP is also a {@link Barrier}.
   */
  record Persist(PersistScope scope) implements Op {}

  /**
   * Appends one entry of {@code words} (i32 each) to a hierarchical coalesced log in buffer {@code
   * buffer} (I32, base word index {@code base} (i64)): entry number {@code entry} (i32) is at
   * {@code base + (entry/32)*K*32 + w*32 + entry%32} for word w, K = number of words. The planner
   * makes {@code entry} from grid, block, warp and lane; no locks. Where entry or base is negative
   * or a word would be outside the buffer, the lane traps and writes no word.
   */
  record LogAppend(int buffer, Reg base, Reg entry, List<Reg> words) implements Op {
    public LogAppend {
      words = List.copyOf(words);
    }
  }

  /**
   * The lane stops with an error where p holds. The launch fails after all blocks end, reporting
   * the smallest (detail, code) among trapped lanes: the same error on every device. {@code detail}
   * is i32 or i64 and kept in {@link #TRAP_DETAIL_BITS}; {@code code} is 1 to {@link
   * #TRAP_CODE_MAX}. A trapped lane's stores before the trap stay.
   */
  record Trap(Reg p, int code, Reg detail) implements Op {}

  record If(Reg p, List<Op> then, List<Op> otherwise) implements Op {
    public If {
      then = List.copyOf(then);
      otherwise = List.copyOf(otherwise);
    }
  }

  /**
   * Runs {@code head}; while p holds (per lane): body, then head again. Lanes whose p does not hold
   * wait after the loop. Registers written in {@code head} are defined after it.
   */
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
   * SQRT and rounding operations are on floats only, NEG and ABS on all but predicates (on floats
   * they change the sign bit only). POPC, CLZ: on integers, result in the operand's type.
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
   * Two-operand operations on operands of one type. ADD, SUB, MUL, DIV, MIN, MAX on integers and
   * floats; the rest on integers; AND, OR, XOR also on predicates. DIV and REM round toward zero
   * and wrap (MIN_VALUE / -1 = MIN_VALUE). MULHI is the signed high half. MIN is {@code b < a ? b :
   * a}, MAX is {@code b > a ? b : a} in the total order of {@link Compare}: of equals (0.0, -0.0)
   * the first.
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

  /**
   * Comparisons; signed on integers; EQ, NE also on predicates. ULT, UGE: unsigned, integers only.
   */
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

  /**
   * Reductions; each step is {@link BinaryOp}'s operation of the same name; AND and OR on integers
   * only. Identities: ADD 0 (+0.0), MIN the greatest value (NaN on floats), MAX the least (negative
   * infinity on floats), AND all bits, OR 0; {@link Reductions#identity} returns their bits.
   */
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
