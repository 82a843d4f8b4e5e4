package io.gpdb.jdbc.packing;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * What {@link java.lang.runtime.ObjectMethods} links: equals, hashCode and toString of a record.
 */
final class RecordMethod {
  private static final ClassDesc OBJECTS = ClassDesc.of(Objects.class.getName());
  private static final ClassDesc BUILDER = ClassDesc.of(StringBuilder.class.getName());

  private final ClassDesc type;
  private final List<String> names;
  private final List<DirectMethodHandleDesc> fields;

  private RecordMethod(List<ConstantDesc> arguments) {
    type = (ClassDesc) arguments.get(0);
    String joined = (String) arguments.get(1);
    names = joined.isEmpty() ? List.of() : List.of(joined.split(";", -1));
    fields = arguments.stream().skip(2).map(DirectMethodHandleDesc.class::cast).toList();
  }

  static Consumer<CodeBuilder> body(InvokeDynamicInstruction call) {
    RecordMethod method = new RecordMethod(call.bootstrapArgs());
    return switch (call.name().stringValue()) {
      case "equals" -> method::equal;
      case "hashCode" -> method::hash;
      default -> method::text;
    };
  }

  private ClassDesc load(CodeBuilder code, int slot, int i) {
    ClassDesc field = fields.get(i).invocationType().returnType();
    code.aload(slot).getfield(type, names.get(i), field);
    return field;
  }

  private void equal(CodeBuilder code) {
    Label differs = code.newLabel();
    code.aload(0).aload(1).ifThen(Opcode.IF_ACMPEQ, then -> then.iconst_1().ireturn());
    code.aload(1).instanceOf(type).ifeq(differs);
    code.aload(1).checkcast(type).astore(2);
    for (int i = 0; i < names.size(); i++) {
      load(code, 0, i);
      ClassDesc field = load(code, 2, i);
      if (field.isPrimitive()) {
        ClassDesc box = Conversion.boxOf(field);
        code.invokestatic(box, "compare", MethodTypeDesc.of(CD_int, field, field)).ifne(differs);
      } else {
        code.invokestatic(OBJECTS, "equals", MethodTypeDesc.of(CD_boolean, CD_Object, CD_Object))
            .ifeq(differs);
      }
    }
    code.iconst_1().ireturn().labelBinding(differs).iconst_0().ireturn();
  }

  private void hash(CodeBuilder code) {
    code.iconst_0();
    for (int i = 0; i < names.size(); i++) {
      code.bipush(31).imul();
      ClassDesc field = load(code, 0, i);
      ClassDesc owner = field.isPrimitive() ? Conversion.boxOf(field) : OBJECTS;
      ClassDesc parameter = field.isPrimitive() ? field : CD_Object;
      code.invokestatic(owner, "hashCode", MethodTypeDesc.of(CD_int, parameter)).iadd();
    }
    code.ireturn();
  }

  private void text(CodeBuilder code) {
    code.new_(BUILDER).dup().invokespecial(BUILDER, INIT_NAME, MTD_void);
    String before = type.displayName().replaceFirst(".*\\$\\d*", "") + "[";
    for (int i = 0; i < names.size(); i++) {
      append(code.loadConstant(before + names.get(i) + "="));
      ClassDesc field = load(code, 0, i);
      ClassDesc parameter = field.isPrimitive() ? field : CD_Object;
      code.invokestatic(CD_String, "valueOf", MethodTypeDesc.of(CD_String, widened(parameter)));
      append(code);
      before = ", ";
    }
    append(code.loadConstant(names.isEmpty() ? before + "]" : "]"));
    code.invokevirtual(BUILDER, "toString", MethodTypeDesc.of(CD_String)).areturn();
  }

  private static ClassDesc widened(ClassDesc type) {
    return switch (type.descriptorString()) {
      case "B", "S" -> CD_int;
      default -> type;
    };
  }

  private static void append(CodeBuilder code) {
    code.invokevirtual(BUILDER, "append", MethodTypeDesc.of(BUILDER, CD_String));
  }
}
