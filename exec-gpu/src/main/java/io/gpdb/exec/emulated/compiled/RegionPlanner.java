package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Splits lists of operations into steps. A region grows while one loop over the lanes can carry all
 * of it out; it ends
 *
 * <ul>
 *   <li>before an operation that reads the total of a BlockReduce in the region,
 *   <li>before an access that a barrier in the region puts after a conflicting one,
 *   <li>before an operation on scalar registers that may not run ahead of the region,
 *   <li>after operations that exchange values between lanes, at fences and persists,
 *   <li>around control flow with such operations inside,
 *   <li>where its code would grow too long: sooner in a loop that all lanes leave together,
 *   <li>in such a loop between what needs no branches and the first load at any index.
 * </ul>
 */
final class RegionPlanner {
  /**
   * Without stores, in a loop that all lanes leave together: the JIT compiler makes no vectors of
   * more.
   */
  private static final int WALK_OPERATIONS_MAX = 32;

  /**
   * What is computed before loads at any index is a loop of its own, of which the JIT compiler
   * makes vectors, from so many operations on: for fewer it costs more to keep what the loads need.
   */
  private static final int APART_OPERATIONS_MIN = 6;

  private final KernelFacts facts;

  /** Operations on positions and constants alone: each region that reads them repeats them. */
  private final Map<Integer, Op> repeatable = new HashMap<>();

  RegionPlanner(KernelFacts facts) {
    this.facts = facts;
  }

  List<PlanStep> plan() {
    return new Steps(false, false, facts.operationsMax).all(facts.kernel.body(), null);
  }

  private boolean isRepeatable(Op op) {
    Reg dst = Ops.write(op);
    return dst != null
        && facts.use.onlyWriter(dst.id()) != null
        && KernelFacts.isPure(op)
        && Ops.reads(op).stream()
            .allMatch(
                register -> facts.isInline(register) || repeatable.containsKey(register.id()));
  }

  /** What a list of operations touches in memory: bit n for buffer n, above for shared arrays. */
  private static final class Touched {
    final BitSet loaded = new BitSet();
    final BitSet stored = new BitSet();

    void add(Op op, int buffers) {
      switch (op) {
        case Op.Load o -> loaded.set(o.buffer());
        case Op.LoadShared o -> loaded.set(buffers + o.array());
        case Op.Store o -> stored.set(o.buffer());
        case Op.StoreShared o -> stored.set(buffers + o.array());
        case Op.Atomic o -> stored.set(o.buffer());
        case Op.AtomicShared o -> stored.set(buffers + o.array());
        case Op.LogAppend o -> stored.set(o.buffer());
        default -> Ops.inner(op).forEach(ops -> ops.forEach(inner -> add(inner, buffers)));
      }
    }

    void addAll(Touched other) {
      loaded.or(other.loaded);
      stored.or(other.stored);
    }

    boolean conflictsWith(Touched later) {
      return stored.intersects(later.loaded)
          || stored.intersects(later.stored)
          || loaded.intersects(later.stored);
    }
  }

  /** The steps of one list. */
  private final class Steps {
    private final boolean divergent;
    private final boolean walks;
    private final int operationsMax;
    private final List<PlanStep> steps = new ArrayList<>();
    private List<Op> scalars = new ArrayList<>();
    private List<Op> region = new ArrayList<>();
    private int size;
    private boolean onlyPure = true;
    private boolean onlyRuns = true;
    private int computed;
    private final BitSet readInRegion = new BitSet();
    private final BitSet repeated = new BitSet();
    private final BitSet pending = new BitSet();
    private Touched beforeBarrier = new Touched();
    private Touched sinceBarrier = new Touched();

    Steps(boolean divergent, boolean walks, int operationsMax) {
      this.divergent = divergent;
      this.walks = walks;
      this.operationsMax = operationsMax;
    }

    /** The steps of the list; {@code condition}, a register read after it, is computed too. */
    List<PlanStep> all(List<Op> ops, @Nullable Reg condition) {
      ops.forEach(this::add);
      if (condition != null) {
        repeat(condition);
      }
      flush();
      return steps;
    }

    private void add(Op op) {
      if (readsPending(op)) {
        flush();
      }
      switch (op) {
        case Op.If branch when facts.splits(op) -> {
          repeat(branch.p());
          flush();
          boolean uniform = facts.choosesUniformly(op);
          boolean inside = divergent || !uniform;
          steps.add(
              new PlanStep.Branch(
                  branch,
                  uniform,
                  new Steps(inside, walks, operationsMax).all(branch.then(), null),
                  new Steps(inside, walks, operationsMax).all(branch.otherwise(), null)));
        }
        case Op.While loop when facts.splits(op) -> {
          flush();
          boolean uniform = facts.choosesUniformly(op);
          boolean inside = divergent || !uniform;
          int most = Math.min(operationsMax, WALK_OPERATIONS_MAX);
          steps.add(
              new PlanStep.Loop(
                  loop,
                  uniform,
                  new Steps(inside, uniform, most).all(loop.head(), loop.p()),
                  new Steps(inside, uniform, most).all(loop.body(), null)));
        }
        case Op.Fence fence -> order(fence);
        case Op.Persist persist -> order(persist);
        case Op.Ballot ballot -> collective(ballot);
        case Op.Shuffle shuffle -> collective(shuffle);
        case Op.WarpReduce reduce -> collective(reduce);
        case Op.BlockReduce reduce when isFloat(reduce.a().type()) -> collective(reduce);
        case Op.BlockReduce reduce -> {
          append(reduce);
          pending.set(reduce.dst().id());
          barrier();
        }
        case Op.BlockRank rank -> {
          append(rank);
          barrier();
        }
        case Op.Barrier barrier -> barrier();
        default -> single(op);
      }
    }

