package io.gpdb.bench.mutants;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.ExceptionCatch;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.classfile.instruction.StoreInstruction;
import java.lang.classfile.instruction.ThrowInstruction;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the compiler has written on its own in a method, or a second time: nobody makes a mistake in
 * it alone.
 */
final class CompilerCode {
  private static final int CLOSE_REACH = 8;

  private final List<CodeElement> elements;
  private final boolean inConstructor;
  private final BitSet copies = new BitSet();
  private final Set<Integer> resourceSlots = new HashSet<>();

  CompilerCode(List<CodeElement> elements, boolean inConstructor) {
    this.elements = elements;
    this.inConstructor = inConstructor;
    Set<Label> handlers = new HashSet<>();
    for (CodeElement element : elements) {
      if (element instanceof ExceptionCatch handler && handler.catchType().isEmpty()) {
        handlers.add(handler.handler());
      }
    }
    for (int i = 0; i < elements.size(); i++) {
      if (elements.get(i) instanceof LabelTarget target && handlers.contains(target.label())) {
        markHandler(i);
      }
      if (isClose(i) && isOfFailures(i) && before(i) instanceof LoadInstruction resource) {
        resourceSlots.add(resource.slot());
      }
    }
  }

  /** Whether the method only returns its record's component of that name: none is written then. */
  static boolean isAccessor(ClassModel model, MethodModel method, CodeModel code) {
    boolean named =
        model.findAttribute(Attributes.record()).stream()
            .flatMap(record -> record.components().stream())
            .anyMatch(
                component -> component.name().equalsString(method.methodName().stringValue()));
    List<Opcode> opcodes =
        code.elementStream()
            .flatMap(e -> e instanceof Instruction i ? Stream.of(i.opcode()) : Stream.of())
            .toList();
    return named
        && opcodes.size() == 3
        && opcodes.get(0) == Opcode.ALOAD_0
        && opcodes.get(1) == Opcode.GETFIELD;
  }

  /** Whether {@code equals}, {@code hashCode} or {@code toString} is the one that records have. */
  static boolean isOfRecords(CodeModel code) {
    return code.elementStream()
        .anyMatch(
            e ->
                e instanceof InvokeDynamicInstruction made
                    && made.bootstrapMethod()
                        .owner()
                        .descriptorString()
                        .endsWith("/ObjectMethods;"));
  }

  /** Whether it is in the copy of a finally block that failures go through. */
  boolean isCopy(int element) {
    return copies.get(element);
  }

  /** Whether the close is the one that try-with-resources has for a block that failed. */
  boolean isOfFailures(int call) {
    int end = Math.min(elements.size(), call + CLOSE_REACH);
    return elements.subList(call, end).stream()
        .anyMatch(e -> e instanceof InvokeInstruction i && i.name().equalsString("addSuppressed"));
  }

  /** Whether the branch is try-with-resources' question whether there is something to close. */
  boolean isResourceCheck(int branch) {
    return elements.get(branch) instanceof BranchInstruction check
        && check.opcode() == Opcode.IFNULL
        && before(branch) instanceof LoadInstruction resource
        && resourceSlots.contains(resource.slot())
        && isCloseOf(resource.slot(), branch);
  }

  /** Whether the constant is how much something that grows has room for at first. */
  boolean isCapacity(int constant) {
    int made = after(constant);
    return elements.get(constant) instanceof ConstantInstruction
        && made >= 0
        && switch (elements.get(made)) {
          case InvokeInstruction call ->
              call.type().stringValue().startsWith("(I)") && isGrowing(call);
          case NewPrimitiveArrayInstruction _, NewReferenceArrayInstruction _ -> isFirst(made);
          default -> false;
        };
  }

  /** A collection of the JDK, or a buffer that says that it is elastic. */
  private static boolean isGrowing(InvokeInstruction call) {
    return call.name().equalsString("<init>")
        ? call.owner().asInternalName().startsWith("java/util/")
        : call.name().stringValue().startsWith("allocateElastic");
  }

  /** Whether a field of an object in the making begins with the array, in which nothing is yet. */
  private boolean isFirst(int array) {
    int stored = after(array);
    return inConstructor
        && stored >= 0
        && elements.get(stored) instanceof FieldInstruction field
        && field.opcode() == Opcode.PUTFIELD;
  }

  /** From the handler's label to where it throws what it caught first. */
  private void markHandler(int label) {
    int first = after(label);
    if (first < 0 || !(elements.get(first) instanceof StoreInstruction caught)) {
      return;
    }
    int at = first;
    while (at >= 0 && !isRethrow(at, caught.slot())) {
      at = after(at);
    }
    if (at > 0) {
      copies.set(first, at);
    }
  }

  private boolean isRethrow(int at, int slot) {
    return elements.get(at) instanceof ThrowInstruction
        && before(at) instanceof LoadInstruction load
        && load.slot() == slot;
  }

  private boolean isClose(int at) {
    return at >= 0
        && elements.get(at) instanceof InvokeInstruction call
        && call.name().equalsString("close");
  }

  private boolean isCloseOf(int slot, int branch) {
    int load = after(branch);
    return load >= 0
        && elements.get(load) instanceof LoadInstruction resource
        && resource.slot() == slot
        && isClose(after(load));
  }

  private CodeElement before(int at) {
    int i = at - 1;
    while (i > 0 && !(elements.get(i) instanceof Instruction)) {
      i--;
    }
    return elements.get(Math.max(0, i));
  }

  /** The next instruction, or -1. */
  private int after(int at) {
    for (int i = at + 1; i < elements.size(); i++) {
      if (elements.get(i) instanceof Instruction) {
        return i;
      }
    }
    return -1;
  }
}
