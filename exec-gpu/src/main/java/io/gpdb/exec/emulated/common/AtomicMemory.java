package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ir.Op.AtomicOp;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Atomic operations: on elements of buffers, which other blocks may use at the same time, and on
 * elements of shared arrays, which only one thread uses. Each returns the old value.
 */
public final class AtomicMemory {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private AtomicMemory() {}

  /** {@code compare} counts for CAS only. */
  public static int i32(AtomicOp op, MemorySegment segment, long offset, int value, int compare) {
    return switch (op) {
      case ADD -> addI32(segment, offset, value);
      case AND -> andI32(segment, offset, value);
      case OR -> orI32(segment, offset, value);
      case EXCHANGE -> exchangeI32(segment, offset, value);
      case MIN -> minI32(segment, offset, value);
      case MAX -> maxI32(segment, offset, value);
      case CAS -> casI32(segment, offset, value, compare);
    };
  }

  public static int addI32(MemorySegment segment, long offset, int value) {
    return (int) INT.getAndAdd(segment, offset, value);
  }

  public static int andI32(MemorySegment segment, long offset, int value) {
    return (int) INT.getAndBitwiseAnd(segment, offset, value);
  }

  public static int orI32(MemorySegment segment, long offset, int value) {
    return (int) INT.getAndBitwiseOr(segment, offset, value);
  }

  public static int exchangeI32(MemorySegment segment, long offset, int value) {
    return (int) INT.getAndSet(segment, offset, value);
  }

  public static int casI32(MemorySegment segment, long offset, int value, int compare) {
    return (int) INT.compareAndExchange(segment, offset, compare, value);
  }

  public static int minI32(MemorySegment segment, long offset, int value) {
    int old = (int) INT.getVolatile(segment, offset);
    while (value < old) {
      int seen = (int) INT.compareAndExchange(segment, offset, old, value);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
    return old;
  }

  public static int maxI32(MemorySegment segment, long offset, int value) {
    int old = (int) INT.getVolatile(segment, offset);
    while (value > old) {
      int seen = (int) INT.compareAndExchange(segment, offset, old, value);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
    return old;
  }

  public static int i32(AtomicOp op, int[] array, int index, int value, int compare) {
    return switch (op) {
      case ADD -> addI32(array, index, value);
      case AND -> andI32(array, index, value);
      case OR -> orI32(array, index, value);
      case EXCHANGE -> exchangeI32(array, index, value);
      case MIN -> minI32(array, index, value);
      case MAX -> maxI32(array, index, value);
      case CAS -> casI32(array, index, value, compare);
    };
  }

  public static int addI32(int[] array, int index, int value) {
    int old = array[index];
    array[index] = old + value;
    return old;
  }

  public static int andI32(int[] array, int index, int value) {
    int old = array[index];
    array[index] = old & value;
    return old;
  }

  public static int orI32(int[] array, int index, int value) {
    int old = array[index];
    array[index] = old | value;
    return old;
  }

  public static int exchangeI32(int[] array, int index, int value) {
    int old = array[index];
    array[index] = value;
    return old;
  }

  public static int minI32(int[] array, int index, int value) {
    int old = array[index];
    array[index] = Math.min(old, value);
    return old;
  }

  public static int maxI32(int[] array, int index, int value) {
    int old = array[index];
    array[index] = Math.max(old, value);
    return old;
  }

  public static int casI32(int[] array, int index, int value, int compare) {
    int old = array[index];
    array[index] = old == compare ? value : old;
    return old;
  }

  /** {@code compare} counts for CAS only. */
  public static long i64(
      AtomicOp op, MemorySegment segment, long offset, long value, long compare) {
    return switch (op) {
      case ADD -> addI64(segment, offset, value);
      case AND -> andI64(segment, offset, value);
      case OR -> orI64(segment, offset, value);
      case EXCHANGE -> exchangeI64(segment, offset, value);
      case MIN -> minI64(segment, offset, value);
      case MAX -> maxI64(segment, offset, value);
      case CAS -> casI64(segment, offset, value, compare);
    };
  }

  public static long addI64(MemorySegment segment, long offset, long value) {
    return (long) LONG.getAndAdd(segment, offset, value);
  }

  public static long andI64(MemorySegment segment, long offset, long value) {
    return (long) LONG.getAndBitwiseAnd(segment, offset, value);
  }

  public static long orI64(MemorySegment segment, long offset, long value) {
    return (long) LONG.getAndBitwiseOr(segment, offset, value);
  }

  public static long exchangeI64(MemorySegment segment, long offset, long value) {
    return (long) LONG.getAndSet(segment, offset, value);
  }

  public static long casI64(MemorySegment segment, long offset, long value, long compare) {
    return (long) LONG.compareAndExchange(segment, offset, compare, value);
  }

  public static long minI64(MemorySegment segment, long offset, long value) {
    long old = (long) LONG.getVolatile(segment, offset);
    while (value < old) {
      long seen = (long) LONG.compareAndExchange(segment, offset, old, value);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
    return old;
  }

  public static long maxI64(MemorySegment segment, long offset, long value) {
    long old = (long) LONG.getVolatile(segment, offset);
    while (value > old) {
      long seen = (long) LONG.compareAndExchange(segment, offset, old, value);
      if (seen == old) {
        return old;
      }
      old = seen;
    }
    return old;
  }

  public static long i64(AtomicOp op, long[] array, int index, long value, long compare) {
    return switch (op) {
      case ADD -> addI64(array, index, value);
      case AND -> andI64(array, index, value);
      case OR -> orI64(array, index, value);
      case EXCHANGE -> exchangeI64(array, index, value);
      case MIN -> minI64(array, index, value);
      case MAX -> maxI64(array, index, value);
      case CAS -> casI64(array, index, value, compare);
    };
  }

  public static long addI64(long[] array, int index, long value) {
    long old = array[index];
    array[index] = old + value;
    return old;
  }

  public static long andI64(long[] array, int index, long value) {
    long old = array[index];
    array[index] = old & value;
    return old;
  }

  public static long orI64(long[] array, int index, long value) {
    long old = array[index];
    array[index] = old | value;
    return old;
  }

  public static long exchangeI64(long[] array, int index, long value) {
    long old = array[index];
    array[index] = value;
    return old;
  }

  public static long minI64(long[] array, int index, long value) {
    long old = array[index];
    array[index] = Math.min(old, value);
    return old;
  }

  public static long maxI64(long[] array, int index, long value) {
    long old = array[index];
    array[index] = Math.max(old, value);
    return old;
  }

  public static long casI64(long[] array, int index, long value, long compare) {
    long old = array[index];
    array[index] = old == compare ? value : old;
    return old;
  }
}
