package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Objects;

/**
 * Emits a region. The general form asks the mask for each lane and checks every index; the fast
 * form goes by its {@link RegionShape}.
 */
final class RegionEmitter extends LaneEmitter {
  private static final ClassDesc MASK = ClassDesc.of(LaneMask.class.getName());
  private static final ClassDesc LAYOUT_TYPE = LAYOUT;

  private final boolean fast;
  private final MemoryEmitter memory;
  private int stride = 1;
  private int on = -1;
  private int path = -1;
  private final LocalSlots rowOffsets = new LocalSlots();
  private final LocalSlots packed = new LocalSlots();
  private final LocalSlots firstRanks = new LocalSlots();

  RegionEmitter(CodeBuilder code, RegionShape shape, boolean fast) {
    super(code, shape);
    this.fast = fast;
    this.branchFree = fast && shape.branchFree;
    this.memory = new MemoryEmitter(this);
  }

  /** Makes the loop run every 32nd lane only. */
  RegionEmitter strided() {
    stride = Op.WARP_LANES;
    return this;
  }

  @Override
  int stride() {
    return stride;
  }

  @Override
  void beforeLoop() {
    if (!fast) {
      on = code.allocateLocal(TypeKind.REFERENCE);
      code.aload(FRAME_LOCAL).getfield(FRAME, "mask", MASK);
      code.getfield(MASK, "on", CD_int.arrayType()).astore(on);
    } else {
      hoistRowOffsets();
      hoistPacked();
    }
  }

  private void hoistRowOffsets() {
    for (int buffer = shape.rowBuffers.nextSetBit(0);
        buffer >= 0;
        buffer = shape.rowBuffers.nextSetBit(buffer + 1)) {
      int shift = ElementCode.shift(element(buffer));
      if (!rowOffsets.has(shift)) {
        int local = code.allocateLocal(TypeKind.LONG);
        rowOffsets.put(shift, local);
        code.iload(firstRow).i2l().loadConstant(shift).lshl().lstore(local);
      }
    }
  }

  private void hoistPacked() {
    for (int number = 0; number < shape.packedStores.size(); number++) {
      Op.Store op = shape.packedStores.get(number);
      int array = code.allocateLocal(TypeKind.REFERENCE);
      packed.put(number, array);
      code.aload(FRAME_LOCAL).getfield(FRAME, "packed", CD_Object.arrayType());
      code.loadConstant(op.buffer()).aaload();
      code.checkcast(packedType(op).arrayType()).astore(array);
      int first = code.allocateLocal(TypeKind.INT);
      firstRanks.put(number, first);
      code.iload(rankTotal(op)).istore(first);
    }
  }

  private ClassDesc packedType(Op.Store op) {
    return ElementCode.memoryType(ElementCode.bits(element(op.buffer())));
  }

  /** The running rank that a packed store goes by. */
  private int rankTotal(Op.Store op) {
    return total(totalNumber(packedRank(op)));
  }

  /** The rank in a packed store's index, which is a sum with it. */
  private Op.BlockRank packedRank(Op.Store op) {
    Op sum = Objects.requireNonNull(facts.use.onlyWriter(op.index().id()));
    for (Op candidate : region.ops()) {
      if (candidate instanceof Op.BlockRank rank && Ops.reads(sum).contains(rank.dst())) {
        return rank;
      }
    }
    throw new IllegalArgumentException("no rank for " + op);
  }

  /** Copies what the loop packed to the buffers. */
  @Override
  void afterLoop() {
    for (int number = 0; fast && number < shape.packedStores.size(); number++) {
      Op.Store op = shape.packedStores.get(number);
      Element element = ElementCode.bits(element(op.buffer()));
      int first = firstRanks.get(number);
      code.aload(packed.get(number)).iload(first).aload(segment(op.buffer()));
      layout(element, false);
      code.aload(FRAME_LOCAL).getfield(FRAME, "firstGlobal", CD_int).iload(first).iadd().i2l();
      code.loadConstant(ElementCode.shift(element)).lshl();
      code.iload(rankTotal(op)).iload(first).isub();
      code.invokestatic(
          SEGMENT,
          "copy",
          MethodTypeDesc.of(CD_void, CD_Object, CD_int, SEGMENT, LAYOUT_TYPE, CD_long, CD_int),
          true);
    }
  }

  @Override
  void lane() {
    resetWarpRanks();
    if (!fast) {
      code.aload(on);
      pushLane();
      code.iaload().ifeq(nextLane);
    }
    LaneEntry entry = LaneEntry.of(this, fast);
    for (Reg register : entry.reloaded()) {
      reload(register);
    }
    for (Reg register : entry.zeroed()) {
      constant(register.type(), 0);
      storeLocal(register.type(), local(register));
    }
    list(region.ops());
  }

  private void resetWarpRanks() {
    for (Op op : region.ops()) {
      if (op instanceof Op.WarpRank) {
        Label inside = code.newLabel();
        pushLane();
        code.loadConstant(Op.WARP_LANES - 1).iand().ifne(inside);
        code.iconst_0().istore(total(totalNumber(op)));
        code.labelBinding(inside);
      }
    }
  }

  private void list(List<Op> ops) {
    ops.forEach(this::operation);
  }

