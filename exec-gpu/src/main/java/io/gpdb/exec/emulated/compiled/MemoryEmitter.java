package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.AtomicMemory;
import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Emits a region's loads, stores and atomic operations. */
final class MemoryEmitter {
  private static final ClassDesc ATOMIC_MEMORY = ClassDesc.of(AtomicMemory.class.getName());

  private final CodeBuilder code;
  private final ValueEmitter values;
  private final LanePlaces places;

  MemoryEmitter(ValueEmitter values, LanePlaces places) {
    this.code = values.code;
    this.values = values;
    this.places = places;
  }

  // Accesses of the fast form, known to be in range

  /** Pushes the byte offset of the lane's row, or of its word of a bitmap. */
  private void pushRunOffset(Reg index, Element element, LocalSlots rowOffsets) {
    int shift = ElementCode.shift(element);
    if (places.shape.isRow(index)) {
      code.lload(rowOffsets.get(shift))
          .iload(places.counter())
          .i2l()
          .loadConstant(shift)
          .lshl()
          .ladd();
    } else {
      places.pushRow();
      code.loadConstant(5).iushr().i2l().loadConstant(shift).lshl();
    }
  }

  void loadRun(Op.Load op, LocalSlots rowOffsets) {
    Element element = places.element(op.buffer());
    code.aload(places.segment(op.buffer()));
    values.layout(element, false);
    pushRunOffset(op.index(), element, rowOffsets);
    values.loadElement(element);
  }

  void storeRun(Op.Store op, LocalSlots rowOffsets) {
    Element element = places.element(op.buffer());
    code.aload(places.segment(op.buffer()));
    values.layout(element, true);
    pushRunOffset(op.index(), element, rowOffsets);
    places.load(op.value());
    values.toMemory(element);
    values.storeElement(element);
    if (places.facts.isTracked(op.buffer())) {
      int index = code.allocateLocal(TypeKind.LONG);
      places.pushRow();
      code.i2l().lstore(index);
      reportStored(op.buffer(), index, 0);
    }
  }

  // Checked accesses

  /** Leaves the index in a long local; a lane whose index is out of range traps. */
  private int checkedIndex(Reg index, int lengthLocal) {
    int at = widened(index);
    code.lload(at).lconst_0().lcmp().iflt(places.outOfRange());
    code.lload(at).lload(lengthLocal).lcmp().ifge(places.outOfRange());
    return at;
  }

  private int widened(Reg index) {
    places.load(index);
    if (index.type() != Type.I64) {
      code.i2l();
    }
    int at = code.allocateLocal(TypeKind.LONG);
    code.lstore(at);
    return at;
  }

  private void pushOffset(int index, Element element) {
    code.lload(index).loadConstant(ElementCode.shift(element)).lshl();
  }

  void load(Op.Load op) {
    Element element = places.element(op.buffer());
    int at = checkedIndex(op.index(), places.length(op.buffer()));
    code.aload(places.segment(op.buffer()));
    values.layout(element, false);
    pushOffset(at, element);
    values.loadElement(element);
  }

  void store(Op.Store op) {
    Element element = places.element(op.buffer());
    int at = checkedIndex(op.index(), places.length(op.buffer()));
    code.aload(places.segment(op.buffer()));
    values.layout(element, true);
    pushOffset(at, element);
    places.load(op.value());
    values.toMemory(element);
    values.storeElement(element);
    reportStored(op.buffer(), at, 0);
  }

  /** Where stores are tracked, reports a store to element (index + shift) to the frame. */
  private void reportStored(int buffer, int index, int shift) {
    if (places.facts.isTracked(buffer)) {
      code.aload(LanePlaces.FRAME_LOCAL).loadConstant(buffer).lload(index);
      if (shift != 0) {
        code.loadConstant((long) shift).ladd();
      }
      code.loadConstant(places.element(buffer).bytes());
      code.invokevirtual(
          ValueEmitter.FRAME, "stored", MethodTypeDesc.of(CD_void, CD_int, CD_long, CD_int));
    }
  }

