package io.gpdb.exec.ptx;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.EnumMap;
import java.util.Map;

/**
 * The instructions of one entry as they are written, with its virtual registers. A kernel register
 * keeps its number: {@code %r5 %rd5 %f5 %fd5 %p5} by type; temporaries have a {@code t}.
 */
final class PtxText {
  /** Holds in lanes that have not trapped. */
  static final String ALIVE = "%alive";

  private final StringBuilder body = new StringBuilder();
  private final Map<Type, Integer> temporaries = new EnumMap<>(Type.class);
  private int registers;
  private int labels;

  /** Writes one instruction; each {@code #} is replaced by the next operand. */
  void emit(String pattern, Object... operands) {
    body.append("  ");
    int next = 0;
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '#') {
        Object operand = operands[next++];
        body.append(operand instanceof Reg register ? name(register) : operand);
      } else {
        body.append(c);
      }
    }
    if (next != operands.length) {
      throw new IllegalStateException(pattern + " has " + next + " of " + operands.length);
    }
    body.append(";\n");
  }

  void place(String label) {
    body.append(label).append(":\n");
  }

  String label() {
    return "$L" + labels++;
  }

  String temporary(Type type) {
    int number = temporaries.merge(type, 1, Integer::sum);
    return "%t" + letters(type) + number;
  }

  String name(Reg register) {
    registers = Math.max(registers, register.id() + 1);
    return "%" + letters(register.type()) + register.id();
  }

  private static String letters(Type type) {
    return switch (type) {
      case I32 -> "r";
      case I64 -> "rd";
      case F32 -> "f";
      case F64 -> "fd";
      case PRED -> "p";
    };
  }

  /** The type of registers in declarations and moves. */
  static String bits(Type type) {
    return switch (type) {
      case I32 -> "b32";
      case I64 -> "b64";
      case F32 -> "f32";
      case F64 -> "f64";
      case PRED -> "pred";
    };
  }

  /** The type of signed arithmetic. */
  static String signed(Type type) {
    return switch (type) {
      case I32 -> "s32";
      case I64 -> "s64";
      case F32 -> "f32";
      case F64 -> "f64";
      case PRED -> "pred";
    };
  }

  /** The type of loads and stores of an element; narrow integers are sign-extended. */
  static String memory(Kernel.Element element) {
    return switch (element) {
      case I8 -> "s8";
      case I16 -> "s16";
      case I32 -> "b32";
      case I64 -> "b64";
      case F32 -> "f32";
      case F64 -> "f64";
    };
  }

  /** A constant operand. */
  static String literal(Type type, long bits) {
    return switch (type) {
      case I32 -> Integer.toString((int) bits);
      case I64 -> String.format("0x%016x", bits);
      case F32 -> String.format("0f%08x", (int) bits);
      case F64 -> String.format("0d%016x", bits);
      case PRED -> throw new IllegalArgumentException("PTX has no predicate constants");
    };
  }

  static boolean isWide(Type type) {
    return type == Type.I64 || type == Type.F64;
  }

  static boolean isFloat(Type type) {
    return type == Type.F32 || type == Type.F64;
  }

  String declarations() {
    StringBuilder text = new StringBuilder("  .reg .pred " + ALIVE + ";\n");
    for (Type type : Type.values()) {
      String declaration = "  .reg ." + bits(type) + " %";
      if (registers > 0) {
        text.append(declaration).append(letters(type)).append("<" + registers + ">;\n");
      }
      int count = temporaries.getOrDefault(type, 0);
      if (count > 0) {
        text.append(declaration).append("t" + letters(type)).append("<" + (count + 1) + ">;\n");
      }
    }
    return text.toString();
  }

  String body() {
    return body.toString();
  }
}
