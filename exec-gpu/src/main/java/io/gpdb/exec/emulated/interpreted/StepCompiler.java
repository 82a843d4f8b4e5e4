package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.emulated.common.LaneRows;
import io.gpdb.exec.emulated.common.RegisterUse;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.BinaryOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** A kernel as steps of the interpreted executor. */
final class StepCompiler {
  private final Kernel kernel;
  private final RegisterUse use;
  private final LaneRows rows;
  private final LaneStepCompiler lanes;
  private final List<BlockStep> constants = new ArrayList<>();
  private final List<BlockStep> scalarFills = new ArrayList<>();
  private final List<BlockStep> blockFills = new ArrayList<>();
  private final BitSet filled = new BitSet();
  private final ColdSteps cold = new ColdSteps(System::nanoTime);
  private final StepList body;
  private int maskSlots = 1;

  StepCompiler(Kernel kernel) {
    this.kernel = kernel;
    this.use = RegisterUse.of(kernel);
    this.rows = LaneRows.of(kernel, use);
    this.lanes = new LaneStepCompiler(use);
    this.body = compile(kernel.body());
  }

  int registers() {
    return use.registers();
  }

  int maskSlots() {
    return maskSlots;
  }

  void fillConstants(BlockState state) {
    LaneMask all = state.slot(0);
    all.setAll();
    runAll(constants, state, all);
  }

  void run(BlockState state) {
    LaneMask all = state.slot(0);
    all.setAll();
    if (!state.scalarsKnown || !java.util.Arrays.equals(state.scalarsFilled, state.scalars)) {
      runAll(scalarFills, state, all);
      System.arraycopy(state.scalars, 0, state.scalarsFilled, 0, state.scalars.length);
      state.scalarsKnown = true;
    }
    runAll(blockFills, state, all);
    if (cold.isWarm()) {
      body.runIn(state, all);
    } else {
      long start = System.nanoTime();
      body.runIn(state, all);
      cold.ran(state, System.nanoTime() - start);
    }
  }

  /** Whether the JIT compiler has compiled the kernel's steps well, as far as is known. */
  boolean isWarm() {
    return cold.isWarm();
  }

  int helpersMax() {
    return cold.helpersMax();
  }

  private static void runAll(List<BlockStep> steps, BlockState state, LaneMask mask) {
    for (BlockStep step : steps) {
      step.run(state, mask);
    }
  }

  private StepList compile(List<Op> ops) {
    List<Op> each = ops.stream().filter(op -> !isFilledOnce(op)).toList();
    int[] numbers = each.stream().mapToInt(op -> cold.add(StepKind.of(op))).toArray();
    return new StepList(each.stream().map(this::step).toArray(BlockStep[]::new), numbers, cold);
  }

  /** Registers that hold one value per kernel, launch or block are filled there, all lanes. */
  private boolean isFilledOnce(Op op) {
    Reg dst = Ops.write(op);
    if (dst == null || use.onlyWriter(dst.id()) == null) {
      return false;
    }
    switch (op) {
      case Op.Const o -> {
        constants.add(step(op));
        filled.set(dst.id());
      }
      case Op.Scalar o -> fillWithScalars(o, dst);
      case Op.Special o -> {
        boolean perBlock =
            o.kind() == SpecialKind.BLOCK
                || o.kind() == SpecialKind.GRID_SIZE
                || o.kind() == SpecialKind.GLOBAL;
        (perBlock ? blockFills : constants).add(step(op));
      }
      default -> {
        if (!isComputed(op) || !Ops.reads(op).stream().allMatch(read -> filled.get(read.id()))) {
          return false;
        }
        fillWithScalars(op, dst);
      }
    }
    return true;
  }

  private void fillWithScalars(Op op, Reg dst) {
    scalarFills.add(step(op));
    filled.set(dst.id());
  }

  /** Whether it only computes a value, and traps on none. */
  private static boolean isComputed(Op op) {
    return switch (op) {
      case Op.Unary o -> true;
      case Op.Binary o -> !divides(o);
      case Op.Overflow o -> true;
      case Op.Compare o -> true;
      case Op.Select o -> true;
      case Op.Convert o -> true;
      default -> false;
    };
  }

  private static boolean divides(Op.Binary op) {
    return op.op() == BinaryOp.DIV || op.op() == BinaryOp.REM;
  }

