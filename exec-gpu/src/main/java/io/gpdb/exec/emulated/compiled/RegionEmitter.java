package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import io.gpdb.exec.emulated.common.ElementCode;
import io.gpdb.exec.emulated.common.LaneMask;
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
 * Emits a region: a loop over the lanes of a call. The general form asks the mask for each lane and
 * checks every index; the fast form goes by its {@link RegionShape}.
 *
 * <pre>
 *   void region(BlockFrame frame, int from, int to) {
 *     n = to - from; firstRow = frame.firstGlobal + from; ...       // hoisted; or shape.start + from
 *     for (i = 0; i &lt; n; i++) { ... }                            // lane from + i
 *   }
 * </pre>
 *
 * The counter starts at 0 and byte offsets are (first row's offset) + ((long) i &lt;&lt; shift):
 * the form that the JIT compiler vectorises.
 */
final class RegionEmitter {
  private static final int FRAME_LOCAL = LanePlaces.FRAME_LOCAL;
  private static final ClassDesc FRAME = ValueEmitter.FRAME;
  private static final ClassDesc MASK = ClassDesc.of(LaneMask.class.getName());

  private final CodeBuilder code;
  private final RegionShape shape;
  private final KernelFacts facts;
  private final boolean fast;
  private final boolean branchFree;
  private final ValueEmitter values;
  private final Label nextLane;
  private final LanePlaces places;
  private final FrameValues frame;
  private final PackedStores packed;
  private final ComputeEmitter computations;
  private final MemoryEmitter memory;
  private final LocalSlots rowOffsets = new LocalSlots();
  private boolean looks;
  private int trapping = -1;
  private int laneTraps = -1;
  private int stride = 1;
  private int on = -1;
  private int path = -1;

  RegionEmitter(CodeBuilder code, RegionShape shape, boolean fast) {
    this.code = code;
    this.shape = shape;
    this.facts = shape.facts;
    this.fast = fast;
    this.branchFree = fast && shape.branchFree;
    this.values = new ValueEmitter(code);
    this.nextLane = code.newLabel();
    this.places = new LanePlaces(values, shape, fast);
    this.frame = new FrameValues(values, facts);
    this.packed = new PackedStores(values, places);
    this.computations = new ComputeEmitter(values, places, facts, branchFree);
    this.memory = new MemoryEmitter(values, places);
  }

  /** Makes the loop run every 32nd lane only. */
  RegionEmitter strided() {
    stride = Op.WARP_LANES;
    return this;
  }

  /** Makes the region find out whether a lane would trap, and do nothing else. */
  RegionEmitter looking() {
    looks = true;
    places.keepNothing();
    return this;
  }

  void emit() {
    places.hoist();
    if (fast) {
      hoistRowOffsets();
      if (looks) {
        trapping = code.allocateLocal(TypeKind.INT);
        laneTraps = code.allocateLocal(TypeKind.INT);
        code.iconst_0().istore(trapping);
      } else {
        packed.hoist();
      }
    } else {
      on = code.allocateLocal(TypeKind.REFERENCE);
      code.aload(FRAME_LOCAL).getfield(FRAME, "mask", MASK);
      code.getfield(MASK, "on", CD_int.arrayType()).astore(on);
    }
    Label head = code.newLabel();
    Label end = code.newLabel();
    code.iconst_0().istore(places.counter());
    code.labelBinding(head).iload(places.counter()).iload(places.count()).if_icmpge(end);
    lane();
    code.labelBinding(nextLane).iinc(places.counter(), stride).goto_(head);
    code.labelBinding(end);
    if (looks) {
      code.aload(FRAME_LOCAL).iload(trapping).putfield(FRAME, "wouldTrap", CD_int);
    } else {
      if (fast) {
        packed.copyToBuffers();
      }
      places.totals.store();
    }
    code.return_();
    if (places.usesOutOfRange()) {
      trapBlock(places.outOfRange(), Op.OUT_OF_RANGE);
    }
    if (places.usesDivideByZero()) {
      trapBlock(places.divideByZero(), Op.DIVIDE_BY_ZERO);
    }
  }

  private void trapBlock(Label label, int trapCode) {
    code.labelBinding(label).aload(FRAME_LOCAL);
    places.pushLane();
    code.loadConstant(trapCode);
    code.invokevirtual(FRAME, "trapRow", MethodTypeDesc.of(CD_void, CD_int, CD_int));
    code.goto_(nextLane);
  }

  private void hoistRowOffsets() {
    for (int buffer = shape.rowBuffers.nextSetBit(0);
        buffer >= 0;
        buffer = shape.rowBuffers.nextSetBit(buffer + 1)) {
      int shift = ElementCode.shift(places.element(buffer));
      if (!rowOffsets.has(shift)) {
        int local = code.allocateLocal(TypeKind.LONG);
        rowOffsets.put(shift, local);
        code.iload(places.firstRow()).i2l().loadConstant(shift).lshl().lstore(local);
      }
    }
  }

  private void lane() {
    resetWarpRanks();
    if (!fast) {
      code.aload(on);
      places.pushLane();
      code.iaload().ifeq(nextLane);
    }
    LaneEntry entry = LaneEntry.of(places, fast);
    for (Reg register : entry.reloaded()) {
      places.reload(register);
    }
    for (Reg register : entry.zeroed()) {
      values.constant(register.type(), 0);
      places.storeLocal(register.type(), places.local(register));
    }
    if (looks) {
      // One step of a running total for a lane: of several, the JIT compiler makes no vectors.
      code.iconst_0().istore(laneTraps);
      list(shape.region.ops());
      code.iload(trapping).iload(laneTraps).ior().istore(trapping);
    } else {
      list(shape.region.ops());
    }
  }

  private void resetWarpRanks() {
    for (Op op : shape.region.ops()) {
      if (op instanceof Op.WarpRank) {
        Label inside = code.newLabel();
        places.pushLane();
        code.loadConstant(Op.WARP_LANES - 1).iand().ifne(inside);
        code.iconst_0().istore(places.totals.local(op));
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
      case Op.Special special -> {
        if (LanePlaces.isPosition(special.kind())) {
          places.pushPosition(special.kind(), special.dst().type());
        } else {
          frame.pushSpecial(special.kind());
        }
        assign(special.dst());
      }
      case Op.Scalar scalar -> {
        frame.pushScalar(scalar.index(), scalar.dst().type());
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
        computations.push(op);
        assign(Objects.requireNonNull(Ops.write(op)));
      }
    }
  }

  /** Pops the register's new value; under an If without branches only where its path holds. */
  private void assign(Reg dst) {
    if (path >= 0 && !facts.use.mayOverwriteInactive(dst.id())) {
      places.load(dst);
      code.iload(path);
      values.operations.select(dst.type());
    }
    places.store(dst);
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
    places.load(op.p());
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
    places.load(p);
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
    places.load(op.p());
    code.ifeq(end);
    list(op.body());
    code.aload(FRAME_LOCAL).invokevirtual(FRAME, "turn", MethodTypeDesc.of(CD_void));
    code.goto_(head).labelBinding(end);
  }

  private void trap(Op.Trap op) {
    if (branchFree) {
      if (looks) {
        places.load(op.p());
        if (path >= 0) {
          code.iload(path).iand();
        }
        code.iload(laneTraps).ior().istore(laneTraps);
      }
      return;
    }
    Label goesOn = code.newLabel();
    places.load(op.p());
    code.ifeq(goesOn);
    code.aload(FRAME_LOCAL);
    places.pushLane();
    code.loadConstant(op.code());
    places.load(op.detail());
    if (op.detail().type() == Type.I32) {
      code.i2l();
    }
    code.invokevirtual(FRAME, "trap", MethodTypeDesc.of(CD_void, CD_int, CD_int, CD_long));
    code.goto_(nextLane).labelBinding(goesOn);
  }

  private void reduce(Op.BlockReduce op) {
    int total = places.totals.local(op);
    Type type = op.dst().type();
    BinaryOp step =
        switch (op.op()) {
          case ADD -> BinaryOp.ADD;
          case MIN -> BinaryOp.MIN;
          case MAX -> BinaryOp.MAX;
          case AND -> BinaryOp.AND;
          case OR -> BinaryOp.OR;
        };
    places.loadLocal(type, total);
    places.load(op.a());
    if (type == Type.I32) {
      values.operations.binary(step, Type.I32);
    } else {
      values.operations.binary(step, Type.I64);
    }
    places.storeLocal(type, total);
  }

  private void rank(Op op, Reg dst, Reg p) {
    int total = places.totals.local(op);
    code.iload(total);
    places.load(p);
    code.iload(total).iadd().istore(total);
    assign(dst);
  }

  private void store(Op.Store op) {
    if (looks) {
      return;
    }
    if (fast && packed.has(op)) {
      packed.store(op);
    } else if (fast && shape.isRow(op.index())) {
      memory.storeRun(op, rowOffsets);
    } else {
      memory.store(op);
    }
  }
}
