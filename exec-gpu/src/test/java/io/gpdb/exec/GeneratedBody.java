package io.gpdb.exec;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.KernelBuilder;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.AtomicOp;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Writes the operations of a generated kernel; {@link GeneratedKernels} states the rules. */
final class GeneratedBody {
  private static final int DEPTH_MAX = 3;
  private static final AtomicOp[] COMMUTING = {
    AtomicOp.ADD, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.AND, AtomicOp.OR
  };

  private final KernelBuilder b;
  private final Random random;
  private final GeneratedMemory memory;
  private final GeneratedArithmetic arithmetic;
  private final int gridLanes;
  private final boolean mayTrap;
  private final List<Reg> variables = new ArrayList<>();
  private GeneratedScope scope;
  private boolean uniformFlow = true;
  private int logs;

  GeneratedBody(
      KernelBuilder b, Random random, GeneratedMemory memory, int gridLanes, boolean mayTrap) {
    this.b = b;
    this.random = random;
    this.memory = memory;
    this.gridLanes = gridLanes;
    this.mayTrap = mayTrap;
    this.arithmetic = new GeneratedArithmetic(b, random, mayTrap);
    this.scope = new GeneratedScope(b, random);
  }

  void addUniform(Reg register) {
    scope.addUniform(register);
  }

  void write() {
    scope.addUniform(b.block());
    scope.add(b.global());
    scope.add(b.lane());
    for (Element element : Element.values()) {
      load(element);
    }
    for (Type type : Type.values()) {
      Reg variable = b.variable(scope.pick(type));
      variables.add(variable);
      scope.add(variable);
    }
    statements(6 + random.nextInt(30), 0);
    for (Element element : Element.values()) {
      List<Reg> registers = scope.all(element.register());
      for (int slot = 0; slot < GeneratedKernels.OUT_SLOTS; slot++) {
        Reg value = registers.get(Math.max(0, registers.size() - 1 - slot));
        b.store(memory.outputs.get(element.ordinal()), ownIndex(slot), value);
      }
    }
  }

  private void statements(int count, int depth) {
    for (int i = 0; i < count; i++) {
      statement(depth);
    }
  }

  private void statement(int depth) {
    int choice = random.nextInt(100);
    if (choice < 44) {
      scope.add(arithmetic.any(scope));
    } else if (choice < 52) {
      load(arithmetic.one(Element.values()));
    } else if (choice < 57) {
      Reg variable = variables.get(random.nextInt(variables.size()));
      b.set(variable, scope.pick(variable.type()));
    } else if (choice < 69) {
      ownMemory();
    } else if (choice < 77) {
      warpOperation();
    } else if (choice < 79) {
      order();
    } else if (choice < 81 && mayTrap) {
      trap();
    } else if (choice < 90 && depth < DEPTH_MAX) {
      nested(depth);
    } else if (uniformFlow) {
      blockOperation(depth);
    } else {
      scope.add(arithmetic.any(scope));
    }
  }

  // Memory of the lane's own, and commuting atomics

  private Reg ownIndex(int slot) {
    Reg index = b.add(b.global(), (long) slot * gridLanes);
    return random.nextBoolean() ? index : b.convert(index, Type.I64);
  }

  /** An index below the length, or when traps are wanted sometimes the length. */
  private Reg safeIndex(int length) {
    Type type = scope.integerType();
    Reg positive = b.and(scope.pick(type), b.integer(type, Integer.MAX_VALUE));
    int bound = mayTrap && random.nextInt(6) == 0 ? length + 1 : length;
    return b.rem(positive, b.integer(type, bound));
  }

  private void load(Element element) {
    int buffer = memory.inputs.get(element.ordinal());
    scope.add(b.load(buffer, safeIndex(memory.inputLengths.get(element.ordinal()))));
  }

  private void ownMemory() {
    Element element = arithmetic.one(Element.values());
    int output = memory.outputs.get(element.ordinal());
    int slot = random.nextInt(GeneratedKernels.OUT_SLOTS);
    switch (random.nextInt(6)) {
      case 0, 1 -> b.store(output, ownIndex(slot), scope.pick(element.register()));
      case 2 -> scope.add(b.load(output, ownIndex(slot)));
      case 3 -> commonAtomic();
      case 4 -> ownAtomic();
      default -> logAppend();
    }
  }