  private BlockStep step(Op op) {
    return switch (op) {
      case Op.Const o -> lanes.constant(o.dst(), o.bits());
      case Op.Scalar o -> lanes.scalar(o.dst(), o.index());
      case Op.Special o -> lanes.special(o.dst(), o.kind());
      case Op.Move o -> lanes.move(o);
      case Op.Unary o -> lanes.unary(o);
      case Op.Binary o -> binary(o);
      case Op.Overflow o -> lanes.overflow(o);
      case Op.Compare o -> lanes.compare(o);
      case Op.Select o -> lanes.select(o);
      case Op.Convert o -> lanes.convert(o);
      case Op.Load o ->
          MemorySteps.load(
              rows,
              o,
              kernel.buffers().get(o.buffer()).element(),
              use.mayOverwriteInactive(o.dst().id()));
      case Op.Store o -> MemorySteps.store(rows, o, kernel.buffers().get(o.buffer()).element());
      case Op.Atomic o -> MemorySteps.atomic(o, kernel.buffers().get(o.buffer()).element());
      case Op.LogAppend o -> MemorySteps.logAppend(o);
      case Op.LoadShared o -> SharedSteps.load(o, kernel.shared().get(o.array()));
      case Op.StoreShared o -> SharedSteps.store(o, kernel.shared().get(o.array()));
      case Op.AtomicShared o -> SharedSteps.atomic(o, kernel.shared().get(o.array()));
      case Op.Ballot o -> WarpSteps.ballot(o);
      case Op.Shuffle o -> WarpSteps.shuffle(o);
      case Op.WarpReduce o -> ReduceSteps.warp(o);
      case Op.WarpRank o -> WarpSteps.rank(o.p().id(), o.dst().id(), Op.WARP_LANES);
      case Op.BlockRank o -> WarpSteps.rank(o.p().id(), o.dst().id(), kernel.blockSize());
      case Op.BlockReduce o -> ReduceSteps.block(o);
      case Op.Barrier o -> (state, mask) -> {};
      case Op.Fence o -> fence(o);
      case Op.Persist o -> persist(o);
      case Op.Trap o -> trap(o);
      case Op.If o -> branch(o);
      case Op.While o -> loop(o);
    };
  }

  private BlockStep binary(Op.Binary op) {
    BlockStep compute = lanes.binary(op);
    boolean divides = divides(op);
    int b = op.b().id();
    if (divides && op.b().type() == Type.I32) {
      return (state, mask) -> {
        int[] divisor = state.i32[b];
        for (int i = mask.lo; i < mask.hi; i++) {
          if (divisor[i] == 0 && mask.on[i] != 0) {
            state.trap(i, Op.DIVIDE_BY_ZERO, (long) state.firstGlobal() + i);
          }
        }
        compute.run(state, mask);
      };
    }
    if (divides && op.b().type() == Type.I64) {
      return (state, mask) -> {
        long[] divisor = state.i64[b];
        for (int i = mask.lo; i < mask.hi; i++) {
          if (divisor[i] == 0 && mask.on[i] != 0) {
            state.trap(i, Op.DIVIDE_BY_ZERO, (long) state.firstGlobal() + i);
          }
        }
        compute.run(state, mask);
      };
    }
    return compute;
  }

  private static BlockStep fence(Op.Fence op) {
    return (state, mask) -> {
      VarHandle.fullFence();
      if (state.counters != null) {
        state.counters.fenced(op.scope(), mask.warps());
      }
    };
  }

  private static BlockStep persist(Op.Persist op) {
    return (state, mask) -> {
      if (state.persists != null) {
        state.persists.persist(op.scope());
      }
      if (state.counters != null && op.scope() != Op.PersistScope.KERNEL) {
        boolean perWarp = op.scope() == Op.PersistScope.WORKITEM;
        state.counters.persisted(op.scope(), perWarp ? mask.warps() : 1);
      }
    };
  }

  private static BlockStep trap(Op.Trap op) {
    int p = op.p().id();
    Reg detail = op.detail();
    return (state, mask) -> {
      int[] holds = state.i32[p];
      for (int i = mask.lo; i < mask.hi; i++) {
        if (holds[i] != 0 && mask.on[i] != 0) {
          boolean wide = detail.type() == Type.I64;
          long value = wide ? state.i64[detail.id()][i] : state.i32[detail.id()][i];
          state.trap(i, op.code(), value);
        }
      }
    };
  }

  private BlockStep branch(Op.If op) {
    int p = op.p().id();
    int thenSlot = maskSlots++;
    int otherwiseSlot = maskSlots++;
    StepList then = compile(op.then());
    StepList otherwise = compile(op.otherwise());
    return (state, mask) -> {
      LaneMask yes = state.slot(thenSlot);
      LaneMask no = state.slot(otherwiseSlot);
      yes.select(mask, state.i32[p], 1);
      boolean countsNo = !otherwise.isEmpty() || state.counters != null;
      if (countsNo) {
        no.select(mask, state.i32[p], 0);
        countBranch(state, mask, yes, no);
      }
      then.runIn(state, yes);
      if (!otherwise.isEmpty()) {
        otherwise.runIn(state, no);
      }
    };
  }

  private static void countBranch(BlockState state, LaneMask mask, LaneMask yes, LaneMask no) {
    if (state.counters == null) {
      return;
    }
    long divergent = 0;
    for (int start = mask.lo & -Op.WARP_LANES; start < mask.hi; start += Op.WARP_LANES) {
      divergent += yes.any(start) && no.any(start) ? 1 : 0;
    }
    state.counters.branched(mask.warps(), divergent);
  }

  private BlockStep loop(Op.While op) {
    int p = op.p().id();
    int insideSlot = maskSlots++;
    int staySlot = maskSlots++;
    StepList head = compile(op.head());
    StepList turn = compile(op.body());
    return (state, mask) -> {
      LaneMask inside = state.slot(insideSlot);
      LaneMask stay = state.slot(staySlot);
      inside.copy(mask);
      while (inside.count > 0) {
        state.stop.check();
        head.runIn(state, inside);
        stay.select(inside, state.i32[p], 1);
        if (state.counters != null) {
          LaneMask leave = new LaneMask(state.lanes);
          leave.select(inside, state.i32[p], 0);
          countBranch(state, inside, stay, leave);
        }
        turn.runIn(state, stay);
        inside.copy(stay);
      }
    };
  }
}
