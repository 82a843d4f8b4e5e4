package io.gpdb.bench.mutants;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import org.jspecify.annotations.Nullable;

/** What the branch instructions compare. */
final class Branches {
  private Branches() {}

  /** Takes what a conditional branch compares from the stack. */
  static void popOperands(CodeBuilder code, Opcode branch) {
    switch (branch) {
      case IF_ICMPEQ, IF_ICMPNE, IF_ICMPLT, IF_ICMPGE, IF_ICMPGT, IF_ICMPLE, IF_ACMPEQ, IF_ACMPNE ->
          code.pop2();
      default -> code.pop();
    }
  }

  /** The branch that differs where both sides are equal; null for those that test equality. */
  static @Nullable Opcode boundary(Opcode branch) {
    return switch (branch) {
      case IFLT -> Opcode.IFLE;
      case IFLE -> Opcode.IFLT;
      case IFGT -> Opcode.IFGE;
      case IFGE -> Opcode.IFGT;
      case IF_ICMPLT -> Opcode.IF_ICMPLE;
      case IF_ICMPLE -> Opcode.IF_ICMPLT;
      case IF_ICMPGT -> Opcode.IF_ICMPGE;
      case IF_ICMPGE -> Opcode.IF_ICMPGT;
      default -> null;
    };
  }
}
