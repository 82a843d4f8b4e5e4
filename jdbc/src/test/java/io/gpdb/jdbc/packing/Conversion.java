package io.gpdb.jdbc.packing;

import static java.lang.constant.ConstantDescs.CD_Boolean;
import static java.lang.constant.ConstantDescs.CD_Byte;
import static java.lang.constant.ConstantDescs.CD_Character;
import static java.lang.constant.ConstantDescs.CD_Double;
import static java.lang.constant.ConstantDescs.CD_Float;
import static java.lang.constant.ConstantDescs.CD_Integer;
import static java.lang.constant.ConstantDescs.CD_Long;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_Short;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Casts, boxes, unboxes and widens a value as a lambda's call needs it. */
final class Conversion {
  private static final List<ClassDesc> BOXES =
      List.of(
          CD_Boolean, CD_Byte, CD_Character, CD_Short, CD_Integer, CD_Long, CD_Float, CD_Double);

  private Conversion() {}

  /**
   * Converts the value on the stack.
   *
   * @param from its type in the erased signature
   * @param stated its type in the signature with type arguments
   * @param to the type that is wanted
   */
  static void convert(CodeBuilder code, ClassDesc from, ClassDesc stated, ClassDesc to) {
    if (from.isPrimitive()) {
      if (to.isPrimitive()) {
        code.conversion(TypeKind.from(from), TypeKind.from(to));
      } else {
        box(code, from);
      }
      return;
    }
    ClassDesc known = stated.isPrimitive() ? from : stated;
    cast(code, from, known);
    if (to.isPrimitive()) {
      ClassDesc box = BOXES.contains(known) ? known : boxOf(to);
      cast(code, known, box);
      unbox(code, box);
      code.conversion(TypeKind.from(primitiveOf(box)), TypeKind.from(to));
    } else {
      cast(code, known, to);
    }
  }

  static void box(CodeBuilder code, ClassDesc primitive) {
    ClassDesc box = boxOf(primitive);
    code.invokestatic(box, "valueOf", MethodTypeDesc.of(box, primitive));
  }

  static ClassDesc boxOf(ClassDesc primitive) {
    return BOXES.stream().filter(b -> primitiveOf(b).equals(primitive)).findFirst().orElseThrow();
  }

  private static void unbox(CodeBuilder code, ClassDesc box) {
    ClassDesc primitive = primitiveOf(box);
    code.invokevirtual(box, primitive.displayName() + "Value", MethodTypeDesc.of(primitive));
  }

  private static ClassDesc primitiveOf(ClassDesc box) {
    return TypeKind.fromDescriptor(
            switch (box.displayName()) {
              case "Boolean" -> "Z";
              case "Long" -> "J";
              default -> box.displayName().substring(0, 1);
            })
        .upperBound();
  }

  private static void cast(CodeBuilder code, ClassDesc from, ClassDesc to) {
    if (!to.equals(from) && !to.equals(CD_Object)) {
      code.checkcast(to);
    }
  }
}
