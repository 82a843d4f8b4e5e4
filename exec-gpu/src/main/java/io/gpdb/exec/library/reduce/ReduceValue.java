package io.gpdb.exec.library.reduce;

import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.RawOrder;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigInteger;

/**
 * One aggregate of some rows: the number of its values and what they combine to. Immutable.
 *
 * @param function the aggregate function
 * @param type of the result
 * @param count values that were not NULL
 * @param high of an integer sum: the sum of the values' high halves; else 0
 * @param bits of an integer sum: the sum of the low halves; of a float sum: F64 bits; of MIN and
 *     MAX the raw bits
 */
record ReduceValue(Aggregate.Function function, Type type, long count, long high, long bits) {
  ReduceValue merge(ReduceValue next) {
    if (next.count == 0) {
      return this;
    }
    if (count == 0) {
      return next;
    }
    long sum = count + next.count;
    return switch (function) {
      case COUNT -> new ReduceValue(function, type, sum, 0, 0);
      case SUM ->
          type == Type.F64
              ? new ReduceValue(function, type, sum, 0, addDoubles(bits, next.bits))
              : new ReduceValue(function, type, sum, high + next.high, bits + next.bits);
      case MIN -> RawOrder.compare(type, next.bits, bits) < 0 ? next.counted(sum) : counted(sum);
      case MAX -> RawOrder.compare(type, next.bits, bits) > 0 ? next.counted(sum) : counted(sum);
    };
  }

  private static long addDoubles(long a, long b) {
    return Double.doubleToRawLongBits(Double.longBitsToDouble(a) + Double.longBitsToDouble(b));
  }

  private ReduceValue counted(long values) {
    return new ReduceValue(function, type, values, high, bits);
  }

  boolean isNull() {
    return count == 0 && function != Aggregate.Function.COUNT;
  }

  BigInteger exactSum() {
    return BigInteger.valueOf(high).shiftLeft(32).add(BigInteger.valueOf(bits));
  }

  long raw() {
    return switch (function) {
      case COUNT -> count;
      case MIN, MAX -> bits;
      case SUM -> type == Type.F64 ? bits : fitting(exactSum());
    };
  }

  static long fitting(BigInteger sum) {
    if (sum.bitLength() > 63) {
      throw new GpdbException(
          ErrorCode.NUMERIC_OUT_OF_RANGE, "sum does not fit 64 bits: sum=" + sum);
    }
    return sum.longValue();
  }
}
