package io.gpdb.exec.ir;

import io.gpdb.exec.ir.InvalidKernel.Rule;
import io.gpdb.exec.ir.Kernel.Access;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Op.UnaryOp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules for one operation by itself: operand types, references, access, codes, constants. */
final class OperandTypes {
  private final Kernel kernel;

  OperandTypes(Kernel kernel) {
    this.kernel = kernel;
  }

  void check(Op op, String place) {
    new Check(kernel, op, place).run();
  }

  static boolean isInteger(Type type) {
    return type == Type.I32 || type == Type.I64;
  }

  static boolean isFloat(Type type) {
    return type == Type.F32 || type == Type.F64;
  }

  /** The check of one operation; the fields are what a message names. */
  private record Check(Kernel kernel, Op op, String place) {
    void run() {
      switch (op) {
        case Op.Const o -> constant(o);
        case Op.Move o -> same(o.dst(), o.a());
        case Op.Scalar o -> {
          reference("scalar", o.index(), kernel.scalars());
          is(o.dst(), kernel.scalars().get(o.index()).type());
        }
        case Op.Special o -> special(o);
        case Op.Unary o -> unary(o);
        case Op.Binary o -> binary(o);
        case Op.Overflow o -> {
          require(isInteger(o.a().type()), o.a(), "an integer");
          same(o.a(), o.b());
          is(o.dst(), Type.PRED);
        }
        case Op.Compare o -> compare(o);
        case Op.Select o -> {
          is(o.p(), Type.PRED);
          same(o.a(), o.b());
          same(o.dst(), o.a());
        }
        case Op.Convert o -> convert(o);
        case Op.Ballot o -> predicateToI32(o.dst(), o.p());
        case Op.WarpRank o -> predicateToI32(o.dst(), o.p());
        case Op.BlockRank o -> predicateToI32(o.dst(), o.p());
        case Op.Shuffle o -> {
          require(o.a().type() != Type.PRED, o.a(), "a number");
          same(o.dst(), o.a());
          is(o.lane(), Type.I32);
        }
        case Op.WarpReduce o -> reduce(o.dst(), o.op(), o.a());
        case Op.BlockReduce o -> reduce(o.dst(), o.op(), o.a());
        case Op.Trap o -> {
          is(o.p(), Type.PRED);
          require(isInteger(o.detail().type()), o.detail(), "an integer");
          if (o.code() < 1 || o.code() > Op.TRAP_CODE_MAX) {
            throw broken(Rule.TRAP_CODE, "code=" + o.code() + ", limit=" + Op.TRAP_CODE_MAX);
          }
        }
        case Op.If o -> is(o.p(), Type.PRED);
        case Op.While o -> is(o.p(), Type.PRED);
        case Op.Barrier o -> {}
        case Op.Fence o -> {}
        case Op.Persist o -> {}
        default -> memory();
      }
    }

    private void memory() {
      switch (op) {
        case Op.Load o -> {
          index(o.index());
          is(o.dst(), buffer(o.buffer(), false).register());
        }
        case Op.Store o -> {
          index(o.index());
          is(o.value(), buffer(o.buffer(), true).register());
        }
        case Op.LoadShared o -> {
          index(o.index());
          is(o.dst(), array(o.array()).register());
        }
        case Op.StoreShared o -> {
          index(o.index());
          is(o.value(), array(o.array()).register());
        }
        case Op.Atomic o -> {
          index(o.index());
          atomic(o.dst(), o.op(), buffer(o.buffer(), true), o.value(), o.compare());
        }
        case Op.AtomicShared o -> {
          index(o.index());
          atomic(o.dst(), o.op(), array(o.array()), o.value(), o.compare());
        }
        case Op.LogAppend o -> logAppend(o);
        default -> throw new IllegalStateException("no rule for " + op);
      }
    }

    private void constant(Op.Const o) {
      boolean fits =
          switch (o.dst().type()) {
            case I32, F32 -> o.bits() == (int) o.bits();
            case I64, F64 -> true;
            case PRED -> o.bits() == 0 || o.bits() == 1;
          };
      if (!fits) {
        throw broken(Rule.CONSTANT, "bits=" + o.bits() + " for " + o.dst().type().text());
      }
    }

    private void special(Op.Special o) {
      boolean wide = o.kind() == SpecialKind.GLOBAL && o.dst().type() == Type.I64;
      require(wide || o.dst().type() == Type.I32, o.dst(), "i32");
    }

