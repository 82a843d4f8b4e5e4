package io.gpdb.exec.library.base;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;

/**
 * Values as i64 that compare, signed, as the values do: integers as they are; floats by their bits,
 * the lower ones flipped where negative. NaN comes last, -0.0 becomes 0.0.
 */
public final class OrderWords {
  private OrderWords() {}

  public static Reg of(KernelBuilder b, Reg value) {
    return switch (value.type()) {
      case I32, PRED, I64 -> b.convert(value, Type.I64);
      case F32 -> b.convert(ordering(b, b.add(value, b.f32(0.0f))), Type.I64);
      case F64 -> ordering(b, b.add(value, b.f64(0.0)));
    };
  }

  /** What {@link #ordering} has for a value of the type. */
  public static Type type(Type value) {
    return switch (value) {
      case I32, PRED, F32 -> Type.I32;
      case I64, F64 -> Type.I64;
    };
  }

  /**
   * A value as an integer of its own width that compares as it does, where equal values need not be
   * equal: -0.0 is below 0.0. Executors compute it, and extremes of it, for many lanes at a time.
   */
  public static Reg ordering(KernelBuilder b, Reg value) {
    return switch (value.type()) {
      case I32, I64 -> value;
      case PRED -> b.convert(value, Type.I32);
      case F32 -> flipped(b, b.bitcast(value), Integer.SIZE - 1);
      case F64 -> flipped(b, b.bitcast(value), Long.SIZE - 1);
    };
  }

  /** All bits but the sign are flipped where that is set. */
  private static Reg flipped(KernelBuilder b, Reg bits, int sign) {
    return b.xor(bits, b.ushr(b.shr(bits, sign), 1));
  }

  /** The word of a value, as a kernel makes it. */
  public static long word(Type type, long raw) {
    return switch (type) {
      case I32, PRED, I64 -> raw;
      case F32 -> {
        int bits = Float.floatToIntBits(Float.intBitsToFloat((int) raw) + 0.0f);
        yield bits ^ (bits >> 31 >>> 1);
      }
      case F64 -> {
        long bits = Double.doubleToLongBits(Double.longBitsToDouble(raw) + 0.0);
        yield bits ^ (bits >> 63 >>> 1);
      }
    };
  }

  /** The raw bits of the value that the word was made of. */
  public static long raw(Type type, long word) {
    return switch (type) {
      case I32, PRED, I64 -> word;
      case F32 -> (int) word ^ ((int) word >> 31 >>> 1);
      case F64 -> word ^ (word >> 63 >>> 1);
    };
  }
}
