package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;

import io.gpdb.exec.emulated.common.OperationCode;
import io.gpdb.exec.emulated.common.OwnerlessMemory;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The places of a region's code: locals for the lane's registers, for what is read before the loop
 * (scalars, arrays of spilled registers, buffers and their lengths, running totals), and the loop's
 * counter.
 */
final class LanePlaces implements Registers {
  private static final ClassDesc CD_THREAD = ClassDesc.of(Thread.class.getName());
  private static final MethodTypeDesc ACCESSIBLE = MethodTypeDesc.of(CD_boolean, CD_THREAD);
  private static final ClassDesc OWNERLESS = ClassDesc.of(OwnerlessMemory.class.getName());
  private static final MethodTypeDesc OWNED =
      MethodTypeDesc.of(ClassDesc.of(IllegalStateException.class.getName()), CD_int);

  static final int FRAME_LOCAL = 0;
  static final int FROM_LOCAL = 1;
  static final int TO_LOCAL = 2;

  final RegionShape shape;
  final KernelFacts facts;
  final RunningTotals totals;
  private final CodeBuilder code;
  private final ValueEmitter values;
  private final FrameValues frame;
  private final boolean fast;
  private final LocalSlots locals = new LocalSlots();
  private final LocalSlots spillArrays = new LocalSlots();
  private final LocalSlots segments = new LocalSlots();
  private final LocalSlots lengths = new LocalSlots();
  private final LocalSlots sharedArrays = new LocalSlots();
  private final BitSet laneRegisters = new BitSet();
  private final Label outOfRange;
  private final Label divideByZero;
  private boolean usesOutOfRange;
  private boolean usesDivideByZero;
  private boolean keepsNothing;
  private int counter;
  private int count;
  private int firstRow;

  LanePlaces(ValueEmitter values, RegionShape shape, boolean fast) {
    this.code = values.code;
    this.values = values;
    this.shape = shape;
    this.facts = shape.facts;
    this.fast = fast;
    this.frame = new FrameValues(values, facts);
    this.totals = new RunningTotals(values, shape.region);
    this.outOfRange = code.newLabel();
    this.divideByZero = code.newLabel();
  }

  /** Makes registers keep what is stored to them for the lane only. */
  void keepNothing() {
    keepsNothing = true;
  }

  /** The local of the loop's counter: 0 for the first lane of the call. */
  int counter() {
    return counter;
  }

  /** The local that holds how many lanes the call runs. */
  int count() {
    return count;
  }

  /** The local of the first lane's row. */
  int firstRow() {
    return firstRow;
  }

  @Override
  public Label divideByZero() {
    usesDivideByZero = true;
    return divideByZero;
  }

  /** Where a lane goes whose index is out of range. */
  Label outOfRange() {
    usesOutOfRange = true;
    return outOfRange;
  }

  boolean usesOutOfRange() {
    return usesOutOfRange;
  }

  boolean usesDivideByZero() {
    return usesDivideByZero;
  }

  /** Reads all that the loop needs into locals. */
  void hoist() {
    counter = code.allocateLocal(TypeKind.INT);
    count = code.allocateLocal(TypeKind.INT);
    firstRow = code.allocateLocal(TypeKind.INT);
    code.iload(TO_LOCAL).iload(FROM_LOCAL).isub().istore(count);
    Reg start = shape.start;
    if (start == null) {
      pushFirstGlobal();
    } else {
      frame.push(start);
    }
    code.iload(FROM_LOCAL).iadd().istore(firstRow);
    Ops.forEach(shape.region.ops(), this::hoist);
    totals.hoist();
  }

  private void pushFirstGlobal() {
    code.aload(FRAME_LOCAL).getfield(ValueEmitter.FRAME, "firstGlobal", CD_int);
  }

  private void hoist(Op op) {
    Ops.reads(op).forEach(this::hoistRegister);
    Reg dst = Ops.write(op);
    if (dst != null && !(op instanceof Op.BlockReduce)) {
      hoistRegister(dst);
    }
    switch (op) {
      case Op.Load o -> hoistBuffer(o.buffer());
      case Op.Store o -> hoistBuffer(o.buffer());
      case Op.Atomic o -> hoistBuffer(o.buffer());
      case Op.LogAppend o -> hoistBuffer(o.buffer());
      case Op.LoadShared o -> hoistShared(o.array());
      case Op.StoreShared o -> hoistShared(o.array());
      case Op.AtomicShared o -> hoistShared(o.array());
      default -> {}
    }
  }

  private void hoistRegister(Reg register) {
    int id = register.id();
    if (locals.has(id) || facts.constant(register) != null || isPosition(facts.special(register))) {
      return;
    }
    int local = code.allocateLocal(OperationCode.kind(register.type()));
    locals.put(id, local);
    if (facts.isInline(register) || facts.isScalar(register)) {
      frame.push(register);
      storeLocal(register.type(), local);
      return;
    }
    laneRegisters.set(id);
    if (shape.isSpilled(register)) {
      int array = code.allocateLocal(TypeKind.REFERENCE);
      spillArrays.put(id, array);
      ClassDesc arrayType = OperationCode.javaType(register.type()).arrayType();
      code.aload(FRAME_LOCAL)
          .getfield(ValueEmitter.FRAME, frameField(register.type()), arrayType.arrayType());
      code.loadConstant(id).aaload().astore(array);
    }
  }