  private void commonAtomic() {
    int wide = random.nextInt(2);
    int op = random.nextInt(COMMUTING.length);
    Reg value = scope.pick(wide == 0 ? Type.I32 : Type.I64);
    b.atomicUpdate(COMMUTING[op], memory.common.get(wide), commonIndex(op), value);
  }

  private Reg commonIndex(int op) {
    Reg within = b.and(scope.pick(Type.I32), GeneratedMemory.COMMON_RANGE - 1);
    return b.add(within, (long) op * GeneratedMemory.COMMON_RANGE);
  }

  private void ownAtomic() {
    int wide = random.nextInt(2);
    Type type = wide == 0 ? Type.I32 : Type.I64;
    int buffer = memory.own.get(wide);
    AtomicOp op = arithmetic.one(AtomicOp.values());
    Reg index = ownIndex(0);
    scope.add(
        op == AtomicOp.CAS
            ? b.compareAndSwap(buffer, index, scope.pick(type), scope.pick(type))
            : b.atomic(op, buffer, index, scope.pick(type)));
  }

  private void logAppend() {
    if (logs == GeneratedMemory.LOGS) {
      return;
    }
    long base = (long) logs++ * GeneratedMemory.LOG_WORDS_MAX * gridLanes;
    List<Reg> words = new ArrayList<>();
    for (int w = 1 + random.nextInt(GeneratedMemory.LOG_WORDS_MAX); w > 0; w--) {
      words.add(scope.pick(Type.I32));
    }
    b.logAppend(memory.log, b.i64(base), b.global(), words);
  }

  private void order() {
    switch (random.nextInt(4)) {
      case 0 -> b.persist(PersistScope.WORKITEM);
      default -> b.fence(arithmetic.one(Op.FenceScope.values()));
    }
  }

  private void trap() {
    Reg p = b.eq(b.and(scope.pick(Type.I32), 15), random.nextInt(16));
    Reg detail =
        switch (random.nextInt(3)) {
          case 0 -> b.global();
          case 1 -> b.convert(b.global(), Type.I64);
          default -> scope.pick(scope.integerType());
        };
    b.trap(p, 1 + random.nextInt(random.nextBoolean() ? 5 : Op.TRAP_CODE_MAX), detail);
  }

  // Collectives

  private void warpOperation() {
    switch (random.nextInt(4)) {
      case 0 -> scope.add(b.ballot(scope.pick(Type.PRED)));
      case 1 -> scope.add(b.warpRank(scope.pick(Type.PRED)));
      case 2 -> {
        Reg lane = scope.pick(Type.I32);
        if (random.nextInt(4) != 0) {
          lane = b.and(lane, 31);
        }
        Reg a = scope.pick(scope.numberType());
        scope.add(b.shuffle(arithmetic.one(Op.ShuffleKind.values()), a, lane));
      }
      default -> {
        ReduceOp op = arithmetic.one(ReduceOp.values());
        scope.add(b.warpReduce(op, scope.pick(reducible(op))));
      }
    }
  }

  private Type reducible(ReduceOp op) {
    return op == ReduceOp.AND || op == ReduceOp.OR ? scope.integerType() : scope.numberType();
  }

  private void blockOperation(int depth) {
    switch (random.nextInt(7)) {
      case 0 -> scope.add(b.blockRank(scope.pick(Type.PRED)));
      case 1 -> {
        ReduceOp op = arithmetic.one(ReduceOp.values());
        scope.addUniform(b.blockReduce(op, scope.pick(reducible(op))));
      }
      case 2 -> sharedExchange();
      case 3 -> sharedTally();
      case 4 -> b.persist(random.nextBoolean() ? PersistScope.WORKGROUP : PersistScope.KERNEL);
      default -> {
        if (depth < DEPTH_MAX) {
          uniformNested(depth);
        }
      }
    }
  }

  /** Every lane writes its element, then reads another's. */
  private void sharedExchange() {
    Element element = arithmetic.one(Element.values());
    int array = memory.shared.get(element.ordinal());
    Reg value = scope.pick(element.register());
    b.barrier();
    if (random.nextBoolean()) {
      b.ifThen(scope.pick(Type.PRED), () -> b.storeShared(array, b.thread(), value));
    } else {
      b.storeShared(array, b.thread(), value);
    }
    if ((element == Element.I32 || element == Element.I64) && random.nextBoolean()) {
      Reg operand = scope.pick(element.register());
      scope.add(
          random.nextBoolean()
              ? b.compareAndSwapShared(array, b.thread(), value, operand)
              : b.atomicShared(AtomicOp.EXCHANGE, array, b.thread(), operand));
    }
    b.barrier();
    scope.add(b.loadShared(array, safeIndex(b.blockSize())));
  }

