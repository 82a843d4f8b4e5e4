package io.gpdb.exec.emulated;

import io.gpdb.exec.ir.Op.AtomicOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/** Atomic operations on elements of buffers, which other blocks may use at the same time. */
final class AtomicMemory {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private AtomicMemory() {}

  /** The old value; {@code compare} counts for CAS only. */
  static int i32(AtomicOp op, MemorySegment segment, long offset, int value, int compare) {
    return switch (op) {
      case ADD -> (int) INT.getAndAdd(segment, offset, value);
      case AND -> (int) INT.getAndBitwiseAnd(segment, offset, value);
      case OR -> (int) INT.getAndBitwiseOr(segment, offset, value);
      case EXCHANGE -> (int) INT.getAndSet(segment, offset, value);
      case CAS -> (int) INT.compareAndExchange(segment, offset, compare, value);
      case MIN, MAX -> extremeI32(op, segment, offset, value);
    };
  }

  private static int extremeI32(AtomicOp op, MemorySegment segment, long offset, int value) {
    int old = (int) INT.getVolatile(segment, offset);
    while (op == AtomicOp.MIN ? value < old : value > old) {
      int seen = (int) INT.compareAndExchange(segment, offset, old, value);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
    return old;
  }

  static long i64(AtomicOp op, MemorySegment segment, long offset, long value, long compare) {
    return switch (op) {
      case ADD -> (long) LONG.getAndAdd(segment, offset, value);
      case AND -> (long) LONG.getAndBitwiseAnd(segment, offset, value);
      case OR -> (long) LONG.getAndBitwiseOr(segment, offset, value);
      case EXCHANGE -> (long) LONG.getAndSet(segment, offset, value);
      case CAS -> (long) LONG.compareAndExchange(segment, offset, compare, value);
      case MIN, MAX -> extremeI64(op, segment, offset, value);
    };
  }

  private static long extremeI64(AtomicOp op, MemorySegment segment, long offset, long value) {
    long old = (long) LONG.getVolatile(segment, offset);
    while (op == AtomicOp.MIN ? value < old : value > old) {
      long seen = (long) LONG.compareAndExchange(segment, offset, old, value);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
    return old;
  }

  /** The value after the operation on a shared array, which only one thread uses. */
  static int updated(AtomicOp op, int old, int value, int compare) {
    return switch (op) {
      case ADD -> old + value;
      case MIN -> Math.min(old, value);
      case MAX -> Math.max(old, value);
      case AND -> old & value;
      case OR -> old | value;
      case EXCHANGE -> value;
      case CAS -> old == compare ? value : old;
    };
  }

  static long updated(AtomicOp op, long old, long value, long compare) {
    return switch (op) {
      case ADD -> old + value;
      case MIN -> Math.min(old, value);
      case MAX -> Math.max(old, value);
      case AND -> old & value;
      case OR -> old | value;
      case EXCHANGE -> value;
      case CAS -> old == compare ? value : old;
    };
  }
}
