package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Kernels of the shapes that scans, sums, groups and joins have, which together run the loops that
 * most kernels are made of; none traps. They are run for the JIT compiler's sake only ({@link
 * Practice}), each over the same buffers: columns {@code c} of whole numbers below {@link #VALUES},
 * {@code r} and {@code d} of floats, {@code b} of random bits, a bitmap of live rows, and results.
 */
final class PracticeKernels {
  static final int ROWS = 1 << 16;

  /** A block for each so many rows; where blocks walk over rows, most find none left. */
  static final int BLOCK_SIZE = 1024;

  static final int VALUES = 256;

  /** Of c; half of the rows are below. */
  static final int BOUND = VALUES / 2;

  private static final int TURNS = 16;
  private static final long FACTOR = 0x9E3779B97F4A7C15L; // spreads numbers that follow each other

  private static final Element[] ELEMENTS = {
    Element.I32, Element.F32, Element.F64, Element.I64, Element.I32, Element.I32, Element.I64
  };

  private static final int TRAP = 1;
  private static final int SIGN = 63;

  private final KernelBuilder k;
  private final Reg rows;
  private final Reg bound;
  private final int c;
  private final int r;
  private final int d;
  private final int b;
  private final int live;
  private final int out32;
  private final int out64;

  private PracticeKernels(String name) {
    k = new KernelBuilder(name).blockSize(BLOCK_SIZE);
    rows = k.scalar("rows", Type.I32);
    bound = k.scalar("bound", Type.I32);
    c = k.input("c", Element.I32);
    r = k.input("r", Element.F32);
    d = k.input("d", Element.F64);
    b = k.input("b", Element.I64);
    live = k.input("live", Element.I32);
    out32 = k.output("out32", Element.I32);
    out64 = k.output("out64", Element.I64);
  }

  static long bytes() {
    return Arrays.stream(ELEMENTS).mapToLong(element -> (long) ROWS * element.bytes()).sum();
  }

  /** The buffers of all kernels, filled, as parts of a memory of {@link #bytes}. */
  static MemorySegment[] buffers(MemorySegment memory) {
    MemorySegment[] buffers = new MemorySegment[ELEMENTS.length];
    long end = 0;
    for (int i = 0; i < buffers.length; i++) {
      long bytes = (long) ROWS * ELEMENTS[i].bytes();
      buffers[i] = memory.asSlice(end, bytes);
      end += bytes;
    }
    for (int row = 0; row < ROWS; row++) {
      long bits = (row + 1) * FACTOR;
      int value = (int) (bits >>> Integer.SIZE) & (VALUES - 1);
      buffers[0].setAtIndex(ValueLayout.JAVA_INT, row, value);
      buffers[1].setAtIndex(ValueLayout.JAVA_FLOAT, row, value);
      buffers[2].setAtIndex(ValueLayout.JAVA_DOUBLE, row, value);
      buffers[3].setAtIndex(ValueLayout.JAVA_LONG, row, bits);
    }
    buffers[4].fill((byte) 0xfd);
    return buffers;
  }

  static List<Kernel> all() {
    return List.of(
        new PracticeKernels("practice_sums").sums(),
        new PracticeKernels("practice_rows").rows(),
        new PracticeKernels("practice_groups").groups(),
        new PracticeKernels("practice_extremes").extremes(),
        new PracticeKernels("practice_keys").keys());
  }

  /** Turns of a block over its rows. */
  private void walk(Consumer<Reg> turn) {
    Reg first = k.mul(k.block(), (long) TURNS * BLOCK_SIZE);
    Reg end = k.min(k.add(first, (long) TURNS * BLOCK_SIZE), rows);
    Reg start = k.variable(first);
    k.whileLoop(
        () -> k.lt(start, end),
        () -> {
          turn.accept(k.add(start, k.thread()));
          k.set(start, k.add(start, BLOCK_SIZE));
        });
  }

  private void whereRow(Reg row, Runnable then) {
    k.ifThen(k.lt(row, rows), then);
  }

  private Reg count(Reg passes) {
    return k.select(passes, k.i32(1), k.i32(0));
  }

  private void storeOfBlock(int buffer, Reg value) {
    k.ifThen(k.eq(k.thread(), 0), () -> k.store(buffer, k.block(), value));
  }

  /** Counts and sums of live rows that pass a filter. */
  private Kernel sums() {
    Reg count = k.variable(k.i32(0));
    Reg whole = k.variable(k.i64(0));
    Reg floats = k.variable(k.f64(0));
    walk(
        row -> {
          Reg passes = k.variable(k.pred(false));
          whereRow(
              row,
              () -> {
                Reg word = k.ushr(k.load(live, k.ushr(row, 5)), row);
                Reg isLive = k.ne(k.and(word, 1), 0);
                k.ifThen(isLive, () -> k.set(passes, k.lt(k.load(c, row), bound)));
              });
          k.set(count, k.add(count, count(passes)));
          k.ifThen(passes, () -> k.set(whole, k.add(whole, k.convert(k.load(c, row), Type.I64))));
          k.ifThen(passes, () -> k.set(floats, k.add(floats, k.convert(k.load(r, row), Type.F64))));
        });
    storeOfBlock(out32, k.blockReduce(ReduceOp.ADD, count));
    storeOfBlock(out64, k.blockReduce(ReduceOp.ADD, whole));
    storeOfBlock(out64, k.bitcast(k.blockReduce(ReduceOp.ADD, floats)));
    return k.build();
  }

  /** Sums of an expression that may overflow, and extremes. */
  private Kernel extremes() {
    Reg sum = k.variable(k.i64(0));
    Reg least = k.variable(k.i32(Integer.MAX_VALUE));
    Reg greatest = k.variable(k.i64(Long.MIN_VALUE));
    walk(
        row -> {
          Reg passes = k.variable(k.pred(false));
          whereRow(
              row,
              () -> {
                Reg value = k.load(c, row);
                k.set(passes, k.and(k.gt(value, k.i32(1)), k.lt(value, bound)));
              });
          k.ifThen(
              passes,
              () -> {
                Reg value = k.load(c, row);
                k.trap(k.overflow(OverflowOp.MUL, value, bound), TRAP, row);
                Reg product = k.mul(value, bound);
                k.trap(k.overflow(OverflowOp.ADD, product, value), TRAP, row);
                k.set(sum, k.add(sum, k.convert(k.add(product, value), Type.I64)));
              });
          k.ifThen(passes, () -> k.set(least, k.min(least, k.load(c, row))));
          k.ifThen(
              passes,
              () -> {
                Reg bits = k.bitcast(k.load(d, row));
                Reg order = k.xor(bits, k.ushr(k.shr(bits, SIGN), 1));
                k.set(greatest, k.max(greatest, order));
              });
        });
    storeOfBlock(out64, k.blockReduce(ReduceOp.ADD, sum));
    storeOfBlock(out32, k.blockReduce(ReduceOp.MIN, least));
    storeOfBlock(out64, k.blockReduce(ReduceOp.MAX, greatest));
    return k.build();
  }

  /** Rows that pass, packed. */
  private Kernel rows() {
    Reg passes = k.variable(k.pred(false));
    whereRow(
        k.global(),
        () -> {
          Reg above = k.compare(CompareOp.UGE, k.load(b, k.global()), k.i64(0));
          k.set(passes, k.and(k.lt(k.load(c, k.global()), bound), above));
        });
    Reg rank = k.blockRank(passes);
    k.ifThen(
        passes,
        () -> {
          Reg to = k.add(k.sub(k.global(), k.thread()), rank);
          k.store(out32, to, k.load(c, k.global()));
          k.store(out64, to, k.not(k.load(b, k.global())));
          k.atomicUpdate(AtomicOp.OR, out64, k.ushr(k.global(), 5), k.i64(1));
        });
    return k.build();
  }

  /** Counts, sums and first rows of few groups. */
  private Kernel groups() {
    int first = k.shared("first", Element.I32, VALUES);
    int counts = k.shared("counts", Element.I32, VALUES);
    int sums = k.shared("sums", Element.I64, VALUES);
    walk(
        row ->
            whereRow(
                row,
                () -> {
                  Reg key = k.convert(k.load(c, row), Type.I64);
                  Reg isOutside = k.compare(CompareOp.UGE, key, k.i64(VALUES));
                  Reg group = k.select(isOutside, k.i64(0), k.sub(key, k.i64(0)));
                  k.atomicSharedUpdate(AtomicOp.MIN, first, group, row);
                  k.atomicSharedUpdate(AtomicOp.ADD, counts, group, k.i32(1));
                  Reg value = k.convert(k.load(c, row), Type.I64);
                  k.atomicSharedUpdate(AtomicOp.ADD, sums, group, value);
                }));
    k.barrier();
    k.ifThen(
        k.lt(k.thread(), k.i32(VALUES)),
        () -> {
          Reg to = k.add(k.mul(k.block(), VALUES), k.thread());
          Reg at = k.loadShared(first, k.thread());
          Reg none = k.eq(at, Integer.MAX_VALUE);
          Reg value = k.add(k.loadShared(sums, k.thread()), k.convert(at, Type.I64));
          k.store(out64, to, k.select(none, k.i64(Long.MAX_VALUE), value));
          k.store(out32, to, k.loadShared(counts, k.thread()));
        });
    return k.build();
  }

  /** Rows whose key another table has, by the ranks of bits. */
  private Kernel keys() {
    Reg count = k.variable(k.i32(0));
    walk(
        row -> {
          Reg found = k.variable(k.i32(-1));
          whereRow(
              row,
              () -> {
                Reg key = k.and(k.load(b, row), ROWS - 1L);
                Reg isIn = k.compare(CompareOp.ULT, key, k.i64(ROWS));
                Reg at = k.select(isIn, key, k.i64(0));
                Reg word = k.load(b, k.ushr(at, 5));
                Reg bit = k.binary(BinaryOp.SHL, k.i64(1), k.and(at, 31));
                Reg before = k.unary(UnaryOp.POPC, k.and(word, k.sub(bit, 1)));
                Reg isSet = k.ne(k.and(word, bit), 0);
                Reg place =
                    k.and(k.convert(k.add(k.ushr(word, 32), before), Type.I32), VALUES - 1L);
                k.set(found, k.select(k.and(isIn, isSet), place, k.i32(-1)));
              });
          Reg passes = k.ge(found, k.i32(0));
          k.set(count, k.add(count, count(passes)));
          k.ifThen(passes, () -> k.set(count, k.max(count, k.load(c, found))));
        });
    storeOfBlock(out32, k.blockReduce(ReduceOp.ADD, count));
    return k.build();
  }
}
