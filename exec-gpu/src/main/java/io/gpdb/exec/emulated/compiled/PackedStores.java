package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Objects;

/**
 * Stores by rank, which the fast form packs in an array and copies to the buffer after the loop.
 */
final class PackedStores {
  private final CodeBuilder code;
  private final ValueEmitter values;
  private final LanePlaces places;
  private final RegionShape shape;
  private final LocalSlots arrays = new LocalSlots();
  private final LocalSlots firstRanks = new LocalSlots();

  PackedStores(ValueEmitter values, LanePlaces places) {
    this.code = values.code;
    this.values = values;
    this.places = places;
    this.shape = places.shape;
  }

  boolean has(Op.Store op) {
    return shape.packedStores.contains(op);
  }

  void hoist() {
    for (int number = 0; number < shape.packedStores.size(); number++) {
      Op.Store op = shape.packedStores.get(number);
      int array = code.allocateLocal(TypeKind.REFERENCE);
      arrays.put(number, array);
      code.aload(LanePlaces.FRAME_LOCAL);
      code.getfield(ValueEmitter.FRAME, "packed", CD_Object.arrayType());
      code.loadConstant(op.buffer()).aaload();
      code.checkcast(arrayType(op)).astore(array);
      int first = code.allocateLocal(TypeKind.INT);
      firstRanks.put(number, first);
      code.iload(rankTotal(op)).istore(first);
    }
  }

  private ClassDesc arrayType(Op.Store op) {
    return ElementCode.memoryType(ElementCode.bits(places.element(op.buffer()))).arrayType();
  }

  /** The local of the running rank that a packed store goes by. */
  private int rankTotal(Op.Store op) {
    return places.totals.local(rank(op));
  }

  /** The rank in a packed store's index, which is a sum with it. */
  private Op.BlockRank rank(Op.Store op) {
    Op sum = Objects.requireNonNull(shape.facts.use.onlyWriter(op.index().id()));
    for (Op candidate : shape.region.ops()) {
      if (candidate instanceof Op.BlockRank rank && Ops.reads(sum).contains(rank.dst())) {
        return rank;
      }
    }
    throw new IllegalArgumentException("no rank for " + op);
  }

  /** Stores a lane's value in the array. */
  void store(Op.Store op) {
    Element element = places.element(op.buffer());
    code.aload(arrays.get(shape.packedStores.indexOf(op)));
    places.load(rank(op).dst());
    places.load(op.value());
    values.toMemory(element);
    ElementCode.storeArray(code, ElementCode.bits(element));
  }

  /** Copies what the loop packed to the buffers. */
  void copyToBuffers() {
    for (int number = 0; number < shape.packedStores.size(); number++) {
      Op.Store op = shape.packedStores.get(number);
      Element element = ElementCode.bits(places.element(op.buffer()));
      int first = firstRanks.get(number);
      code.aload(arrays.get(number)).iload(first).aload(places.segment(op.buffer()));
      values.layout(element, false);
      code.aload(LanePlaces.FRAME_LOCAL).getfield(ValueEmitter.FRAME, "firstGlobal", CD_int);
      code.iload(first).iadd().i2l();
      code.loadConstant(ElementCode.shift(element)).lshl();
      code.iload(rankTotal(op)).iload(first).isub();
      code.invokestatic(
          ValueEmitter.SEGMENT,
          "copy",
          MethodTypeDesc.of(
              CD_void,
              CD_Object,
              CD_int,
              ValueEmitter.SEGMENT,
              ValueEmitter.LAYOUT,
              CD_long,
              CD_int),
          true);
    }
  }
}
