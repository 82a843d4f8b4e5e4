package io.gpdb.bench.mutants;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;

/** What integer arithmetic becomes. */
final class Arithmetic {
  private Arithmetic() {}

  static boolean isMutable(Opcode operator) {
    return switch (operator) {
      case IADD, ISUB, IMUL, IDIV, IREM, IAND, IOR, IXOR, ISHL, ISHR, IUSHR -> true;
      case LADD, LSUB, LMUL, LDIV, LREM, LAND, LOR, LXOR, LSHL, LSHR, LUSHR -> true;
      default -> false;
    };
  }

  /** Bitwise operators lose their second operand: a bit that is forgotten, a mask left out. */
  static void other(CodeBuilder code, Opcode operator) {
    switch (operator) {
      case IADD -> code.isub();
      case ISUB -> code.iadd();
      case IMUL -> code.idiv();
      case IDIV -> code.imul();
      case IREM -> code.imul();
      case ISHL -> code.ishr();
      case ISHR, IUSHR -> code.ishl();
      case IAND, IOR, IXOR -> code.pop();
      case LADD -> code.lsub();
      case LSUB -> code.ladd();
      case LMUL -> code.ldiv();
      case LDIV -> code.lmul();
      case LREM -> code.lmul();
      case LSHL -> code.lshr();
      case LSHR, LUSHR -> code.lshl();
      case LAND, LOR, LXOR -> code.pop2();
      default -> throw new IllegalArgumentException("operator " + operator);
    }
  }
}
