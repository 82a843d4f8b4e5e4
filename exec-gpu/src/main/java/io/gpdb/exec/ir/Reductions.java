package io.gpdb.exec.ir;

import io.gpdb.exec.ir.Op.ReduceOp;

/** The identities of reductions, as raw bits. */
public final class Reductions {
  private Reductions() {}

  /**
   * What an inactive lane contributes: combined with x on either side it yields x (or +0.0 for
   * -0.0).
   */
  public static long identity(ReduceOp op, Type type) {
    return switch (op) {
      case ADD, OR -> 0;
      case AND -> -1;
      case MIN ->
          switch (type) {
            case I32 -> Integer.MAX_VALUE;
            case I64 -> Long.MAX_VALUE;
            case F32 -> Float.floatToIntBits(Float.NaN);
            case F64 -> Double.doubleToLongBits(Double.NaN);
            case PRED -> throw new IllegalArgumentException("no reduction of predicates");
          };
      case MAX ->
          switch (type) {
            case I32 -> Integer.MIN_VALUE;
            case I64 -> Long.MIN_VALUE;
            case F32 -> Float.floatToIntBits(Float.NEGATIVE_INFINITY);
            case F64 -> Double.doubleToLongBits(Double.NEGATIVE_INFINITY);
            case PRED -> throw new IllegalArgumentException("no reduction of predicates");
          };
    };
  }
}
