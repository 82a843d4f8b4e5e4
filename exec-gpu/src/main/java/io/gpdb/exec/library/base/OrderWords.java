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
      case F32 -> {
        Reg bits = b.bitcast(b.add(value, b.f32(0.0f)));
        yield b.convert(b.xor(bits, b.ushr(b.shr(bits, 31), 1)), Type.I64);
      }
      case F64 -> {
        Reg bits = b.bitcast(b.add(value, b.f64(0.0)));
        yield b.xor(bits, b.ushr(b.shr(bits, 63), 1));
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
