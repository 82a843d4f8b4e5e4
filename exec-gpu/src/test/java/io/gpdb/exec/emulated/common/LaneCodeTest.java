package io.gpdb.exec.emulated.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Type;
import org.junit.jupiter.api.Test;

/** The arithmetic that generated code calls, compared with the definition at the ends of types. */
class LaneCodeTest {
  private static final long[] VALUES = {
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    Integer.MIN_VALUE - 1L,
    Integer.MIN_VALUE,
    -2,
    -1,
    0,
    1,
    2,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE + 1L,
    Long.MAX_VALUE - 1,
    Long.MAX_VALUE
  };

  @Test
  void comparisonsOfI32() {
    for (long x : VALUES) {
      for (long y : VALUES) {
        int a = (int) x;
        int b = (int) y;
        assertThat(LaneCode.eq(a, b)).isEqualTo(holds(CompareOp.EQ, Type.I32, a, b));
        assertThat(LaneCode.ne(a, b)).isEqualTo(holds(CompareOp.NE, Type.I32, a, b));
        assertThat(LaneCode.lt(a, b)).isEqualTo(holds(CompareOp.LT, Type.I32, a, b));
        assertThat(LaneCode.ult(a, b)).isEqualTo(holds(CompareOp.ULT, Type.I32, a, b));
      }
    }
  }

  @Test
  void comparisonsOfI64() {
    for (long a : VALUES) {
      for (long b : VALUES) {
        assertThat(LaneCode.eq(a, b)).isEqualTo(holds(CompareOp.EQ, Type.I64, a, b));
        assertThat(LaneCode.ne(a, b)).isEqualTo(holds(CompareOp.NE, Type.I64, a, b));
        assertThat(LaneCode.lt(a, b)).isEqualTo(holds(CompareOp.LT, Type.I64, a, b));
        assertThat(LaneCode.ult(a, b)).isEqualTo(holds(CompareOp.ULT, Type.I64, a, b));
      }
    }
  }

  @Test
  void comparisonsOfFloats() {
    double[] values = {Double.NEGATIVE_INFINITY, -1, -0.0, 0.0, 1, 1e30, Double.NaN};
    for (double a : values) {
      for (double b : values) {
        long f64a = LaneMath.bits(a);
        long f64b = LaneMath.bits(b);
        assertThat(LaneCode.eq(a, b)).isEqualTo(holds(CompareOp.EQ, Type.F64, f64a, f64b));
        assertThat(LaneCode.ne(a, b)).isEqualTo(holds(CompareOp.NE, Type.F64, f64a, f64b));
        assertThat(LaneCode.lt(a, b)).isEqualTo(holds(CompareOp.LT, Type.F64, f64a, f64b));
        float c = (float) a;
        float d = (float) b;
        long f32c = LaneMath.bits(c);
        long f32d = LaneMath.bits(d);
        assertThat(LaneCode.eq(c, d)).isEqualTo(holds(CompareOp.EQ, Type.F32, f32c, f32d));
        assertThat(LaneCode.ne(c, d)).isEqualTo(holds(CompareOp.NE, Type.F32, f32c, f32d));
        assertThat(LaneCode.lt(c, d)).isEqualTo(holds(CompareOp.LT, Type.F32, f32c, f32d));
      }
    }
  }

  @Test
  void bitsOfEveryNanAreTheCanonicalOnes() {
    long[] raw = {
      0x7ff0000000000000L,
      0x7ff0000000000001L,
      0x7ff8000000000000L,
      0xfff0000000000000L,
      0xfff0000000000001L,
      -1,
      Long.MIN_VALUE,
      0,
      1,
      0x3ff0000000000000L,
      0xbff0000000000000L
    };
    for (long bits : raw) {
      double value = Double.longBitsToDouble(bits);
      assertThat(LaneCode.bits(value)).isEqualTo(Double.doubleToLongBits(value));
    }
    for (int f : new int[] {0x7f800000, 0x7f800001, 0x7fc00000, 0xff800000, 0xff800001, -1, 1}) {
      float value = Float.intBitsToFloat(f);
      assertThat(LaneCode.bits(value)).isEqualTo(Float.floatToIntBits(value));
    }
  }

  @Test
  void overflows() {
    for (long a : VALUES) {
      for (long b : VALUES) {
        assertThat(LaneCode.addOverflows(a, b)).isEqualTo(leaves(OverflowOp.ADD, Type.I64, a, b));
        assertThat(LaneCode.subOverflows(a, b)).isEqualTo(leaves(OverflowOp.SUB, Type.I64, a, b));
        assertThat(LaneCode.mulOverflows(a, b)).isEqualTo(leaves(OverflowOp.MUL, Type.I64, a, b));
        int c = (int) a;
        int d = (int) b;
        assertThat(LaneCode.addOverflows(c, d)).isEqualTo(leaves(OverflowOp.ADD, Type.I32, c, d));
        assertThat(LaneCode.subOverflows(c, d)).isEqualTo(leaves(OverflowOp.SUB, Type.I32, c, d));
        assertThat(LaneCode.mulOverflows(c, d)).isEqualTo(leaves(OverflowOp.MUL, Type.I32, c, d));
        assertThat(LaneCode.mulhi(c, d)).isEqualTo((int) ((long) c * d >> 32));
      }
    }
  }

  private static int holds(CompareOp op, Type type, long a, long b) {
    return LaneMath.compare(op, type, a, b) ? 1 : 0;
  }

  private static int leaves(OverflowOp op, Type type, long a, long b) {
    return LaneMath.overflows(op, type, a, b) ? 1 : 0;
  }
}