  private void sharedTally() {
    int wide = random.nextInt(2);
    int op = random.nextInt(COMMUTING.length);
    int array = memory.sharedCommon.get(wide);
    Reg value = scope.pick(wide == 0 ? Type.I32 : Type.I64);
    Reg index = commonIndex(op);
    b.barrier();
    b.ifThen(scope.pick(Type.PRED), () -> b.atomicSharedUpdate(COMMUTING[op], array, index, value));
    b.barrier();
    scope.add(b.loadShared(array, commonIndex(op)));
  }

  // Control flow

  private void nested(int depth) {
    boolean wasUniform = uniformFlow;
    uniformFlow = false;
    if (random.nextInt(3) > 0) {
      Reg p = random.nextBoolean() ? scope.pick(Type.PRED) : arithmetic.compare(scope);
      branch(p, depth);
    } else {
      Reg limit = b.and(scope.pick(Type.I32), 3);
      loop(limit, depth);
    }
    uniformFlow = wasUniform;
  }

  private void uniformNested(int depth) {
    if (random.nextInt(3) == 0) {
      walk(depth);
    } else if (random.nextBoolean()) {
      branch(b.lt(scope.pickUniform(Type.I32), scope.pickUniform(Type.I32)), depth);
    } else {
      loop(b.i32(1 + random.nextInt(3)), depth);
    }
  }

  private void branch(Reg p, int depth) {
    if (random.nextBoolean()) {
      b.ifThen(p, () -> list(depth));
    } else {
      b.ifElse(p, () -> list(depth), () -> list(depth));
    }
  }

  private void loop(Reg limit, int depth) {
    Reg turn = b.variable(b.i32(0));
    b.whileLoop(
        () -> {
          statements(random.nextInt(3), DEPTH_MAX);
          Reg more = b.lt(turn, limit);
          return uniformFlow ? more : b.and(more, b.not(b.eq(scope.pick(Type.I32), 7)));
        },
        () -> {
          list(depth);
          b.set(turn, b.add(turn, 1));
        });
  }

  /** The block goes through a buffer, a row for each lane in each turn. */
  private void walk(int depth) {
    Element element = arithmetic.one(Element.values());
    int length = memory.inputLengths.get(element.ordinal());
    Reg end = b.i32(mayTrap && random.nextInt(6) == 0 ? length + 1 : length);
    Reg start = b.variable(random.nextBoolean() ? b.block() : b.i32(random.nextInt(70)));
    b.whileLoop(
        () -> b.lt(start, end),
        () -> {
          Reg row = random.nextBoolean() ? b.add(start, b.thread()) : b.add(b.thread(), start);
          boolean wasUniform = uniformFlow;
          uniformFlow = false;
          b.ifThen(b.lt(row, end), () -> take(element, row, depth));
          uniformFlow = wasUniform;
          if (random.nextInt(3) == 0) {
            list(depth);
          }
          b.set(start, b.add(start, b.blockSize()));
        });
  }

  private void take(Element element, Reg row, int depth) {
    GeneratedScope outer = scope;
    scope = new GeneratedScope(outer);
    Reg value = b.load(memory.inputs.get(element.ordinal()), row);
    scope.add(value);
    int words = memory.inputLengths.get(Element.I32.ordinal());
    if (words > memory.inputLengths.get(element.ordinal()) / Integer.SIZE) {
      scope.add(b.load(memory.inputs.get(Element.I32.ordinal()), b.ushr(row, 5)));
    }
    Reg sum = variables.get(value.type().ordinal());
    BinaryOp op = arithmetic.one(new BinaryOp[] {BinaryOp.ADD, BinaryOp.MIN, BinaryOp.MAX});
    b.set(sum, b.select(scope.pick(Type.PRED), b.binary(op, sum, value), sum));
    if (random.nextInt(3) == 0) {
      statements(1 + random.nextInt(4), depth + 1);
    }
    scope = outer;
  }

  private void list(int depth) {
    GeneratedScope outer = scope;
    scope = new GeneratedScope(outer);
    statements(1 + random.nextInt(6), depth + 1);
    scope = outer;
  }
}
