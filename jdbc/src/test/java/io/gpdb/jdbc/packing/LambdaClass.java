package io.gpdb.jdbc.packing;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.CLASS_INIT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandleInfo;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The class of one lambda or method reference, as {@link LambdaMetafactory} would make it: a field
 * for each captured value, and a method that converts the arguments and calls the body. Without
 * captured values there is one instance.
 */
final class LambdaClass {
  /** The static method that takes the place of the dynamic call. */
  static final String FACTORY = "of";

  private static final String INSTANCE = "INSTANCE";

  private final MethodTypeDesc captured;
  private final DirectMethodHandleDesc body;
  private final MethodTypeDesc stated;
  private final String name;
  private final Set<ClassDesc> interfaces = new LinkedHashSet<>();
  private final Set<MethodTypeDesc> erased = new LinkedHashSet<>();

  private LambdaClass(InvokeDynamicInstruction call) {
    List<ConstantDesc> arguments = call.bootstrapArgs();
    captured = call.typeSymbol();
    name = call.name().stringValue();
    interfaces.add(captured.returnType());
    erased.add((MethodTypeDesc) arguments.get(0));
    body = (DirectMethodHandleDesc) arguments.get(1);
    stated = (MethodTypeDesc) arguments.get(2);
  }

  /** Returns null for a serializable lambda. */
  static LambdaClass of(InvokeDynamicInstruction call) {
    LambdaClass lambda = new LambdaClass(call);
    if (call.bootstrapMethod().methodName().equals("altMetafactory")) {
      List<ConstantDesc> arguments = call.bootstrapArgs();
      int flags = (Integer) arguments.get(3);
      if ((flags & LambdaMetafactory.FLAG_SERIALIZABLE) != 0) {
        return null;
      }
      int next = 4;
      if ((flags & LambdaMetafactory.FLAG_MARKERS) != 0) {
        int count = (Integer) arguments.get(next++);
        for (int i = 0; i < count; i++) {
          lambda.interfaces.add((ClassDesc) arguments.get(next++));
        }
      }
      if ((flags & LambdaMetafactory.FLAG_BRIDGES) != 0) {
        int count = (Integer) arguments.get(next++);
        for (int i = 0; i < count; i++) {
          lambda.erased.add((MethodTypeDesc) arguments.get(next++));
        }
      }
    }
    return lambda;
  }

  byte[] bytes(ClassDesc self, ClassDesc nestHost, int version) {
    return ClassFile.of()
        .build(
            self,
            builder -> {
              builder.withVersion(version, 0);
              builder.withFlags(
                  ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC | ClassFile.ACC_SUPER);
              builder.withInterfaceSymbols(List.copyOf(interfaces));
              builder.with(NestHostAttribute.of(nestHost));
              for (int i = 0; i < captured.parameterCount(); i++) {
                builder.withField(
                    field(i),
                    captured.parameterType(i),
                    ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
              }
              constructor(builder, self);
              factory(builder, self);
              for (MethodTypeDesc type : erased) {
                builder.withMethodBody(
                    name, type, ClassFile.ACC_PUBLIC, code -> method(code, self, type));
              }
            });
  }

  private static String field(int i) {
    return "captured" + i;
  }

  private void constructor(ClassBuilder builder, ClassDesc self) {
    builder.withMethodBody(
        INIT_NAME,
        captured.changeReturnType(CD_void),
        ClassFile.ACC_PRIVATE,
        code -> {
          code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void);
          for (int i = 0; i < captured.parameterCount(); i++) {
            ClassDesc type = captured.parameterType(i);
            code.aload(0)
                .loadLocal(TypeKind.from(type), code.parameterSlot(i))
                .putfield(self, field(i), type);
          }
          code.return_();
        });
  }

  private void factory(ClassBuilder builder, ClassDesc self) {
    MethodTypeDesc constructor = captured.changeReturnType(CD_void);
    if (captured.parameterCount() > 0) {
      builder.withMethodBody(
          FACTORY,
          captured,
          ClassFile.ACC_STATIC,
          code -> {
            code.new_(self).dup();
            for (int i = 0; i < captured.parameterCount(); i++) {
              code.loadLocal(TypeKind.from(captured.parameterType(i)), code.parameterSlot(i));
            }
            code.invokespecial(self, INIT_NAME, constructor).areturn();
          });
      return;
    }
    builder.withField(
        INSTANCE, self, ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_FINAL);
    builder.withMethodBody(
        CLASS_INIT_NAME,
        MTD_void,
        ClassFile.ACC_STATIC,
        code ->
            code.new_(self)
                .dup()
                .invokespecial(self, INIT_NAME, constructor)
                .putstatic(self, INSTANCE, self)
                .return_());
    builder.withMethodBody(
        FACTORY,
        captured,
        ClassFile.ACC_STATIC,
        code -> code.getstatic(self, INSTANCE, self).areturn());
  }

  private void method(CodeBuilder code, ClassDesc self, MethodTypeDesc type) {
    boolean isConstructor = body.refKind() == MethodHandleInfo.REF_newInvokeSpecial;
    boolean isStatic = body.refKind() == MethodHandleInfo.REF_invokeStatic;
    MethodTypeDesc called = MethodTypeDesc.ofDescriptor(body.lookupDescriptor());
    List<ClassDesc> wanted = new ArrayList<>();
    if (isConstructor) {
      code.new_(body.owner()).dup();
    } else if (!isStatic) {
      wanted.add(body.owner());
    }
    wanted.addAll(called.parameterList());
    int captures = captured.parameterCount();
    for (int i = 0; i < captures; i++) {
      ClassDesc field = captured.parameterType(i);
      code.aload(0).getfield(self, field(i), field);
      Conversion.convert(code, field, field, wanted.get(i));
    }
    for (int i = 0; i < type.parameterCount(); i++) {
      ClassDesc parameter = type.parameterType(i);
      code.loadLocal(TypeKind.from(parameter), code.parameterSlot(i));
      Conversion.convert(code, parameter, stated.parameterType(i), wanted.get(captures + i));
    }
    if (isConstructor) {
      code.invokespecial(body.owner(), INIT_NAME, called);
    } else if (isStatic) {
      code.invokestatic(body.owner(), body.methodName(), called, body.isOwnerInterface());
    } else if (body.isOwnerInterface()) {
      code.invokeinterface(body.owner(), body.methodName(), called);
    } else {
      code.invokevirtual(body.owner(), body.methodName(), called);
    }
    returned(code, isConstructor ? body.owner() : called.returnType(), type.returnType());
  }

  private static void returned(CodeBuilder code, ClassDesc result, ClassDesc wanted) {
    if (!wanted.equals(CD_void)) {
      Conversion.convert(code, result, result, wanted);
      code.return_(TypeKind.from(wanted));
      return;
    }
    switch (TypeKind.from(result).slotSize()) {
      case 1 -> code.pop();
      case 2 -> code.pop2();
      default -> {}
    }
    code.return_();
  }
}
