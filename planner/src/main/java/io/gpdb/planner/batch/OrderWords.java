package io.gpdb.planner.batch;

import io.gpdb.sql.type.SqlTypeSpec;

/** Values as words that order as signed i64, as the keys of sorts do. */
public final class OrderWords {
  private OrderWords() {}

  /** The word of a value that is no string: floats by their bits, NaN last and -0.0 as 0.0. */
  public static long word(SqlTypeSpec type, long raw) {
    return switch (type.element()) {
      case F32 -> {
        int bits = Float.floatToRawIntBits(Float.intBitsToFloat((int) raw) + 0.0f);
        yield bits ^ (bits >> 31 >>> 1);
      }
      case F64 -> {
        long bits = Double.doubleToRawLongBits(Double.longBitsToDouble(raw) + 0.0);
        yield bits ^ (bits >> 63 >>> 1);
      }
      case I8, I16, I32, I64, CODE -> raw;
    };
  }
}
