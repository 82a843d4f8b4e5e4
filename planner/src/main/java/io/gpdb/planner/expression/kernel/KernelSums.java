package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.OverflowOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneValue;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sums and differences of columns of one type and numbers, as {@code KernelExpressions} makes them
 * of the same expressions; without the planner's classes.
 */
public final class KernelSums implements KernelValues {
  private static final long DECIMAL_END = KernelCasts.power(SqlTypeSpec.NARROW_DIGITS_MAX);

  private final KernelInputs inputs;

  public KernelSums(List<SqlTypeSpec> columnTypes) {
    inputs = new KernelInputs(columnTypes);
  }

  /**
   * Column {@code left} plus or minus column {@code right}, which have one type of whole numbers;
   * traps on NULL unless {@code nullable}.
   */
  public LaneProgram sum(int left, int right, boolean minus, boolean nullable) {
    KernelExpression x = inputs.column(left);
    return sum(x, inputs.column(right), minus, nullable);
  }

  /** As {@link #sum(int, int, boolean, boolean)}, of a column and a number. */
  public LaneProgram sumWithNumber(int left, int number, boolean minus, boolean nullable) {
    KernelExpression x = inputs.column(left);
    return sum(x, inputs.number(x.type(), number), minus, nullable);
  }

  /** A number that a column stores. */
  public LaneProgram number(SqlTypeSpec type, int number, boolean nullable) {
    return stored(inputs.number(type, number).program(), nullable);
  }

  private static LaneProgram sum(
      KernelExpression left, KernelExpression right, boolean minus, boolean nullable) {
    SqlTypeSpec type = left.type();
    LaneProgram x = left.program();
    LaneProgram y = right.program();
    BinaryOp op = minus ? BinaryOp.SUB : BinaryOp.ADD;
    OverflowOp overflow = minus ? OverflowOp.SUB : OverflowOp.ADD;
    return stored(lane -> checked(lane, type, op, overflow, x.emit(lane), y.emit(lane)), nullable);
  }

  /** The program of what a column stores; traps on NULL unless {@code nullable}. */
  public static LaneProgram stored(LaneProgram value, boolean nullable) {
    if (nullable) {
      return value;
    }
    return lane -> {
      LaneValue result = value.emit(lane);
      Reg present = result.present();
      if (present != null) {
        lane.trap(lane.builder().not(present), TrapCodes.NULL_VALUE);
      }
      return LaneValue.of(result.value());
    };
  }

  static boolean isFloat(SqlTypeSpec type) {
    return type.kind() == Kind.REAL || type.kind() == Kind.DOUBLE;
  }

  static LaneValue checked(
      Lane lane, SqlTypeSpec type, BinaryOp op, OverflowOp overflow, LaneValue x, LaneValue y) {
    KernelBuilder b = lane.builder();
    Reg present = KernelLogic.both(b, x, y);
    Reg result = b.binary(op, x.value(), y.value());
    LaneValue value = new LaneValue(result, present);
    if (isFloat(type)) {
      return value;
    }
    if (type.kind() == Kind.DECIMAL) {
      lane.trap(beyond18Digits(b, op, overflow, x, y, result, present), TrapCodes.OUT_OF_RANGE);
      return value;
    }
    boolean narrow = type.kind() == Kind.SMALLINT || type.kind() == Kind.TINYINT;
    if (!narrow || op == BinaryOp.MUL) {
      KernelLogic.trap(
          lane, b.overflow(overflow, x.value(), y.value()), present, TrapCodes.OUT_OF_RANGE);
    }
    return new LaneValue(KernelCasts.ranged(lane, result, value, type), present);
  }

  /** Operands have up to 18 digits, so that only a product can leave 64 bits. */
  private static Reg beyond18Digits(
      KernelBuilder b,
      BinaryOp op,
      OverflowOp overflow,
      LaneValue x,
      LaneValue y,
      Reg result,
      @Nullable Reg present) {
    // Unsigned, as the least of all numbers is its own absolute value.
    Reg beyond = b.compare(CompareOp.UGE, b.unary(UnaryOp.ABS, result), b.i64(DECIMAL_END));
    Reg outside =
        op == BinaryOp.MUL ? b.or(b.overflow(overflow, x.value(), y.value()), beyond) : beyond;
    return present == null ? outside : b.and(outside, present);
  }

  @Override
  public KernelInputs reads() {
    return inputs;
  }

  @Override
  public GpdbException failure(KernelTrap trap) {
    return TrapCodes.translate(trap);
  }
}
