package io.gpdb.exec.ir;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.FenceScope;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.ShuffleKind;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Op.UnaryOp;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Writes a kernel operation by operation. Most calls append one operation to the open list and
 * return its fresh result register; {@link #ifThen}, {@link #ifElse} and {@link #whileLoop} open
 * nested lists while their callbacks run. Parameters and positions are read once, at the kernel's
 * start, so that their registers are defined everywhere.
 */
public final class KernelBuilder {
  private final String name;
  private int blockSize = 1024;
  private final List<Kernel.BufferParam> buffers = new ArrayList<>();
  private final List<Kernel.ScalarParam> scalars = new ArrayList<>();
  private final List<Kernel.SharedArray> shared = new ArrayList<>();
  private final List<Op> prologue = new ArrayList<>();
  private final Map<SpecialKind, Reg> specials = new EnumMap<>(SpecialKind.class);
  private final List<Op> body = new ArrayList<>();
  private List<Op> open = body;
  private int nextRegister;

  public KernelBuilder(String name) {
    this.name = name;
  }

  public KernelBuilder blockSize(int size) {
    blockSize = size;
    return this;
  }

  public int blockSize() {
    return blockSize;
  }

  /** Declares a buffer; the result is its number. */
  public int buffer(Kernel.BufferParam buffer) {
    buffers.add(buffer);
    return buffers.size() - 1;
  }

  public int input(String bufferName, Element element) {
    return buffer(Kernel.BufferParam.input(bufferName, element));
  }

  public int output(String bufferName, Element element) {
    return buffer(Kernel.BufferParam.output(bufferName, element));
  }

  /** Declares the next scalar parameter and reads it. */
  public Reg scalar(String scalarName, Type type) {
    return scalar(new Kernel.ScalarParam(scalarName, type));
  }

  /** Declares the next scalar parameter and reads it. */
  public Reg scalar(Kernel.ScalarParam scalar) {
    scalars.add(scalar);
    Reg dst = register(scalar.type());
    prologue.add(new Op.Scalar(dst, scalars.size() - 1));
    return dst;
  }

  public int scalarCount() {
    return scalars.size();
  }

  /** Declares a shared array; the result is its number. */
  public int shared(String arrayName, Element element, int size) {
    shared.add(new Kernel.SharedArray(arrayName, element, size));
    return shared.size() - 1;
  }

  /** A register that nothing has written yet. */
  public Reg register(Type type) {
    return new Reg(nextRegister++, type);
  }

  /** Appends any operation. */
  public void emit(Op op) {
    open.add(op);
  }

  public Reg constant(Type type, long bits) {
    Reg dst = register(type);
    emit(new Op.Const(dst, bits));
    return dst;
  }

  public Reg i32(int value) {
    return constant(Type.I32, value);
  }

  public Reg i64(long value) {
    return constant(Type.I64, value);
  }

  public Reg f32(float value) {
    return constant(Type.F32, Float.floatToRawIntBits(value));
  }

  public Reg f64(double value) {
    return constant(Type.F64, Double.doubleToRawLongBits(value));
  }

  public Reg pred(boolean value) {
    return constant(Type.PRED, value ? 1 : 0);
  }

  /** A whole number of the given integer type. */
  public Reg integer(Type type, long value) {
    return constant(type, type == Type.I32 ? Math.toIntExact(value) : value);
  }

  /** A fresh register with a copy of {@code initial}, to be changed by {@link #set}. */
  public Reg variable(Reg initial) {
    Reg dst = register(initial.type());
    set(dst, initial);
    return dst;
  }

  public void set(Reg variable, Reg value) {
    emit(new Op.Move(variable, value));
  }

  /** A position in the launch, i32. */
  public Reg special(SpecialKind kind) {
    return specials.computeIfAbsent(
        kind,
        k -> {
          Reg dst = register(Type.I32);
          prologue.add(new Op.Special(dst, k));
          return dst;
        });
  }

  public Reg lane() {
    return special(SpecialKind.LANE);
  }

  public Reg thread() {
    return special(SpecialKind.THREAD);
  }

  public Reg block() {
    return special(SpecialKind.BLOCK);
  }

  /** The lane's number in the grid, i32: the row of the usual kernel. */
  public Reg global() {
    return special(SpecialKind.GLOBAL);
  }

  public Reg unary(UnaryOp op, Reg a) {
    Reg dst = register(op == UnaryOp.BITCAST ? bitcastType(a.type()) : a.type());
    emit(new Op.Unary(dst, op, a));
    return dst;
  }

  private static Type bitcastType(Type type) {
    return switch (type) {
      case I32 -> Type.F32;
      case I64 -> Type.F64;
      case F32 -> Type.I32;
      case F64 -> Type.I64;
      case PRED -> throw new IllegalArgumentException("a predicate has no bits to cast");
    };
  }

  public Reg neg(Reg a) {
    return unary(UnaryOp.NEG, a);
  }

  public Reg not(Reg a) {
    return unary(UnaryOp.NOT, a);
  }

  public Reg bitcast(Reg a) {
    return unary(UnaryOp.BITCAST, a);
  }

  public Reg binary(BinaryOp op, Reg a, Reg b) {
    Reg dst = register(a.type());
    emit(new Op.Binary(dst, op, a, b));
    return dst;
  }

  public Reg add(Reg a, Reg b) {
    return binary(BinaryOp.ADD, a, b);
  }

  /** With a whole-number constant of a's (integer) type, as all overloads with a long. */
  public Reg add(Reg a, long b) {
    return add(a, integer(a.type(), b));
  }

  public Reg sub(Reg a, Reg b) {
    return binary(BinaryOp.SUB, a, b);
  }

  public Reg sub(Reg a, long b) {
    return sub(a, integer(a.type(), b));
  }

  public Reg mul(Reg a, Reg b) {
    return binary(BinaryOp.MUL, a, b);
  }

  public Reg mul(Reg a, long b) {
    return mul(a, integer(a.type(), b));
  }

  public Reg div(Reg a, Reg b) {
    return binary(BinaryOp.DIV, a, b);
  }

  public Reg rem(Reg a, Reg b) {
    return binary(BinaryOp.REM, a, b);
  }

  public Reg min(Reg a, Reg b) {
    return binary(BinaryOp.MIN, a, b);
  }

  public Reg max(Reg a, Reg b) {
    return binary(BinaryOp.MAX, a, b);
  }

  public Reg and(Reg a, Reg b) {
    return binary(BinaryOp.AND, a, b);
  }

  public Reg and(Reg a, long b) {
    return and(a, integer(a.type(), b));
  }

  public Reg or(Reg a, Reg b) {
    return binary(BinaryOp.OR, a, b);
  }

  public Reg xor(Reg a, Reg b) {
    return binary(BinaryOp.XOR, a, b);
  }

  public Reg shl(Reg a, Reg count) {
    return binary(BinaryOp.SHL, a, count);
  }

  public Reg shl(Reg a, long count) {
    return shl(a, integer(a.type(), count));
  }

  public Reg shr(Reg a, long count) {
    return binary(BinaryOp.SHR, a, integer(a.type(), count));
  }

  public Reg ushr(Reg a, Reg count) {
    return binary(BinaryOp.USHR, a, count);
  }

  public Reg ushr(Reg a, long count) {
    return ushr(a, integer(a.type(), count));
  }

  public Reg overflow(OverflowOp op, Reg a, Reg b) {
    Reg dst = register(Type.PRED);
    emit(new Op.Overflow(dst, op, a, b));
    return dst;
  }

  public Reg compare(CompareOp op, Reg a, Reg b) {
    Reg dst = register(Type.PRED);
    emit(new Op.Compare(dst, op, a, b));
    return dst;
  }

  public Reg eq(Reg a, Reg b) {
    return compare(CompareOp.EQ, a, b);
  }

  public Reg eq(Reg a, long b) {
    return eq(a, integer(a.type(), b));
  }

  public Reg ne(Reg a, Reg b) {
    return compare(CompareOp.NE, a, b);
  }

  public Reg ne(Reg a, long b) {
    return ne(a, integer(a.type(), b));
  }

  public Reg lt(Reg a, Reg b) {
    return compare(CompareOp.LT, a, b);
  }

  public Reg lt(Reg a, long b) {
    return lt(a, integer(a.type(), b));
  }

  public Reg gt(Reg a, Reg b) {
    return compare(CompareOp.GT, a, b);
  }

  public Reg ge(Reg a, Reg b) {
    return compare(CompareOp.GE, a, b);
  }

  public Reg select(Reg p, Reg a, Reg b) {
    Reg dst = register(a.type());
    emit(new Op.Select(dst, p, a, b));
    return dst;
  }

  /** {@code a} in the given type; {@code a} itself where it has that type. */
  public Reg convert(Reg a, Type type) {
    if (a.type() == type) {
      return a;
    }
    Reg dst = register(type);
    emit(new Op.Convert(dst, a));
    return dst;
  }

  // Memory

  public Reg load(int buffer, Reg index) {
    Reg dst = register(buffers.get(buffer).element().register());
    emit(new Op.Load(dst, buffer, index));
    return dst;
  }

  public void store(int buffer, Reg index, Reg value) {
    emit(new Op.Store(buffer, index, value));
  }

  public Reg loadShared(int array, Reg index) {
    Reg dst = register(shared.get(array).element().register());
    emit(new Op.LoadShared(dst, array, index));
    return dst;
  }

  public void storeShared(int array, Reg index, Reg value) {
    emit(new Op.StoreShared(array, index, value));
  }

  /** The old value; not for CAS. */
  public Reg atomic(AtomicOp op, int buffer, Reg index, Reg value) {
    Reg dst = register(value.type());
    emit(new Op.Atomic(dst, op, buffer, index, value, null));
    return dst;
  }

  /** An atomic operation whose old value is not wanted. */
  public void atomicUpdate(AtomicOp op, int buffer, Reg index, Reg value) {
    emit(new Op.Atomic(null, op, buffer, index, value, null));
  }

  /** Stores {@code value} where the element equals {@code expected}; the old value. */
  public Reg compareAndSwap(int buffer, Reg index, Reg expected, Reg value) {
    Reg dst = register(value.type());
    emit(new Op.Atomic(dst, AtomicOp.CAS, buffer, index, value, expected));
    return dst;
  }

  public Reg atomicShared(AtomicOp op, int array, Reg index, Reg value) {
    Reg dst = register(value.type());
    emit(new Op.AtomicShared(dst, op, array, index, value, null));
    return dst;
  }

  public void atomicSharedUpdate(AtomicOp op, int array, Reg index, Reg value) {
    emit(new Op.AtomicShared(null, op, array, index, value, null));
  }

  public Reg compareAndSwapShared(int array, Reg index, Reg expected, Reg value) {
    Reg dst = register(value.type());
    emit(new Op.AtomicShared(dst, AtomicOp.CAS, array, index, value, expected));
    return dst;
  }

  public void logAppend(int buffer, Reg base, Reg entry, List<Reg> words) {
    emit(new Op.LogAppend(buffer, base, entry, words));
  }

  // Collectives and order

  public Reg ballot(Reg p) {
    Reg dst = register(Type.I32);
    emit(new Op.Ballot(dst, p));
    return dst;
  }

  public Reg shuffle(ShuffleKind kind, Reg a, Reg lane) {
    Reg dst = register(a.type());
    emit(new Op.Shuffle(dst, kind, a, lane));
    return dst;
  }

  public Reg warpReduce(ReduceOp op, Reg a) {
    Reg dst = register(a.type());
    emit(new Op.WarpReduce(dst, op, a));
    return dst;
  }

  public Reg warpRank(Reg p) {
    Reg dst = register(Type.I32);
    emit(new Op.WarpRank(dst, p));
    return dst;
  }

  public Reg blockRank(Reg p) {
    Reg dst = register(Type.I32);
    emit(new Op.BlockRank(dst, p));
    return dst;
  }

  public Reg blockReduce(ReduceOp op, Reg a) {
    Reg dst = register(a.type());
    emit(new Op.BlockReduce(dst, op, a));
    return dst;
  }

  public void barrier() {
    emit(new Op.Barrier());
  }

  public void fence(FenceScope scope) {
    emit(new Op.Fence(scope));
  }

  public void persist(PersistScope scope) {
    emit(new Op.Persist(scope));
  }

  /** {@code code} is 1 to {@link Op#TRAP_CODE_MAX}. */
  public void trap(Reg p, int code, Reg detail) {
    emit(new Op.Trap(p, code, detail));
  }

  // Control flow

  public void ifThen(Reg p, Runnable then) {
    emit(new Op.If(p, nested(then), List.of()));
  }

  public void ifElse(Reg p, Runnable then, Runnable otherwise) {
    List<Op> thenOps = nested(then);
    emit(new Op.If(p, thenOps, nested(otherwise)));
  }

  /** {@code head} writes the operations that compute the condition and returns its register. */
  public void whileLoop(Supplier<Reg> head, Runnable turn) {
    Reg[] condition = new Reg[1];
    List<Op> headOps = nested(() -> condition[0] = head.get());
    emit(new Op.While(headOps, condition[0], nested(turn)));
  }

  private List<Op> nested(Runnable writer) {
    List<Op> outer = open;
    List<Op> inner = new ArrayList<>();
    open = inner;
    try {
      writer.run();
    } finally {
      open = outer;
    }
    return inner;
  }

  /** The kernel, verified. */
  public Kernel build() {
    List<Op> ops = new ArrayList<>(prologue);
    ops.addAll(body);
    Kernel kernel = new Kernel(name, blockSize, buffers, scalars, shared, ops);
    try {
      KernelVerifier.verify(kernel);
    } catch (InvalidKernel e) {
      throw e.ofStatement();
    }
    return kernel;
  }
}
