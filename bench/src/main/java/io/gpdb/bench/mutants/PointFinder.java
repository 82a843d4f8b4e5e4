package io.gpdb.bench.mutants;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Instruction;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.ConstantInstruction;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.IncrementInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.OperatorInstruction;
import java.lang.classfile.instruction.ReturnInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lists the places of a class where a change should be noticed. Left out are what only people read
 * (exceptions' messages, {@code toString}), assertions, counters, and code that the compiler
 * repeats for failures in try-with-resources.
 */
final class PointFinder {
  private static final Set<String> METHODS_LEFT_OUT =
      Set.of("<clinit>", "toString", "hashCode", "$values", "values", "valueOf", "description");
  private static final Set<String> CALLS_LEFT_OUT =
      Set.of("<init>", "addSuppressed", "onSpinWait", "parkNanos");

  private final List<MutationPoint> points = new ArrayList<>();
  private final String className;

  // Of the method at hand.
  private String method = "";
  private int line;
  private Object assertionEnd = "";
  private boolean inAssertion;
  private @Nullable String exceptionMade;
  private @Nullable Instruction before;
  private CompilerCode compiled = new CompilerCode(List.of(), false);
  private ThrownMessages messages = new ThrownMessages(List.of());
  private final List<MutationPoint> ofMethod = new ArrayList<>();
  private final Set<Label> passed = new HashSet<>();
  private final Set<Label> ends = new HashSet<>();

  private PointFinder(String className) {
    this.className = className;
  }

  static List<MutationPoint> points(byte[] classFile) {
    ClassModel model = ClassFile.of().parse(classFile);
    PointFinder finder = new PointFinder(model.thisClass().asInternalName().replace('/', '.'));
    for (MethodModel m : model.methods()) {
      m.code()
          .filter(code -> isCounted(m, code) && !CompilerCode.isAccessor(model, m, code))
          .ifPresent(code -> finder.scan(m, code));
    }
    return finder.points;
  }

  private static boolean isCounted(MethodModel m, CodeModel code) {
    return !METHODS_LEFT_OUT.contains(m.methodName().stringValue())
        && !m.flags().has(AccessFlag.BRIDGE)
        && !CompilerCode.isOfRecords(code);
  }

  private void scan(MethodModel m, CodeModel code) {
    method = m.methodName().stringValue() + m.methodType().stringValue();
    line = 0;
    inAssertion = false;
    exceptionMade = null;
    before = null;
    passed.clear();
    ends.clear();
    boolean constructor = method.startsWith("<");
    List<CodeElement> elements = code.elementList();
    compiled = new CompilerCode(elements, constructor);
    messages = new ThrownMessages(elements);
    ofMethod.clear();
    for (int i = 0; i < elements.size(); i++) {
      CodeElement element = elements.get(i);
      if (element instanceof LabelTarget target) {
        passed.add(target.label());
      }
      if (element instanceof LineNumber number) {
        line = number.line();
      } else if (element instanceof LabelTarget target && target.label().equals(assertionEnd)) {
        inAssertion = false;
      } else if (element instanceof Instruction instruction) {
        if (isCounted(instruction) && !messages.has(i)) {
          add(instruction, i, constructor, elements);
        }
        before = instruction;
      }
    }
    for (MutationPoint point : ofMethod) {
      if (!compiled.isCopy(point.element()) || !isMadeElsewhere(point)) {
        points.add(point.numbered(points.size()));
      }
    }
  }

  /** Whether the same change is made of the same line where the compiler has put it first. */
  private boolean isMadeElsewhere(MutationPoint copy) {
    return ofMethod.stream()
        .anyMatch(
            p ->
                !compiled.isCopy(p.element())
                    && p.line() == copy.line()
                    && p.kind() == copy.kind()
                    && p.detail().equals(copy.detail()));
  }

  /** Whether the instruction is neither of an assertion nor of an exception's making. */
  private boolean isCounted(Instruction instruction) {
    if (inAssertion) {
      return false;
    }
    if (before instanceof FieldInstruction flag
        && flag.name().equalsString("$assertionsDisabled")
        && instruction instanceof BranchInstruction branch) {
      inAssertion = true;
      assertionEnd = branch.target();
      return false;
    }
    if (exceptionMade != null) {
      if (instruction instanceof InvokeInstruction call
          && call.name().equalsString("<init>")
          && call.owner().asInternalName().equals(exceptionMade)) {
        exceptionMade = null;
      }
      return false;
    }
    if (instruction instanceof NewObjectInstruction made
        && (made.className().asInternalName().endsWith("Exception")
            || made.className().asInternalName().endsWith("Error"))) {
      exceptionMade = made.className().asInternalName();
      return false;
    }
    return !(instruction instanceof FieldInstruction flag)
        || !flag.name().equalsString("$assertionsDisabled");
  }

  private void add(
      Instruction instruction, int at, boolean constructor, List<CodeElement> elements) {
    switch (instruction) {
      case BranchInstruction branch -> branch(branch, at, elements);
      case InvokeInstruction call when isRemovable(call, at) ->
          point(at, MutationKind.CALL_REMOVED, calledName(call));
      case FieldInstruction field when isStore(field.opcode()) && !constructor ->
          point(at, MutationKind.STORE_REMOVED, field.name().stringValue());
      case OperatorInstruction operator when operator.opcode() == Opcode.LCMP -> {
        if (!isZero(before)) {
          point(at, MutationKind.PAGE_MORE, "");
          point(at, MutationKind.PAGE_LESS, "");
        }
      }
      case OperatorInstruction operator when Arithmetic.isMutable(operator.opcode()) ->
          point(at, MutationKind.MATH, operator.opcode().name());
      case IncrementInstruction step ->
          point(at, MutationKind.INCREMENT, Integer.toString(step.constant()));
      case ConstantInstruction constant
          when !compiled.isCapacity(at)
              && (constant.constantValue() instanceof Integer
                  || constant.constantValue() instanceof Long) ->
          point(at, MutationKind.CONSTANT, constant.constantValue().toString());
      case ReturnInstruction returned -> returned(returned, at);
      default -> {}
    }
  }

  /** With it signs are compared, or whether there is something: no place is mistaken for it. */
  private static boolean isZero(@Nullable Instruction number) {
    return number instanceof ConstantInstruction constant && constant.constantValue().equals(0L);
  }

  private static boolean isStore(Opcode opcode) {
    return opcode == Opcode.PUTFIELD || opcode == Opcode.PUTSTATIC;
  }

  private void branch(BranchInstruction branch, int at, List<CodeElement> elements) {
    Opcode opcode = branch.opcode();
    if (opcode == Opcode.GOTO || opcode == Opcode.GOTO_W) {
      if (passed.contains(branch.target()) && isBeforeAnEnd(at, elements)) {
        point(at, MutationKind.LOOP_ONCE, "");
      }
      return;
    }
    ends.add(branch.target());
    if (compiled.isResourceCheck(at)) {
      return;
    }
    point(at, MutationKind.NEVER_JUMPS, opcode.name());
    point(at, MutationKind.ALWAYS_JUMPS, opcode.name());
    if (Branches.boundary(opcode) != null) {
      point(at, MutationKind.BOUNDARY, opcode.name());
    }
  }

  /** Whether what follows is where a condition before has jumped to. */
  private boolean isBeforeAnEnd(int at, List<CodeElement> elements) {
    int next = at + 1;
    while (next < elements.size() && !(elements.get(next) instanceof Instruction)) {
      if (elements.get(next) instanceof LabelTarget target && ends.contains(target.label())) {
        return true;
      }
      next++;
    }
    return false;
  }

  private boolean isRemovable(InvokeInstruction call, int at) {
    return call.typeSymbol().returnType().descriptorString().equals("V")
        && !CALLS_LEFT_OUT.contains(call.name().stringValue())
        && !call.owner().asInternalName().endsWith("Counters")
        && !call.owner().asInternalName().startsWith("org/slf4j")
        && !(call.name().equalsString("close") && compiled.isOfFailures(at));
  }

  private static String calledName(InvokeInstruction call) {
    String owner = call.owner().asInternalName();
    return owner.substring(owner.lastIndexOf('/') + 1) + "." + call.name().stringValue();
  }

  /** Numbers and truth values that are not constants, which are changed themselves. */
  private void returned(ReturnInstruction returned, int at) {
    boolean number = returned.opcode() == Opcode.IRETURN || returned.opcode() == Opcode.LRETURN;
    if (number && !(before instanceof ConstantInstruction)) {
      point(at, MutationKind.RETURNS_ZERO, "");
      if (method.endsWith(")Z")) {
        point(at, MutationKind.RETURNS_ONE, "");
      }
    }
  }

  private void point(int element, MutationKind kind, String detail) {
    ofMethod.add(new MutationPoint(className, -1, method, element, line, kind, detail));
  }
}
