package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_float;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Emits bytecode for values on the JVM's operand stack. Predicates are ints 0 or 1. */
final class ValueEmitter {
  static final ClassDesc LANE_CODE = ClassDesc.of(LaneCode.class.getName());
  static final ClassDesc FRAME = ClassDesc.of(BlockFrame.class.getName());
  static final ClassDesc SEGMENT = ClassDesc.of("java.lang.foreign.MemorySegment");
  static final ClassDesc LAYOUT = ElementCode.LAYOUT;
  static final ClassDesc MATH = ClassDesc.of("java.lang.Math");
  static final ClassDesc FLOAT = ClassDesc.of("java.lang.Float");
  static final ClassDesc DOUBLE = ClassDesc.of("java.lang.Double");

  final CodeBuilder code;

  ValueEmitter(CodeBuilder code) {
    this.code = code;
  }

  static ClassDesc javaType(Type type) {
    return switch (type) {
      case I32, PRED -> CD_int;
      case I64 -> CD_long;
      case F32 -> CD_float;
      case F64 -> CD_double;
    };
  }

  static TypeKind kind(Type type) {
    return switch (type) {
      case I32, PRED -> TypeKind.INT;
      case I64 -> TypeKind.LONG;
      case F32 -> TypeKind.FLOAT;
      case F64 -> TypeKind.DOUBLE;
    };
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

  /** Calls a LaneCode operation on two values of the type. */
  void lane(String name, ClassDesc result, Type type) {
    call(LANE_CODE, name, result, javaType(type), javaType(type));
  }

  /** Combines the two ints on the stack. */
  void combineI32(BinaryOp op) {
    switch (op) {
      case ADD -> code.iadd();
      case SUB -> code.isub();
      case MUL -> code.imul();
      case DIV -> code.idiv();
      case REM -> code.irem();
      case MIN -> call(MATH, "min", CD_int, CD_int, CD_int);
      case MAX -> call(MATH, "max", CD_int, CD_int, CD_int);
      case AND -> code.iand();
      case OR -> code.ior();
      case XOR -> code.ixor();
      case SHL -> code.ishl();
      case SHR -> code.ishr();
      case USHR -> code.iushr();
      case MULHI -> throw new IllegalArgumentException("MULHI needs longs");
    }
  }

  /** Combines the two longs on the stack. */
  void combineI64(BinaryOp op) {
    switch (op) {
      case ADD -> code.ladd();
      case SUB -> code.lsub();
      case MUL -> code.lmul();
      case DIV -> code.ldiv();
      case REM -> code.lrem();
      case MULHI -> call(MATH, "multiplyHigh", CD_long, CD_long, CD_long);
      case MIN -> call(MATH, "min", CD_long, CD_long, CD_long);
      case MAX -> call(MATH, "max", CD_long, CD_long, CD_long);
      case AND -> code.land();
      case OR -> code.lor();
      case XOR -> code.lxor();
      case SHL -> code.l2i().lshl();
      case SHR -> code.l2i().lshr();
      case USHR -> code.l2i().lushr();
    }
  }

  /** Pops the value for 1, the value for 0, and the predicate. */
  void selectOnStack(Type type) {
    ClassDesc java = javaType(type);
    call(LANE_CODE, "select", java, java, java, CD_int);
  }

  /** Converts the value on the stack. */
  void convert(Type from, Type to) {
    switch (from) {
      case I32, PRED -> {
        switch (to) {
          case I64 -> code.i2l();
          case F32 -> code.i2f();
          case F64 -> code.i2d();
          case I32, PRED -> {}
        }
      }
      case I64 -> {
        switch (to) {
          case I32, PRED -> code.l2i();
          case F32 -> code.l2f();
          case F64 -> code.l2d();
          case I64 -> {}
        }
      }
      case F32 -> {
        switch (to) {
          case I32, PRED -> code.f2i();
          case I64 -> code.f2l();
          case F64 -> code.f2d();
          case F32 -> {}
        }
      }
      case F64 -> {
        switch (to) {
          case I32, PRED -> code.d2i();
          case I64 -> code.d2l();
          case F32 -> code.d2f();
          case F64 -> {}
        }
      }
    }
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