  private void operation(Op op) {
    Reg dst = Ops.write(op);
    if (dst != null && facts.isInline(dst)) {
      return;
    }
    switch (op) {
      case Op.If branch -> branch(branch);
      case Op.While loop -> loop(loop);
      case Op.Trap trap -> trap(trap);
      case Op.Fence fence ->
          code.invokestatic(
              ClassDesc.of("java.lang.invoke.VarHandle"), "fullFence", MethodTypeDesc.of(CD_void));
      case Op.BlockReduce reduce -> reduce(reduce);
      case Op.BlockRank rank -> rank(rank, rank.dst(), rank.p());
      case Op.WarpRank rank -> rank(rank, rank.dst(), rank.p());
      case Op.Special special -> special(special);
      case Op.Scalar scalar -> {
        code.aload(FRAME_LOCAL).getfield(FRAME, "scalars", CD_long.arrayType());
        code.loadConstant(scalar.index()).laload();
        fromBits(scalar.dst().type());
        assign(scalar.dst());
      }
      case Op.Load load -> {
        if (fast && shape.isRunAccess(load.index())) {
          memory.loadRun(load, rowOffsets);
        } else {
          memory.load(load);
        }
        assign(load.dst());
      }
      case Op.Store store -> store(store);
      case Op.LoadShared load -> {
        memory.loadShared(load);
        assign(load.dst());
      }
      case Op.StoreShared store -> memory.storeShared(store);
      case Op.Atomic atomic -> memory.atomic(atomic);
      case Op.AtomicShared atomic -> memory.atomicShared(atomic);
      case Op.LogAppend append -> memory.logAppend(append);
      default -> {
        compute(op);
        assign(Objects.requireNonNull(Ops.write(op)));
      }
    }
  }

  private void special(Op.Special op) {
    switch (op.kind()) {
      case GLOBAL -> {
        pushRow();
        if (op.dst().type() == Type.I64) {
          code.i2l();
        }
      }
      case THREAD -> pushLane();
      case LANE -> {
        pushLane();
        code.loadConstant(Op.WARP_LANES - 1).iand();
      }
      case WARP -> {
        pushLane();
        code.loadConstant(5).iushr();
      }
      case BLOCK -> code.aload(FRAME_LOCAL).getfield(FRAME, "block", CD_int);
      case GRID_SIZE -> code.aload(FRAME_LOCAL).getfield(FRAME, "gridSize", CD_int);
      case BLOCK_SIZE -> code.loadConstant(facts.kernel.blockSize());
    }
    assign(op.dst());
  }

  /** Pops the register's new value; under an If without branches only where its path holds. */
  private void assign(Reg dst) {
    if (path >= 0 && !facts.use.mayOverwriteInactive(dst.id())) {
      load(dst);
      code.iload(path);
      selectOnStack(dst.type());
    }
    store(dst);
  }

  @Override
  void load(Reg register) {
    int known = fast && register.type() == Type.PRED ? shape.known(register) : -1;
    if (known >= 0) {
      code.loadConstant(known);
    } else {
      super.load(register);
    }
  }

  private void branch(Op.If op) {
    List<Op> taken = fast ? shape.taken(op) : null;
    if (taken != null) {
      list(taken);
      return;
    }
    if (branchFree) {
      under(op.p(), false, op.then());
      if (!op.otherwise().isEmpty()) {
        under(op.p(), true, op.otherwise());
      }
      return;
    }
    Label otherwise = code.newLabel();
    Label end = code.newLabel();
    load(op.p());
    code.ifeq(otherwise);
    list(op.then());
    code.goto_(end).labelBinding(otherwise);
    list(op.otherwise());
    code.labelBinding(end);
  }

  /** Computes a list for every lane and keeps what it writes where p, or not p, holds. */
  private void under(Reg p, boolean negated, List<Op> ops) {
    int outer = path;
    int inner = code.allocateLocal(TypeKind.INT);
    load(p);
    if (negated) {
      code.iconst_1().ixor();
    }
    if (outer >= 0) {
      code.iload(outer).iand();
    }
    code.istore(inner);
    path = inner;
    list(ops);
    path = outer;
  }

  private void loop(Op.While op) {
    Label head = code.newLabel();
    Label end = code.newLabel();
    code.labelBinding(head);
    list(op.head());
    load(op.p());
    code.ifeq(end);
    list(op.body());
    code.aload(FRAME_LOCAL).invokevirtual(FRAME, "turn", MethodTypeDesc.of(CD_void));
    code.goto_(head).labelBinding(end);
  }

  private void trap(Op.Trap op) {
    Label goesOn = code.newLabel();
    load(op.p());
    code.ifeq(goesOn);
    code.aload(FRAME_LOCAL);
    pushLane();
    code.loadConstant(op.code());
    load(op.detail());
    if (op.detail().type() == Type.I32) {
      code.i2l();
    }
    code.invokevirtual(FRAME, "trap", MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_long));
    code.goto_(nextLane).labelBinding(goesOn);
  }

  private void reduce(Op.BlockReduce op) {
    int total = total(totalNumber(op));
    Type type = op.dst().type();
    BinaryOp step =
        switch (op.op()) {
          case ADD -> BinaryOp.ADD;
          case MIN -> BinaryOp.MIN;
          case MAX -> BinaryOp.MAX;
          case AND -> BinaryOp.AND;
          case OR -> BinaryOp.OR;
        };
    loadLocal(type, total);
    load(op.a());
    if (type == Type.I32) {
      combineI32(step);
    } else {
      combineI64(step);
    }
    storeLocal(type, total);
  }

  private void rank(Op op, Reg dst, Reg p) {
    int total = total(totalNumber(op));
    code.iload(total);
    load(p);
    code.iload(total).iadd().istore(total);
    assign(dst);
  }

  private void store(Op.Store op) {
    int number = fast ? shape.packedStores.indexOf(op) : -1;
    if (number >= 0) {
      Element element = element(op.buffer());
      code.aload(packed.get(number));
      load(packedRank(op).dst());
      load(op.value());
      toMemory(element);
      ElementCode.storeArray(code, ElementCode.bits(element));
    } else if (fast && facts.isRow(op.index())) {
      memory.storeRun(op, rowOffsets);
    } else {
      memory.store(op);
    }
  }
}
