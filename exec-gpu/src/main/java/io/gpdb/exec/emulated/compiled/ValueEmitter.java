package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Emits bytecode for values on the JVM's operand stack. Predicates are ints 0 or 1. */
final class ValueEmitter {
  static final ClassDesc FRAME = ClassDesc.of(BlockFrame.class.getName());
  static final ClassDesc SEGMENT = ClassDesc.of("java.lang.foreign.MemorySegment");
  static final ClassDesc LAYOUT = ElementCode.LAYOUT;
  private static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
  private static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

  final CodeBuilder code;
  final OperationCode operations;

  ValueEmitter(CodeBuilder code) {
    this.code = code;
    this.operations = new OperationCode(code);
  }

  void constant(Type type, long bits) {
    switch (type) {
      case I32, PRED -> code.loadConstant((int) bits);
      case I64 -> code.loadConstant(bits);
      case F32 -> code.loadConstant(LaneMath.f32(bits));
      case F64 -> code.loadConstant(LaneMath.f64(bits));
    }
  }

  void call(ClassDesc owner, String name, ClassDesc result, ClassDesc... parameters) {
    code.invokestatic(owner, name, MethodTypeDesc.of(result, parameters));
  }

  /** From raw bits as a long on the stack to a value. */
  void fromBits(Type type) {
    switch (type) {
      case I32, PRED -> code.l2i();
      case I64 -> {}
      case F32 -> {
        code.l2i();
        call(FLOAT, "intBitsToFloat", CD_float, CD_int);
      }
      case F64 -> call(DOUBLE, "longBitsToDouble", CD_double, CD_long);
    }
  }

  /** From a value on the stack to raw bits as a long. */
  void toBits(Type type) {
    switch (type) {
      case I32, PRED -> code.i2l();
      case I64 -> {}
      case F32 -> {
        call(FLOAT, "floatToRawIntBits", CD_int, CD_float);
        code.i2l();
      }
      case F64 -> call(DOUBLE, "doubleToRawLongBits", CD_long, CD_double);
    }
  }

  /** Pops segment and byte offset, pushes the element's register value. */
  void loadElement(Element element) {
    ClassDesc layout = ElementCode.layoutType(element);
    ClassDesc value = ElementCode.memoryType(element);
    code.invokeinterface(SEGMENT, "get", MethodTypeDesc.of(value, layout, CD_long));
  }

  /** Pushes the layout constant that {@link #loadElement} and {@link #storeElement} need. */
  void layout(Element element, boolean asBits) {
    Element described = asBits ? ElementCode.bits(element) : element;
    code.getstatic(LAYOUT, ElementCode.layoutField(described), ElementCode.layoutType(described));
  }

  /** Pops segment, layout, offset and a memory value, see {@link #toMemory}. */
  void storeElement(Element element) {
    Element stored = ElementCode.bits(element);
    code.invokeinterface(
        SEGMENT,
        "set",
        MethodTypeDesc.of(
            CD_void, ElementCode.layoutType(stored), CD_long, ElementCode.memoryType(stored)));
  }

  /** From a register value on the stack to what is stored; a NaN becomes canonical. */
  void toMemory(Element element) {
    switch (element) {
      case I8 -> code.i2b();
      case I16 -> code.i2s();
      case I32, I64 -> {}
      case F32 -> call(FLOAT, "floatToIntBits", CD_int, CD_float);
      case F64 -> call(DOUBLE, "doubleToLongBits", CD_long, CD_double);
    }
  }
}