    private static boolean isFloat(Type type) {
      return type == Type.F32 || type == Type.F64;
    }

    private boolean readsPending(Op op) {
      boolean[] reads = new boolean[1];
      Ops.forEach(
          List.of(op),
          o -> {
            for (Reg register : Ops.reads(o)) {
              reads[0] |= pending.get(register.id());
            }
            Reg dst = Ops.write(o);
            reads[0] |= dst != null && pending.get(dst.id());
          });
      return reads[0];
    }

    private void order(Op op) {
      flush();
      steps.add(new PlanStep.Order(op));
    }

    private void collective(Op op) {
      Ops.reads(op).forEach(this::repeat);
      flush();
      steps.add(new PlanStep.Collective(op));
    }

    private void barrier() {
      beforeBarrier.addAll(sinceBarrier);
      sinceBarrier = new Touched();
    }

    private void single(Op op) {
      Reg dst = Ops.write(op);
      if (dst != null && facts.isInline(dst)) {
        return;
      }
      if (dst != null && facts.isScalar(dst)) {
        scalar(op, dst);
      } else if (dst != null && isRepeatable(op)) {
        repeatable.put(dst.id(), op);
      } else {
        append(op);
      }
    }

    /** Scalar operations run ahead of the region that is open. */
    private void scalar(Op op, Reg dst) {
      if (readInRegion.get(dst.id()) || !(onlyPure || KernelFacts.isPure(op))) {
        flush();
      }
      scalars.add(op);
    }

    private void append(Op op) {
      Touched touched = new Touched();
      touched.add(op, facts.kernel.buffers().size());
      boolean stores =
          !(beforeBarrier.stored.isEmpty()
              && sinceBarrier.stored.isEmpty()
              && touched.stored.isEmpty());
      int most = stores ? facts.operationsMax : operationsMax;
      boolean apart = walks && onlyRuns && computed >= APART_OPERATIONS_MIN && loadsAnywhere(op);
      if (apart || beforeBarrier.conflictsWith(touched) || size + count(op) > most) {
        flush();
      }
      sinceBarrier.addAll(touched);
      Ops.forEach(List.of(op), o -> Ops.reads(o).forEach(this::repeat));
      addToRegion(op);
    }

    private boolean loadsAnywhere(Op op) {
      return any(op, o -> o instanceof Op.Load load && !isRun(load));
    }

    /** Whether neighbouring lanes load neighbouring elements, or words of a bitmap. */
    private boolean isRun(Op.Load load) {
      Reg row = facts.rowOfBitmapWord(load.index());
      return facts.walkStart(row == null ? load.index() : row) != null;
    }

    /** Whether the operation, or one inside of it, is such. */
    private static boolean any(Op op, Predicate<Op> such) {
      boolean[] found = new boolean[1];
      Ops.forEach(List.of(op), o -> found[0] |= such.test(o));
      return found[0];
    }

    private static int count(Op op) {
      int[] count = new int[1];
      Ops.forEach(List.of(op), _ -> count[0]++);
      return count[0];
    }

    /** Puts what computes the register into the region, where that is to be repeated. */
    private void repeat(Reg register) {
      Op op = repeatable.get(register.id());
      if (op != null && !repeated.get(register.id())) {
        repeated.set(register.id());
        Ops.reads(op).forEach(this::repeat);
        addToRegion(op);
      }
    }

    private void addToRegion(Op op) {
      region.add(op);
      Ops.forEach(
          List.of(op),
          o -> {
            size++;
            onlyPure &= KernelFacts.isPure(o);
            onlyRuns &= mayNeedNoBranch(o);
            computed += KernelFacts.isPure(o) && Ops.reads(o).size() > 1 ? 1 : 0;
            Ops.reads(o).forEach(this::markRead);
          });
    }

    private boolean mayNeedNoBranch(Op op) {
      return KernelFacts.isPure(op)
          || op instanceof Op.If
          || op instanceof Op.Trap
          || (op instanceof Op.Load load && isRun(load));
    }

    /** An index start + THREAD is not read: the region adds up where it is from its start. */
    private void markRead(Reg register) {
      readInRegion.set(register.id());
      Reg start = facts.walkStart(register);
      if (start != null) {
        readInRegion.set(start.id());
      }
    }

    private void flush() {
      if (!scalars.isEmpty()) {
        steps.add(new PlanStep.Scalars(scalars));
        scalars = new ArrayList<>();
      }
      if (!region.isEmpty()) {
        steps.add(new PlanStep.Region(region, divergent));
        region = new ArrayList<>();
      }
      size = 0;
      computed = 0;
      onlyPure = true;
      onlyRuns = true;
      readInRegion.clear();
      repeated.clear();
      pending.clear();
      beforeBarrier = new Touched();
      sinceBarrier = new Touched();
    }
  }
}
