package io.gpdb.exec;

import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.CompareOp;
import io.gpdb.exec.ir.Op.UnaryOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.Random;

/** Random operations of a lane by itself, on registers in scope. */
final class GeneratedArithmetic {
  private static final UnaryOp[] INTEGER_UNARY = {
    UnaryOp.NEG, UnaryOp.NOT, UnaryOp.ABS, UnaryOp.POPC, UnaryOp.CLZ, UnaryOp.BITCAST
  };
  private static final UnaryOp[] FLOAT_UNARY = {
    UnaryOp.NEG,
    UnaryOp.ABS,
    UnaryOp.SQRT,
    UnaryOp.FLOOR,
    UnaryOp.CEIL,
    UnaryOp.ROUND_EVEN,
    UnaryOp.TRUNC,
    UnaryOp.BITCAST
  };
  private static final BinaryOp[] FLOAT_BINARY = {
    BinaryOp.ADD, BinaryOp.SUB, BinaryOp.MUL, BinaryOp.DIV, BinaryOp.MIN, BinaryOp.MAX
  };
  private static final BinaryOp[] PREDICATE_BINARY = {BinaryOp.AND, BinaryOp.OR, BinaryOp.XOR};
  private static final CompareOp[] ORDER = {
    CompareOp.EQ, CompareOp.NE, CompareOp.LT, CompareOp.LE, CompareOp.GT, CompareOp.GE
  };

  private final KernelBuilder b;
  private final Random random;
  private final boolean mayTrap;

  GeneratedArithmetic(KernelBuilder b, Random random, boolean mayTrap) {
    this.b = b;
    this.random = random;
    this.mayTrap = mayTrap;
  }

  Reg any(GeneratedScope scope) {
    return switch (random.nextInt(9)) {
      case 0 -> unary(scope);
      case 1, 2, 3 -> binary(scope);
      case 4 -> compare(scope);
      case 5 -> overflow(scope);
      case 6 -> {
        Type type = scope.type();
        yield b.select(scope.pick(Type.PRED), scope.pick(type), scope.pick(type));
      }
      case 7 -> convert(scope);
      default -> special(scope);
    };
  }

  private Reg unary(GeneratedScope scope) {
    Type type = scope.type();
    UnaryOp op =
        switch (type) {
          case I32, I64 -> one(INTEGER_UNARY);
          case F32, F64 -> one(FLOAT_UNARY);
          case PRED -> UnaryOp.NOT;
        };
    return b.unary(op, scope.pick(type));
  }

  private Reg binary(GeneratedScope scope) {
    Type type = scope.type();
    return switch (type) {
      case I32, I64 -> {
        BinaryOp op = one(BinaryOp.values());
        Reg divisor = scope.pick(type);
        boolean divides = op == BinaryOp.DIV || op == BinaryOp.REM;
        if (divides && !(mayTrap && random.nextInt(8) == 0)) {
          divisor = b.or(divisor, b.integer(type, 1));
        }
        yield b.binary(op, scope.pick(type), divisor);
      }
      case F32, F64 -> b.binary(one(FLOAT_BINARY), scope.pick(type), scope.pick(type));
      case PRED -> b.binary(one(PREDICATE_BINARY), scope.pick(type), scope.pick(type));
    };
  }

  Reg compare(GeneratedScope scope) {
    Type type = scope.type();
    CompareOp op =
        switch (type) {
          case I32, I64 -> one(CompareOp.values());
          case F32, F64 -> one(ORDER);
          case PRED -> random.nextBoolean() ? CompareOp.EQ : CompareOp.NE;
        };
    return b.compare(op, scope.pick(type), scope.pick(type));
  }

  private Reg overflow(GeneratedScope scope) {
    Type type = scope.integerType();
    return b.overflow(one(Op.OverflowOp.values()), scope.pick(type), scope.pick(type));
  }

  private Reg convert(GeneratedScope scope) {
    Type from = scope.type();
    Type to = from == Type.PRED ? scope.integerType() : scope.numberType();
    if (from == to) {
      return b.variable(scope.pick(from));
    }
    return b.convert(scope.pick(from), to);
  }

  private Reg special(GeneratedScope scope) {
    Op.SpecialKind kind = one(Op.SpecialKind.values());
    boolean wide = kind == Op.SpecialKind.GLOBAL && random.nextBoolean();
    Reg dst = b.register(wide ? Type.I64 : Type.I32);
    b.emit(new Op.Special(dst, kind));
    return dst;
  }

  <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
