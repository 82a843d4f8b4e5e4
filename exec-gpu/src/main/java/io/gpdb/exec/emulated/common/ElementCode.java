package io.gpdb.exec.emulated.common;

import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_short;

import io.gpdb.exec.ir.Kernel.Element;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;

/** The Java types of elements in memory. Floats are stored as bits. */
public final class ElementCode {
  public static final ClassDesc LAYOUT = ClassDesc.of("java.lang.foreign.ValueLayout");

  private ElementCode() {}

  /** The integer element that a float is stored as. */
  public static Element bits(Element element) {
    return switch (element) {
      case I8, I16, I32, I64 -> element;
      case F32 -> Element.I32;
      case F64 -> Element.I64;
    };
  }

  public static ClassDesc layoutType(Element element) {
    String name =
        switch (element) {
          case I8 -> "OfByte";
          case I16 -> "OfShort";
          case I32 -> "OfInt";
          case I64 -> "OfLong";
          case F32 -> "OfFloat";
          case F64 -> "OfDouble";
        };
    return LAYOUT.nested(name);
  }

  /** The field of ValueLayout that describes the element. */
  public static String layoutField(Element element) {
    return switch (element) {
      case I8 -> "JAVA_BYTE";
      case I16 -> "JAVA_SHORT";
      case I32 -> "JAVA_INT";
      case I64 -> "JAVA_LONG";
      case F32 -> "JAVA_FLOAT";
      case F64 -> "JAVA_DOUBLE";
    };
  }

  public static ClassDesc memoryType(Element element) {
    return switch (element) {
      case I8 -> CD_byte;
      case I16 -> CD_short;
      case I32 -> CD_int;
      case I64 -> CD_long;
      case F32 -> CD_float;
      case F64 -> CD_double;
    };
  }

  public static int shift(Element element) {
    return Integer.numberOfTrailingZeros(element.bytes());
  }

  /** Pops array, index and a memory value. */
  public static void storeArray(CodeBuilder code, Element element) {
    switch (element) {
      case I8 -> code.bastore();
      case I16 -> code.sastore();
      case I32 -> code.iastore();
      case I64 -> code.lastore();
      case F32, F64 -> throw new IllegalArgumentException("floats are kept as bits");
    }
  }
}
