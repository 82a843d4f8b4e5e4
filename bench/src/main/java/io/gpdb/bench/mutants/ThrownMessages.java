package io.gpdb.bench.mutants;

import java.lang.classfile.CodeElement;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a method only does to tell another one what to say in the exception that it makes and that
 * is thrown at once: {@code throw damaged(at + 1, rows)}.
 */
final class ThrownMessages {
  private final BitSet found = new BitSet();

  ThrownMessages(List<CodeElement> elements) {
    Set<Label> targets = new HashSet<>();
    for (CodeElement element : elements) {
      if (element instanceof BranchInstruction branch) {
        targets.add(branch.target());
      }
    }
    int from = 0;
    boolean isMade = false;
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof ThrowInstruction && isMade) {
        found.set(from, i);
      }
      if (isStatement(element)
          || (element instanceof LabelTarget target && targets.contains(target.label()))) {
        from = i + 1;
      }
      if (element instanceof Instruction) {
        isMade = element instanceof InvokeInstruction call && returnsException(call);
      }
    }
  }

  /** Whether the element is one of them. */
  boolean has(int element) {
    return found.get(element);
  }

  /** Whether it does something by itself; what comes before it is for it, not for the throw. */
  private static boolean isStatement(CodeElement element) {
    return element instanceof BranchInstruction
        || element instanceof StoreInstruction
        || element instanceof IncrementInstruction
        || element instanceof ThrowInstruction
        || (element instanceof FieldInstruction field && field.opcode().name().startsWith("PUT"))
        || (element instanceof InvokeInstruction call
            && !call.name().equalsString("<init>")
            && call.typeSymbol().returnType().descriptorString().equals("V"));
  }

  private static boolean returnsException(InvokeInstruction call) {
    String returned = call.typeSymbol().returnType().displayName();
    return returned.endsWith("Exception") || returned.endsWith("Error");
  }
}
