package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.lane.Lane;
import io.gpdb.exec.library.lane.LaneValue;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Three-valued logic in kernels. */
public final class KernelLogic {
  private KernelLogic() {}

  /** "Neither is NULL"; null when neither can be. */
  public static @Nullable Reg both(KernelBuilder b, LaneValue x, LaneValue y) {
    Reg first = x.present();
    Reg second = y.present();
    if (first == null) {
      return second;
    }
    return second == null || second.equals(first) ? first : b.binary(BinaryOp.AND, first, second);
  }

  public static Reg isTrue(KernelBuilder b, LaneValue value) {
    Reg present = value.present();
    return present == null ? value.value() : b.binary(BinaryOp.AND, value.value(), present);
  }

  public static Reg isFalse(KernelBuilder b, LaneValue value) {
    Reg not = b.not(value.value());
    Reg present = value.present();
    return present == null ? not : b.binary(BinaryOp.AND, not, present);
  }

  static LaneValue not(KernelBuilder b, LaneValue value) {
    return new LaneValue(b.not(value.value()), value.present());
  }

  static LaneValue and(KernelBuilder b, LaneValue x, LaneValue y) {
    if (!x.isNullable() && !y.isNullable()) {
      return LaneValue.of(b.binary(BinaryOp.AND, x.value(), y.value()));
    }
    Reg isTrue = b.binary(BinaryOp.AND, isTrue(b, x), isTrue(b, y));
    Reg isFalse = b.binary(BinaryOp.OR, isFalse(b, x), isFalse(b, y));
    return new LaneValue(isTrue, b.binary(BinaryOp.OR, isTrue, isFalse));
  }

  static LaneValue or(KernelBuilder b, LaneValue x, LaneValue y) {
    if (!x.isNullable() && !y.isNullable()) {
      return LaneValue.of(b.binary(BinaryOp.OR, x.value(), y.value()));
    }
    Reg isTrue = b.binary(BinaryOp.OR, isTrue(b, x), isTrue(b, y));
    Reg isFalse = b.binary(BinaryOp.AND, isFalse(b, x), isFalse(b, y));
    return new LaneValue(isTrue, b.binary(BinaryOp.OR, isTrue, isFalse));
  }

  /**
   * {@code operands} joined by AND or OR where later ones are evaluated only for lanes that the
   * earlier ones leave undecided: for operands that can trap.
   */
  static LaneValue lazily(Lane lane, List<Supplier<LaneValue>> operands, boolean conjunction) {
    KernelBuilder b = lane.builder();
    LaneValue first = operands.getFirst().get();
    Reg value = b.variable(isTrue(b, first));
    Reg present = b.variable(first.present() == null ? b.pred(true) : requirePresent(first));
    for (Supplier<LaneValue> operand : operands.subList(1, operands.size())) {
      LaneValue soFar = new LaneValue(value, present);
      Reg undecided = b.not(conjunction ? isFalse(b, soFar) : isTrue(b, soFar));
      b.ifThen(
          undecided,
          () -> {
            LaneValue next = operand.get();
            LaneValue joined = conjunction ? and(b, soFar, next) : or(b, soFar, next);
            b.set(value, joined.value());
            b.set(present, joined.present() == null ? b.pred(true) : requirePresent(joined));
          });
    }
    return new LaneValue(value, present);
  }

  static Reg requirePresent(LaneValue value) {
    Reg present = value.present();
    if (present == null) {
      throw new IllegalStateException("value is never NULL");
    }
    return present;
  }

  /** Presence as a register, true where the value is never NULL. */
  public static Reg presence(KernelBuilder b, LaneValue value) {
    Reg present = value.present();
    return present == null ? b.pred(true) : present;
  }

  /** A value in a variable that branches assign. */
  static LaneValue variable(KernelBuilder b, Type type) {
    return new LaneValue(b.variable(b.constant(type, 0)), b.variable(b.pred(false)));
  }

  static void assign(KernelBuilder b, LaneValue variable, LaneValue value) {
    b.set(variable.value(), value.value());
    b.set(requirePresent(variable), presence(b, value));
  }

  /** Where p holds and the value is present, the row fails. */
  static void trap(Lane lane, Reg p, @Nullable Reg present, int code) {
    KernelBuilder b = lane.builder();
    lane.trap(present == null ? p : b.and(p, present), code);
  }
}