  void atomic(Op.Atomic op) {
    Element element = places.element(op.buffer());
    int at = checkedIndex(op.index(), places.length(op.buffer()));
    code.aload(places.segment(op.buffer()));
    pushOffset(at, element);
    pushOperands(op.value(), op.compare());
    atomicCall(ATOMIC_MEMORY, op.op(), element, ValueEmitter.SEGMENT, CD_long);
    keepOrPop(op.dst(), element);
    reportStored(op.buffer(), at, 0);
  }

  private void pushOperands(Reg value, @Nullable Reg compare) {
    places.load(value);
    if (compare != null) {
      places.load(compare);
    }
  }

  private void atomicCall(
      ClassDesc owner, AtomicOp op, Element element, ClassDesc memory, ClassDesc place) {
    ClassDesc type = OperationCode.javaType(element.register());
    String name = op.name().toLowerCase(Locale.ROOT) + (element == Element.I32 ? "I32" : "I64");
    if (op == AtomicOp.CAS) {
      values.call(owner, name, type, memory, place, type, type);
    } else {
      values.call(owner, name, type, memory, place, type);
    }
  }

  private void keepOrPop(@Nullable Reg dst, Element element) {
    if (dst != null) {
      places.store(dst);
    } else if (element == Element.I64) {
      code.pop2();
    } else {
      code.pop();
    }
  }

  void logAppend(Op.LogAppend op) {
    int first = code.allocateLocal(TypeKind.LONG);
    code.aload(LanePlaces.FRAME_LOCAL);
    places.load(op.base());
    places.load(op.entry());
    code.loadConstant(op.words().size()).loadConstant(op.buffer());
    code.invokevirtual(
        ValueEmitter.FRAME, "logWord", MethodTypeDesc.of(CD_long, CD_long, CD_int, CD_int, CD_int));
    code.lstore(first);
    code.lload(first).lconst_0().lcmp().iflt(places.outOfRange());
    for (int w = 0; w < op.words().size(); w++) {
      code.aload(places.segment(op.buffer()));
      values.layout(Element.I32, true);
      code.lload(first).loadConstant((long) w * Op.WARP_LANES).ladd().loadConstant(2).lshl();
      places.load(op.words().get(w));
      values.storeElement(Element.I32);
      reportStored(op.buffer(), first, w * Op.WARP_LANES);
    }
  }

  // Shared arrays

  /** Pushes array and index; a lane whose index is out of range traps. */
  private Element pushSharedElement(int array, Reg index) {
    int at = widened(index);
    code.lload(at).lconst_0().lcmp().iflt(places.outOfRange());
    code.lload(at).loadConstant((long) places.facts.kernel.shared().get(array).size());
    code.lcmp().ifge(places.outOfRange());
    code.aload(places.sharedArray(array)).lload(at).l2i();
    return places.facts.kernel.shared().get(array).element();
  }

  void loadShared(Op.LoadShared op) {
    Element element = pushSharedElement(op.array(), op.index());
    code.arrayLoad(OperationCode.kind(element.register()));
  }

  void storeShared(Op.StoreShared op) {
    Element element = pushSharedElement(op.array(), op.index());
    places.load(op.value());
    if (element == Element.I8) {
      code.i2b();
    } else if (element == Element.I16) {
      code.i2s();
    }
    code.arrayStore(OperationCode.kind(element.register()));
  }

  void atomicShared(Op.AtomicShared op) {
    Element element = pushSharedElement(op.array(), op.index());
    pushOperands(op.value(), op.compare());
    ClassDesc array = OperationCode.javaType(element.register()).arrayType();
    atomicCall(ATOMIC_MEMORY, op.op(), element, array, CD_int);
    keepOrPop(op.dst(), element);
  }
}
