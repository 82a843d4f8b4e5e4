package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A kernel's steps with their code. */
final class CompiledKernel {
  private static final int OPERATIONS_MAX = 120;
  private static final int OPERATIONS_MAX_LEAST = 8;

  private final KernelFacts facts;
  private final BitSet spilled;
  private final List<Reg> arrays = new ArrayList<>();
  private final Set<Integer> packedBuffers = new TreeSet<>();
  private final FrameStep[] steps;
  private final CompiledCode code;
  private final RegionCompiler regions;
  private int totalsMax;
  private int masks = 1;

  private CompiledKernel(KernelFacts facts) {
    this.facts = facts;
    List<PlanStep> plan = new RegionPlanner(facts).plan();
    this.spilled = SpilledRegisters.of(facts, plan);
    this.regions = new RegionCompiler(facts, spilled);
    regions.addAll(plan);
    this.code = regions.define();
    this.steps = steps(plan);
    findArrays();
  }

  /**
   * Smaller regions are tried where the code of one would be too long for the JIT compiler.
   *
   * @throws IllegalArgumentException when no class file can hold the code
   */
  static CompiledKernel compile(Kernel kernel) {
    int operationsMax = OPERATIONS_MAX;
    while (true) {
      boolean last = operationsMax / 2 < OPERATIONS_MAX_LEAST;
      try {
        CompiledKernel compiled = new CompiledKernel(new KernelFacts(kernel, operationsMax));
        if (compiled.regions.isJitCompilable() || last) {
          return compiled;
        }
      } catch (IllegalArgumentException tooLong) {
        if (last) {
          throw tooLong;
        }
      }
      operationsMax /= 2;
    }
  }

  FrameStep[] steps() {
    return steps;
  }

  /** Whether the JIT compiler takes every part. */
  boolean isJitCompilable() {
    return regions.isJitCompilable();
  }

  /** How many regions have a loop without branches. */
  int branchFreeRegions() {
    return regions.branchFreeRegions();
  }

  private void findArrays() {
    BitSet known = new BitSet();
    Ops.forEach(
        facts.kernel.body(),
        op -> {
          Reg dst = Ops.write(op);
          if (dst != null && spilled.get(dst.id()) && !known.get(dst.id())) {
            known.set(dst.id());
            arrays.add(dst);
          }
        });
  }

  BlockFrame newFrame() {
    Object[] packed = new Object[facts.kernel.buffers().size()];
    for (int buffer : packedBuffers) {
      packed[buffer] = packedArray(facts.kernel.buffers().get(buffer).element());
    }
    BlockFrame frame =
        new BlockFrame(facts.kernel, facts.use.registers(), totalsMax, masks, packed);
    for (Reg register : arrays) {
      int id = register.id();
      switch (register.type()) {
        case I32, PRED -> frame.i32[id] = new int[frame.lanes];
        case I64 -> frame.i64[id] = new long[frame.lanes];
        case F32 -> frame.f32[id] = new float[frame.lanes];
        case F64 -> frame.f64[id] = new double[frame.lanes];
      }
    }
    return frame;
  }

  /** About the bytes of a frame. */
  long laneBytes() {
    long words = 2L * (arrays.size() + packedBuffers.size()) + masks + BlockState.SCRATCH_WORDS;
    return words * Integer.BYTES * facts.kernel.blockSize();
  }

  private Object packedArray(Element element) {
    int lanes = facts.kernel.blockSize();
    return switch (element) {
      case I8 -> new byte[lanes];
      case I16 -> new short[lanes];
      case I32, F32 -> new int[lanes];
      case I64, F64 -> new long[lanes];
    };
  }

  // Steps

  private FrameStep[] steps(List<PlanStep> plan) {
    List<FrameStep> list = new ArrayList<>();
    for (PlanStep step : plan) {
      switch (step) {
        case PlanStep.Scalars scalars -> {
          int part = regions.scalarsPart(scalars);
          list.add(frame -> code.run(part, frame, 0, 0));
        }
        case PlanStep.Region region -> {
          RegionStep regionStep = regions.step(code, region);
          totalsMax = Math.max(totalsMax, region.ops().size());
          regions.shape(region).packedStores.forEach(store -> packedBuffers.add(store.buffer()));
          list.add(regionStep);
        }
        case PlanStep.Collective collective -> {
          for (Reg register : Ops.reads(collective.op())) {
            if (facts.isInline(register) || facts.isScalar(register)) {
              list.add(FillSteps.of(facts, register));
            }
          }
          list.add(CollectiveSteps.of(facts, collective.op()));
        }
        case PlanStep.Order order -> list.add(order(order.op()));
        case PlanStep.Branch branch -> list.add(branch(branch));
        case PlanStep.Loop loop -> list.add(loop(loop));
      }
    }
    return list.toArray(FrameStep[]::new);
  }

  private static FrameStep order(Op op) {
    if (!(op instanceof Op.Persist persist)) {
      return frame -> VarHandle.fullFence();
    }
    PersistScope scope = persist.scope();
    return frame -> {
      if (frame.persists != null) {
        frame.persists.persist(scope);
      }
    };
  }

  /** The predicate that all active lanes agree on. */
  private boolean uniformValue(BlockFrame frame, Reg p) {
    if (facts.isScalar(p) || facts.isInline(p)) {
      return FillSteps.value(facts, frame, p) != 0;
    }
    int lane = BlockFrame.firstActive(frame.mask);
    return lane >= 0 && frame.i32[p.id()][lane] != 0;
  }

  private FrameStep branch(PlanStep.Branch branch) {
    Reg p = branch.op().p();
    FrameStep[] then = steps(branch.then());
    FrameStep[] otherwise = steps(branch.otherwise());
    if (branch.uniform()) {
      return frame -> FrameStep.runAll(uniformValue(frame, p) ? then : otherwise, frame);
    }
    int yesMask = masks++;
    int noMask = masks++;
    return frame -> {
      LaneMask yes = frame.masks[yesMask];
      LaneMask no = frame.masks[noMask];
      yes.select(frame.mask, frame.i32[p.id()], 1);
      no.select(frame.mask, frame.i32[p.id()], 0);
      FrameStep.runIn(yes, then, frame);
      FrameStep.runIn(no, otherwise, frame);
    };
  }

  private FrameStep loop(PlanStep.Loop loop) {
    Reg p = loop.op().p();
    FrameStep[] head = steps(loop.head());
    FrameStep[] body = steps(loop.body());
    if (loop.uniform()) {
      return frame -> {
        FrameStep.runAll(head, frame);
        while (frame.mask.count > 0 && uniformValue(frame, p)) {
          frame.turn();
          FrameStep.runAll(body, frame);
          FrameStep.runAll(head, frame);
        }
      };
    }
    int insideMask = masks++;
    int stayMask = masks++;
    return frame -> {
      LaneMask inside = frame.masks[insideMask];
      LaneMask stay = frame.masks[stayMask];
      inside.copy(frame.mask);
      while (inside.count > 0) {
        frame.turn();
        FrameStep.runIn(inside, head, frame);
        stay.select(inside, frame.i32[p.id()], 1);
        FrameStep.runIn(stay, body, frame);
        inside.copy(stay);
      }
    };
  }
}