  static boolean isPosition(@Nullable SpecialKind kind) {
    return kind == SpecialKind.GLOBAL
        || kind == SpecialKind.THREAD
        || kind == SpecialKind.LANE
        || kind == SpecialKind.WARP;
  }

  private static String frameField(Type type) {
    return switch (type) {
      case I32, PRED -> "i32";
      case I64 -> "i64";
      case F32 -> "f32";
      case F64 -> "f64";
    };
  }

  private void hoistBuffer(int buffer) {
    if (!segments.has(buffer)) {
      int segment = code.allocateLocal(TypeKind.REFERENCE);
      segments.put(buffer, segment);
      code.aload(FRAME_LOCAL)
          .getfield(ValueEmitter.FRAME, "buffers", ValueEmitter.SEGMENT.arrayType());
      code.loadConstant(buffer).aaload().astore(segment);
      requireOwnerless(segment, buffer);
      int length = code.allocateLocal(TypeKind.LONG);
      lengths.put(buffer, length);
      code.aload(FRAME_LOCAL).getfield(ValueEmitter.FRAME, "elements", CD_long.arrayType());
      code.loadConstant(buffer).laload().lstore(length);
    }
  }

  /**
   * Asks before the loop what each access in it asks: who owns the memory. So the JIT compiler
   * knows the answer there. Else it makes loops for both, one buffer after the other.
   */
  private void requireOwnerless(int segment, int buffer) {
    Label ownerless = code.newLabel();
    code.aload(segment).getstatic(OWNERLESS, "NOBODY", CD_THREAD);
    code.invokeinterface(ValueEmitter.SEGMENT, "isAccessibleBy", ACCESSIBLE).ifne(ownerless);
    code.loadConstant(buffer).invokestatic(OWNERLESS, "owned", OWNED).athrow();
    code.labelBinding(ownerless);
  }

  private void hoistShared(int array) {
    if (!sharedArrays.has(array)) {
      int local = code.allocateLocal(TypeKind.REFERENCE);
      sharedArrays.put(array, local);
      Element element = facts.kernel.shared().get(array).element();
      code.aload(FRAME_LOCAL).getfield(ValueEmitter.FRAME, "shared", CD_Object.arrayType());
      code.loadConstant(array).aaload();
      code.checkcast(OperationCode.javaType(element.register()).arrayType()).astore(local);
    }
  }

  boolean isLaneRegister(Reg register) {
    return laneRegisters.get(register.id());
  }

  void storeLocal(Type type, int local) {
    code.storeLocal(OperationCode.kind(type), local);
  }

  void loadLocal(Type type, int local) {
    code.loadLocal(OperationCode.kind(type), local);
  }

  int local(Reg register) {
    return locals.get(register.id());
  }

  /** Pushes the lane's place in its warp, block or grid. */
  void pushPosition(SpecialKind special, Type type) {
    switch (special) {
      case GLOBAL -> {
        if (shape.start == null) {
          pushRow();
        } else {
          pushFirstGlobal();
          pushLane();
          code.iadd();
        }
        if (type == Type.I64) {
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
      case BLOCK, BLOCK_SIZE, GRID_SIZE ->
          throw new IllegalArgumentException(special + " is no place of a lane");
    }
  }

  void pushLane() {
    code.iload(FROM_LOCAL).iload(counter).iadd();
  }

  void pushRow() {
    code.iload(firstRow).iload(counter).iadd();
  }

  @Override
  public void load(Reg register) {
    int known = fast && register.type() == Type.PRED ? shape.known(register) : -1;
    if (known >= 0) {
      code.loadConstant(known);
      return;
    }
    Op.Const constant = facts.constant(register);
    if (constant != null) {
      values.constant(register.type(), constant.bits());
      return;
    }
    SpecialKind special = facts.special(register);
    if (special != null && isPosition(special)) {
      pushPosition(special, register.type());
    } else {
      loadLocal(register.type(), local(register));
    }
  }

  @Override
  public void store(Reg register) {
    storeLocal(register.type(), local(register));
    if (!keepsNothing && spillArrays.has(register.id())) {
      code.aload(spillArrays.get(register.id()));
      pushLane();
      loadLocal(register.type(), local(register));
      code.arrayStore(OperationCode.kind(register.type()));
    }
  }

  /** Reads a spilled register of the lane into its local. */
  void reload(Reg register) {
    code.aload(spillArrays.get(register.id()));
    pushLane();
    code.arrayLoad(OperationCode.kind(register.type()));
    storeLocal(register.type(), local(register));
  }

  int segment(int buffer) {
    return segments.get(buffer);
  }

  int length(int buffer) {
    return lengths.get(buffer);
  }

  int sharedArray(int array) {
    return sharedArrays.get(array);
  }

  Element element(int buffer) {
    return facts.kernel.buffers().get(buffer).element();
  }
}
