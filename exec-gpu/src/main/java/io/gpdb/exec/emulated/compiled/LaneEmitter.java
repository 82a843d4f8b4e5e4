package io.gpdb.exec.emulated.compiled;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

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
import java.util.IdentityHashMap;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places of a region's code: locals for the lane's registers, for what is read before the loop
 * (scalars, arrays of spilled registers, buffers and their lengths), and the loop's counter.
 *
 * <pre>
 *   void region(BlockFrame frame, int from, int to) {
 *     n = to - from; firstRow = frame.firstGlobal + from; ...       // hoisted
 *     for (i = 0; i &lt; n; i++) { ... }                            // lane from + i
 *   }
 * </pre>
 *
 * The counter starts at 0 and byte offsets are (first row's offset) + ((long) i &lt;&lt; shift):
 * the form that the JIT compiler vectorises.
 */
abstract class LaneEmitter extends CodeEmitter {
  static final int FRAME_LOCAL = 0;
  static final int FROM_LOCAL = 1;
  static final int TO_LOCAL = 2;

  final RegionShape shape;
  final PlanStep.Region region;
  private final LocalSlots locals = new LocalSlots();
  private final LocalSlots spillArrays = new LocalSlots();
  private final LocalSlots segments = new LocalSlots();
  private final LocalSlots lengths = new LocalSlots();
  private final LocalSlots sharedArrays = new LocalSlots();
  private final LocalSlots totals = new LocalSlots();
  private final IdentityHashMap<Op, Integer> totalNumbers = new IdentityHashMap<>();
  private final BitSet laneRegisters = new BitSet();
  final Label nextLane;
  final Label outOfRange;
  private final Label divideByZero;
  boolean usesOutOfRange;
  private boolean usesDivideByZero;
  int i;
  int n;
  int firstRow;

  LaneEmitter(CodeBuilder code, RegionShape shape) {
    super(code, shape.facts);
    this.shape = shape;
    this.region = shape.region;
    this.nextLane = code.newLabel();
    this.outOfRange = code.newLabel();
    this.divideByZero = code.newLabel();
  }

  /** Emits one lane of the region. */
  abstract void lane();

  @Override
  Label divideByZero() {
    usesDivideByZero = true;
    return divideByZero;
  }

  Label outOfRange() {
    usesOutOfRange = true;
    return outOfRange;
  }

  void emit() {
    i = code.allocateLocal(TypeKind.INT);
    n = code.allocateLocal(TypeKind.INT);
    firstRow = code.allocateLocal(TypeKind.INT);
    code.iload(TO_LOCAL).iload(FROM_LOCAL).isub().istore(n);
    code.aload(FRAME_LOCAL).getfield(FRAME, "firstGlobal", CD_int);
    code.iload(FROM_LOCAL).iadd().istore(firstRow);
    Ops.forEach(region.ops(), this::hoist);
    hoistTotals();
    beforeLoop();
    Label head = code.newLabel();
    Label end = code.newLabel();
    code.iconst_0().istore(i);
    code.labelBinding(head).iload(i).iload(n).if_icmpge(end);
    lane();
    code.labelBinding(nextLane).iinc(i, stride()).goto_(head);
    code.labelBinding(end);
    afterLoop();
    storeTotals();
    code.return_();
    trapBlock(usesOutOfRange, outOfRange, Op.OUT_OF_RANGE);
    trapBlock(usesDivideByZero, divideByZero, Op.DIVIDE_BY_ZERO);
  }

  /** How far the counter steps. */
  int stride() {
    return 1;
  }

  void beforeLoop() {}

  void afterLoop() {}

  private void trapBlock(boolean used, Label label, int trapCode) {
    if (used) {
      code.labelBinding(label).aload(FRAME_LOCAL);
      pushLane();
      code.loadConstant(trapCode);
      code.invokevirtual(FRAME, "trapRow", MethodTypeDesc.of(CD_void, CD_int, CD_int));
      code.goto_(nextLane);
    }
  }

  // Before the loop

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
    int local = code.allocateLocal(kind(register.type()));
    locals.put(id, local);
    if (facts.isInline(register) || facts.isScalar(register)) {
      ScalarEmitter.pushScalar(this, register);
      storeLocal(register.type(), local);
      return;
    }
    laneRegisters.set(id);
    if (shape.isSpilled(register)) {
      int array = code.allocateLocal(TypeKind.REFERENCE);
      spillArrays.put(id, array);
      ClassDesc arrayType = javaType(register.type()).arrayType();
      code.aload(FRAME_LOCAL).getfield(FRAME, frameField(register.type()), arrayType.arrayType());
      code.loadConstant(id).aaload().astore(array);
    }
  }

  private static boolean isPosition(@Nullable SpecialKind kind) {
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
      code.aload(FRAME_LOCAL).getfield(FRAME, "buffers", SEGMENT.arrayType());
      code.loadConstant(buffer).aaload().astore(segment);
      int length = code.allocateLocal(TypeKind.LONG);
      lengths.put(buffer, length);
      code.aload(FRAME_LOCAL).getfield(FRAME, "elements", CD_long.arrayType());
      code.loadConstant(buffer).laload().lstore(length);
    }
  }

  private void hoistShared(int array) {
    if (!sharedArrays.has(array)) {
      int local = code.allocateLocal(TypeKind.REFERENCE);
      sharedArrays.put(array, local);
      Element element = facts.kernel.shared().get(array).element();
      code.aload(FRAME_LOCAL).getfield(FRAME, "shared", CD_Object.arrayType());
      code.loadConstant(array).aaload();
      code.checkcast(javaType(element.register()).arrayType()).astore(local);
    }
  }

  /** Reductions and ranks: running values that the frame keeps between calls. */
  private void hoistTotals() {
    int number = 0;
    for (Op op : region.ops()) {
      if (isTotal(op)) {
        Type type = totalType(op);
        int local = code.allocateLocal(kind(type));
        totals.put(number, local);
        code.aload(FRAME_LOCAL).getfield(FRAME, "totals", CD_long.arrayType());
        code.loadConstant(number).laload();
        fromBits(type);
        storeLocal(type, local);
        totalNumbers.put(op, number);
        number++;
      }
    }
  }

  private void storeTotals() {
    int number = 0;
    for (Op op : region.ops()) {
      if (isTotal(op)) {
        code.aload(FRAME_LOCAL).getfield(FRAME, "totals", CD_long.arrayType());
        code.loadConstant(number);
        loadLocal(totalType(op), total(number));
        toBits(totalType(op));
        code.lastore();
        number++;
      }
    }
  }

  static boolean isTotal(Op op) {
    return op instanceof Op.BlockReduce || op instanceof Op.BlockRank || op instanceof Op.WarpRank;
  }

  private static Type totalType(Op op) {
    return op instanceof Op.BlockReduce reduce ? reduce.dst().type() : Type.I32;
  }

  int total(int number) {
    return totals.get(number);
  }

  /** The number of the reduction or rank among those of the region. */
  int totalNumber(Op op) {
    return Objects.requireNonNull(totalNumbers.get(op));
  }

  // Registers

  boolean isLaneRegister(Reg register) {
    return laneRegisters.get(register.id());
  }

  static TypeKind kind(Type type) {
    return switch (type) {
      case I32, PRED -> TypeKind.INT;
      case I64 -> TypeKind.LONG;
      case F32 -> TypeKind.FLOAT;
      case F64 -> TypeKind.DOUBLE;
    };
  }

  void storeLocal(Type type, int local) {
    code.storeLocal(kind(type), local);
  }

  void loadLocal(Type type, int local) {
    code.loadLocal(kind(type), local);
  }

  int local(Reg register) {
    return locals.get(register.id());
  }

  void pushLane() {
    code.iload(FROM_LOCAL).iload(i).iadd();
  }

  void pushRow() {
    code.iload(firstRow).iload(i).iadd();
  }

  @Override
  void load(Reg register) {
    Op.Const constant = facts.constant(register);
    if (constant != null) {
      constant(register.type(), constant.bits());
      return;
    }
    switch (facts.special(register)) {
      case GLOBAL -> {
        pushRow();
        if (register.type() == Type.I64) {
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
      case BLOCK, BLOCK_SIZE, GRID_SIZE -> loadLocal(register.type(), local(register));
      case null -> loadLocal(register.type(), local(register));
    }
  }

  @Override
  void store(Reg register) {
    storeLocal(register.type(), local(register));
    if (spillArrays.has(register.id())) {
      code.aload(spillArrays.get(register.id()));
      pushLane();
      loadLocal(register.type(), local(register));
      code.arrayStore(kind(register.type()));
    }
  }

  /** Reads a spilled register of the lane into its local. */
  void reload(Reg register) {
    code.aload(spillArrays.get(register.id()));
    pushLane();
    code.arrayLoad(kind(register.type()));
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
