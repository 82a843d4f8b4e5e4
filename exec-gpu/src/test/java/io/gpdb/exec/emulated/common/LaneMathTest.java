package io.gpdb.exec.emulated.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reductions;
import io.gpdb.exec.ir.Type;
import org.junit.jupiter.api.Test;

class LaneMathTest {
  private static final double NAN = Double.NaN;

  private static long d(double value) {
    return Double.doubleToRawLongBits(value);
  }

  private static long f(float value) {
    return Float.floatToRawIntBits(value);
  }

  private static boolean holds(CompareOp op, double a, double b) {
    boolean wide = LaneMath.compare(op, Type.F64, d(a), d(b));
    assertThat(LaneMath.compare(op, Type.F32, f((float) a), f((float) b))).isEqualTo(wide);
    return wide;
  }

  @Test
  void nanIsEqualToItselfAndAboveAll() {
    assertThat(holds(CompareOp.EQ, NAN, NAN)).isTrue();
    assertThat(holds(CompareOp.NE, NAN, 1)).isTrue();
    assertThat(holds(CompareOp.GT, NAN, Double.POSITIVE_INFINITY)).isTrue();
    assertThat(holds(CompareOp.LT, 1, NAN)).isTrue();
    assertThat(holds(CompareOp.LE, NAN, NAN)).isTrue();
    assertThat(holds(CompareOp.LT, NAN, NAN)).isFalse();
    assertThat(holds(CompareOp.GE, 1, NAN)).isFalse();
  }

  @Test
  void minusZeroEqualsZeroAndTheFirstOfEqualsIsKept() {
    assertThat(holds(CompareOp.EQ, -0.0, 0.0)).isTrue();
    assertThat(holds(CompareOp.LT, -0.0, 0.0)).isFalse();
    assertThat(LaneMath.binary(BinaryOp.MIN, Type.F64, d(0.0), d(-0.0))).isEqualTo(d(0.0));
    assertThat(LaneMath.binary(BinaryOp.MAX, Type.F64, d(-0.0), d(0.0))).isEqualTo(d(-0.0));
    assertThat(LaneMath.binary(BinaryOp.MIN, Type.F64, d(NAN), d(1))).isEqualTo(d(1));
    assertThat(LaneMath.binary(BinaryOp.MAX, Type.F64, d(1), d(NAN))).isEqualTo(d(NAN));
  }

  @Test
  void integersWrap() {
    int min = Integer.MIN_VALUE;
    assertThat(LaneMath.binary(BinaryOp.ADD, Type.I32, Integer.MAX_VALUE, 1)).isEqualTo(min);
    assertThat(LaneMath.binary(BinaryOp.DIV, Type.I32, min, -1)).isEqualTo(min);
    assertThat(LaneMath.binary(BinaryOp.REM, Type.I32, min, -1)).isZero();
    assertThat(LaneMath.unary(UnaryOp.ABS, Type.I32, min)).isEqualTo(min);
    assertThat(LaneMath.unary(UnaryOp.NEG, Type.I64, Long.MIN_VALUE)).isEqualTo(Long.MIN_VALUE);
    assertThat(LaneMath.binary(BinaryOp.SHL, Type.I32, 1, 33)).isEqualTo(2);
    assertThat(LaneMath.binary(BinaryOp.USHR, Type.I32, -1, 28)).isEqualTo(15);
    assertThat(LaneMath.binary(BinaryOp.SHR, Type.I64, -8, 65)).isEqualTo(-4);
    assertThat(LaneMath.binary(BinaryOp.MULHI, Type.I32, -1, 1)).isEqualTo(-1);
    assertThat(LaneMath.binary(BinaryOp.MULHI, Type.I64, 1L << 62, 8)).isEqualTo(2);
  }

  @Test
  void overflowIsSeenExactlyWhereTheResultDoesNotFit() {
    assertThat(LaneMath.overflows(OverflowOp.ADD, Type.I32, Integer.MAX_VALUE, 1)).isTrue();
    assertThat(LaneMath.overflows(OverflowOp.ADD, Type.I64, Integer.MAX_VALUE, 1)).isFalse();
    assertThat(LaneMath.overflows(OverflowOp.SUB, Type.I32, Integer.MIN_VALUE, 1)).isTrue();
    assertThat(LaneMath.overflows(OverflowOp.SUB, Type.I32, -1, Integer.MAX_VALUE)).isFalse();
    assertThat(LaneMath.overflows(OverflowOp.MUL, Type.I64, Long.MIN_VALUE, -1)).isTrue();
    assertThat(LaneMath.overflows(OverflowOp.MUL, Type.I64, 1L << 31, 1L << 31)).isFalse();
  }