    private void unary(Op.Unary o) {
      Type type = o.a().type();
      boolean fits =
          switch (o.op()) {
            case NEG, ABS -> type != Type.PRED;
            case NOT -> !isFloat(type);
            case SQRT, FLOOR, CEIL, ROUND_EVEN, TRUNC -> isFloat(type);
            case POPC, CLZ -> isInteger(type);
            case BITCAST -> type != Type.PRED;
          };
      require(fits, o.a(), "an operand of " + o.op());
      if (o.op() == UnaryOp.BITCAST) {
        boolean wide = type == Type.I64 || type == Type.F64;
        Type integer = wide ? Type.I64 : Type.I32;
        Type floating = wide ? Type.F64 : Type.F32;
        is(o.dst(), isInteger(type) ? floating : integer);
      } else {
        same(o.dst(), o.a());
      }
    }

    private void binary(Op.Binary o) {
      Type type = o.a().type();
      boolean fits =
          switch (o.op()) {
            case ADD, SUB, MUL, DIV, MIN, MAX -> type != Type.PRED;
            case REM, MULHI, SHL, SHR, USHR -> isInteger(type);
            case AND, OR, XOR -> !isFloat(type);
          };
      require(fits, o.a(), "an operand of " + o.op());
      same(o.a(), o.b());
      same(o.dst(), o.a());
    }

    private void compare(Op.Compare o) {
      Type type = o.a().type();
      boolean fits =
          switch (o.op()) {
            case EQ, NE -> true;
            case LT, LE, GT, GE -> type != Type.PRED;
            case ULT, UGE -> isInteger(type);
          };
      require(fits, o.a(), "an operand of " + o.op());
      same(o.a(), o.b());
      is(o.dst(), Type.PRED);
    }

    private void convert(Op.Convert o) {
      Type from = o.a().type();
      Type to = o.dst().type();
      boolean fits = from != to && to != Type.PRED && (from != Type.PRED || isInteger(to));
      require(fits, o.dst(), "a target of convert from " + from.text());
    }

    private void predicateToI32(Reg dst, Reg p) {
      is(p, Type.PRED);
      is(dst, Type.I32);
    }

    private void reduce(Reg dst, ReduceOp reduceOp, Reg a) {
      boolean fits =
          switch (reduceOp) {
            case ADD, MIN, MAX -> a.type() != Type.PRED;
            case AND, OR -> isInteger(a.type());
          };
      require(fits, a, "an operand of " + reduceOp);
      same(dst, a);
    }

    private Element buffer(int number, boolean writes) {
      reference("buffer", number, kernel.buffers());
      Kernel.BufferParam buffer = kernel.buffers().get(number);
      if (writes && buffer.access() != Access.READ_WRITE) {
        throw broken(Rule.ACCESS, "buffer " + buffer.name() + " is read-only");
      }
      return buffer.element();
    }

    private Element array(int number) {
      reference("shared array", number, kernel.shared());
      return kernel.shared().get(number).element();
    }

    private void atomic(
        @Nullable Reg dst, AtomicOp atomicOp, Element element, Reg value, @Nullable Reg compare) {
      if (element != Element.I32 && element != Element.I64) {
        throw broken(Rule.OPERAND_TYPE, "atomic on elements of " + element);
      }
      if ((atomicOp == AtomicOp.CAS) != (compare != null)) {
        throw broken(Rule.ATOMIC_OPERANDS, atomicOp + " with compare operand " + compare);
      }
      is(value, element.register());
      if (dst != null) {
        is(dst, element.register());
      }
      if (compare != null) {
        is(compare, element.register());
      }
    }

    private void logAppend(Op.LogAppend o) {
      if (buffer(o.buffer(), true) != Element.I32) {
        throw broken(Rule.OPERAND_TYPE, "a log needs a buffer of i32");
      }
      is(o.base(), Type.I64);
      is(o.entry(), Type.I32);
      int words = o.words().size();
      if (words < 1 || words > KernelLimits.LOG_WORDS_MAX) {
        throw broken(Rule.LOG_LIMIT, "words=" + words + ", limit=" + KernelLimits.LOG_WORDS_MAX);
      }
      o.words().forEach(word -> is(word, Type.I32));
    }

    private void index(Reg index) {
      require(isInteger(index.type()), index, "an index");
    }

    private void reference(String what, int number, List<?> all) {
      if (number < 0 || number >= all.size()) {
        throw broken(Rule.REFERENCE, what + "=" + number + ", count=" + all.size());
      }
    }

    private void is(Reg register, Type type) {
      require(register.type() == type, register, type.text());
    }

    private void same(Reg a, Reg b) {
      require(a.type() == b.type(), a, "of the type of " + b.text() + " " + b.type().text());
    }

    private void require(boolean holds, Reg register, String wanted) {
      if (!holds) {
        String found = register.text() + " " + register.type().text();
        throw broken(
            Rule.OPERAND_TYPE, op.getClass().getSimpleName() + ": " + found + " is not " + wanted);
      }
    }

    private InvalidKernel broken(Rule rule, String message) {
      return new InvalidKernel(rule, kernel.name(), place, message);
    }
  }
}
