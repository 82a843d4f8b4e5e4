package io.gpdb.bench.mutants;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.Instruction;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.classfile.instruction.LocalVariable;
import java.lang.classfile.instruction.LocalVariableType;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Function;

/** Writes class files with one instruction changed, or with a probe before each that could be. */
final class ClassChange {
  private static final ClassDesc PROBES = ClassDesc.of(Probes.class.getName());
  private static final MethodTypeDesc HIT =
      MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);

  private final ClassFile classFile;

  /** What takes the place of the method's element of that number; true when something does. */
  private interface Replacement {
    boolean write(CodeBuilder code, int element, CodeElement original);
  }

  /**
   * @param classes finds the classes that the changed ones name
   */
  ClassChange(ClassLoader classes) {
    classFile =
        ClassFile.of(
            ClassFile.ClassHierarchyResolverOption.of(
                ClassHierarchyResolver.ofResourceParsing(classes)
                    .orElse(ClassHierarchyResolver.defaultResolver())));
  }

  byte[] mutate(byte[] original, MutationPoint point) {
    return transform(
        original,
        method ->
            method.equals(point.method())
                ? (builder, element, e) -> {
                  if (element != point.element()) {
                    return false;
                  }
                  point.kind().apply(builder, (Instruction) e);
                  return true;
                }
                : (builder, element, e) -> false);
  }

  /** Has {@link Probes#hit} called with {@code firstId} + index before each point. */
  byte[] withProbes(byte[] original, List<MutationPoint> points, int firstId) {
    return transform(
        original,
        method -> {
          List<MutationPoint> own = points.stream().filter(p -> p.method().equals(method)).toList();
          return (builder, element, e) -> {
            for (MutationPoint point : own) {
              if (point.element() == element) {
                builder.loadConstant(firstId + point.index());
                builder.invokestatic(PROBES, "hit", HIT);
              }
            }
            return false;
          };
        });
  }

  private byte[] transform(byte[] original, Function<String, Replacement> replacements) {
    ClassModel model = classFile.parse(original);
    return classFile.transformClass(
        model,
        (classBuilder, member) -> {
          if (!(member instanceof MethodModel method) || method.code().isEmpty()) {
            classBuilder.with(member);
            return;
          }
          String name = method.methodName().stringValue() + method.methodType().stringValue();
          Replacement replacement = replacements.apply(name);
          classBuilder.transformMethod(
              method, MethodTransform.transformingCode(counting(replacement)));
        });
  }

  /**
   * Where local variables are visible: left out, because a class is refused when that is in code
   * that a change has cut off.
   */
  private static boolean isOfDebuggers(CodeElement e) {
    return e instanceof LocalVariable || e instanceof LocalVariableType;
  }

  private static CodeTransform counting(Replacement replacement) {
    return CodeTransform.ofStateful(
        () ->
            new CodeTransform() {
              private int element;

              @Override
              public void accept(CodeBuilder code, CodeElement e) {
                if (!replacement.write(code, element++, e) && !isOfDebuggers(e)) {
                  code.with(e);
                }
              }
            });
  }
}