  @Test
  void floatsBecomeIntegersTowardZeroWithinTheRange() {
    assertThat(LaneMath.convert(Type.F64, Type.I32, d(-2.9))).isEqualTo(-2);
    assertThat(LaneMath.convert(Type.F64, Type.I32, d(1e10))).isEqualTo(Integer.MAX_VALUE);
    assertThat(LaneMath.convert(Type.F32, Type.I64, f(Float.NEGATIVE_INFINITY)))
        .isEqualTo(Long.MIN_VALUE);
    assertThat(LaneMath.convert(Type.F32, Type.I32, f(Float.NaN))).isZero();
    assertThat(LaneMath.convert(Type.I64, Type.I32, 1L << 32 | 7)).isEqualTo(7);
    assertThat(LaneMath.convert(Type.I64, Type.F32, (1L << 24) + 1)).isEqualTo(f(1 << 24));
    // once rounded: through f64 it would be a tie that goes the other way
    assertThat(LaneMath.convert(Type.I64, Type.F32, 0x8000_0040_0000_0001L))
        .isEqualTo(f((float) 0x8000_0040_0000_0001L));
  }

  @Test
  void roundingGoesAsNamed() {
    assertThat(LaneMath.unary(UnaryOp.ROUND_EVEN, Type.F64, d(2.5))).isEqualTo(d(2));
    assertThat(LaneMath.unary(UnaryOp.ROUND_EVEN, Type.F32, f(3.5f))).isEqualTo(f(4));
    assertThat(LaneMath.unary(UnaryOp.TRUNC, Type.F64, d(-0.5))).isEqualTo(d(-0.0));
    assertThat(LaneMath.unary(UnaryOp.FLOOR, Type.F32, f(-0.5f))).isEqualTo(f(-1));
    assertThat(LaneMath.unary(UnaryOp.CEIL, Type.F64, d(-0.5))).isEqualTo(d(-0.0));
    assertThat(LaneMath.unary(UnaryOp.SQRT, Type.F32, f(2))).isEqualTo(f((float) Math.sqrt(2)));
  }

  @Test
  void bitsOfANanAreCanonical() {
    long payload = 0xfff8_dead_beef_0001L;
    assertThat(LaneMath.unary(UnaryOp.BITCAST, Type.F64, payload))
        .isEqualTo(0x7ff8_0000_0000_0000L);
    assertThat(LaneMath.canonical(Type.F32, 0xffff_ffff_ffc0_0001L)).isEqualTo(0x7fc0_0000);
    assertThat(LaneMath.unary(UnaryOp.BITCAST, Type.I64, payload)).isEqualTo(payload);
  }

  @Test
  void theIdentityChangesNothing() {
    long[] values = {0, 1, -1, 77, Integer.MIN_VALUE, Integer.MAX_VALUE};
    for (ReduceOp op : ReduceOp.values()) {
      for (Type type : new Type[] {Type.I32, Type.I64}) {
        for (long value : values) {
          long identity = Reductions.identity(op, type);
          assertThat(LaneMath.reduce(op, type, value, identity)).isEqualTo(value);
          assertThat(LaneMath.reduce(op, type, identity, value)).isEqualTo(value);
        }
      }
    }
    for (ReduceOp op : new ReduceOp[] {ReduceOp.ADD, ReduceOp.MIN, ReduceOp.MAX}) {
      for (double value : new double[] {0.0, -1.5, Double.NEGATIVE_INFINITY, 1e300, NAN}) {
        long identity = Reductions.identity(op, Type.F64);
        assertThat(LaneMath.reduce(op, Type.F64, d(value), identity)).isEqualTo(d(value));
        assertThat(LaneMath.reduce(op, Type.F64, identity, d(value))).isEqualTo(d(value));
      }
    }
  }
}
