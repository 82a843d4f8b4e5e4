package io.gpdb.jdbc.packing;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.function.Consumer;

/**
 * What {@link java.lang.runtime.SwitchBootstraps} links: the number of the first label, from a
 * given one on, that a value has; -1 for null, the number of labels where it has none.
 */
final class SwitchMethod {
  private SwitchMethod() {}

  /** Whether all labels are types, or strings of a switch over types, or names of constants. */
  static boolean isCovered(InvokeDynamicInstruction call) {
    return call.bootstrapArgs().stream()
        .allMatch(label -> label instanceof ClassDesc || label instanceof String);
  }

  static Consumer<CodeBuilder> body(InvokeDynamicInstruction call) {
    List<ConstantDesc> labels = call.bootstrapArgs();
    boolean isOfConstants = call.bootstrapMethod().methodName().equals("enumSwitch");
    ClassDesc selector = call.typeSymbol().parameterType(0);
    return code -> {
      code.aload(0).ifThen(Opcode.IFNULL, then -> then.iconst_m1().ireturn());
      for (int i = 0; i < labels.size(); i++) {
        Label next = code.newLabel();
        code.iload(1).loadConstant(i).if_icmpgt(next);
        switch (labels.get(i)) {
          case ClassDesc type -> code.aload(0).instanceOf(type).ifeq(next);
          case String constant when isOfConstants ->
              code.aload(0).getstatic(selector, constant, selector).if_acmpne(next);
          case ConstantDesc text ->
              code.loadConstant(text)
                  .aload(0)
                  .invokevirtual(CD_Object, "equals", MethodTypeDesc.of(CD_boolean, CD_Object))
                  .ifeq(next);
        }
        code.loadConstant(i).ireturn().labelBinding(next);
      }
      code.loadConstant(labels.size()).ireturn();
    };
  }
}
