package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/** Values that find mistakes: small, at the limits, special floats, and any. */
final class GeneratedValues {
  private static final double[] SPECIAL = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1.5,
    2.5,
    -0.3,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MAX_VALUE,
    Double.MIN_VALUE,
    2147483647.0,
    -2147483648.0,
    2147483648.0,
    9.2233720368547758E18,
    -9.2233720368547758E18,
    1e30,
    4503599627370497.5,
    Float.MAX_VALUE,
    Float.MIN_VALUE,
    Float.MIN_NORMAL,
    16777217.0
  };

  private GeneratedValues() {}

  static long bits(Random random, Type type) {
    return switch (type) {
      case I32 -> (int) integer(random, 32);
      case I64 -> integer(random, 64);
      case F32 -> {
        int any = random.nextInt();
        yield random.nextInt(8) == 0 ? any : Float.floatToRawIntBits((float) floating(random));
      }
      case F64 -> {
        long any = random.nextLong();
        yield random.nextInt(8) == 0 ? any : Double.doubleToRawLongBits(floating(random));
      }
      case PRED -> random.nextInt(2);
    };
  }

  private static long integer(Random random, int width) {
    return switch (random.nextInt(6)) {
      case 0 -> random.nextInt(5) - 2;
      case 1 -> random.nextInt(256);
      case 2 -> (1L << (width - 1)) - random.nextInt(2);
      case 3 -> 1L << random.nextInt(width);
      case 4 -> random.nextInt();
      default -> random.nextLong();
    };
  }

  private static double floating(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
      case 1 -> random.nextInt(200) - 100;
      case 2 -> random.nextGaussian() * 1000;
      default -> random.nextGaussian() * Math.pow(2, random.nextInt(120) - 60);
    };
  }

  /** The contents of a buffer of {@code length} elements. */
  static byte[] contents(Random random, Element element, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length * element.bytes()).order(ByteOrder.nativeOrder());
    for (int i = 0; i < length; i++) {
      long bits = bits(random, element.register());
      switch (element.bytes()) {
        case 1 -> bytes.put((byte) bits);
        case 2 -> bytes.putShort((short) bits);
        case 4 -> bytes.putInt((int) bits);
        default -> bytes.putLong(bits);
      }
    }
    return bytes.array();
  }
}
