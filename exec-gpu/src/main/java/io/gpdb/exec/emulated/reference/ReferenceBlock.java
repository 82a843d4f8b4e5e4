package io.gpdb.exec.emulated.reference;

import io.gpdb.exec.emulated.common.LaneMath;
import io.gpdb.exec.emulated.common.RegisterCount;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.ReduceOp;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reductions;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import io.gpdb.storage.error.StopSignal;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One block in the reference executor. It walks the operations as a tree; each operation is done
 * for every active lane, in lane order, before the next operation begins. A lane is active in a
 * list when it is in the list's mask and has not trapped.
 */
public final class ReferenceBlock {
  private static final int WARP = Op.WARP_LANES;

  private final Kernel kernel;
  private final int block;
  private final int gridSize;
  private final long[] scalars;
  private final ReferenceMemory memory;
  private final int lanes;
  private final long[][] registers;
  private int first;
  private int end;

  public ReferenceBlock(
      Kernel kernel, int block, int gridSize, long[] scalars, ReferenceMemory memory) {
    this.kernel = kernel;
    this.block = block;
    this.gridSize = gridSize;
    this.scalars = scalars;
    this.memory = memory;
    this.lanes = kernel.blockSize();
    this.registers = new long[RegisterCount.of(kernel)][lanes];
    this.end = lanes;
  }

  void run() {
    boolean[] all = new boolean[lanes];
    Arrays.fill(all, true);
    runList(kernel.body(), all);
  }

  /** Has the operations that follow look at these lanes only. */
  public void only(int firstLane, int endLane) {
    first = firstLane;
    end = endLane;
  }

  private void runList(List<Op> ops, boolean[] mask) {
    for (Op op : ops) {
      switch (op) {
        case Op.If branch -> runIf(branch, mask);
        case Op.While loop -> runWhile(loop, mask);
        default -> runOne(op, mask);
      }
    }
  }

  /** Does an operation that holds no others for the active lanes of the mask. */
  public void runOne(Op op, boolean[] mask) {
    switch (op) {
      case Op.Ballot ballot -> runBallot(ballot, mask);
      case Op.Shuffle shuffle -> runShuffle(shuffle, mask);
      case Op.WarpReduce reduce -> runWarpReduce(reduce, mask);
      case Op.WarpRank rank -> runRank(rank.dst(), rank.p(), WARP, mask);
      case Op.BlockRank rank -> runRank(rank.dst(), rank.p(), lanes, mask);
      case Op.BlockReduce reduce -> runBlockReduce(reduce, mask);
      case Op.Barrier barrier -> {}
      case Op.Fence fence -> memory.fence(fence.scope(), active(mask));
      case Op.Persist persist -> memory.persist(persist.scope(), active(mask));
      default -> runLanes(op, mask);
    }
  }

  public boolean anyActive(boolean[] mask) {
    for (int lane = first; lane < end; lane++) {
      if (isActive(mask, lane)) {
        return true;
      }
    }
    return false;
  }

  private boolean isActive(boolean[] mask, int lane) {
    return mask[lane] && !memory.hasTrapped(lane);
  }

  public boolean[] active(boolean[] mask) {
    boolean[] active = new boolean[lanes];
    for (int lane = first; lane < end; lane++) {
      active[lane] = isActive(mask, lane);
    }
    return active;
  }

  private static boolean any(boolean[] active) {
    for (boolean lane : active) {
      if (lane) {
        return true;
      }
    }
    return false;
  }

  /** The lanes among {@code mask} that are active and whose predicate is {@code wanted}. */
  public boolean[] where(Reg p, boolean wanted, boolean[] mask) {
    boolean[] chosen = new boolean[lanes];
    for (int lane = first; lane < end; lane++) {
      chosen[lane] = isActive(mask, lane) && (read(p, lane) != 0) == wanted;
    }
    return chosen;
  }

  private void runIf(Op.If branch, boolean[] mask) {
    boolean[] then = where(branch.p(), true, mask);
    boolean[] otherwise = where(branch.p(), false, mask);
    memory.branched(then, otherwise);
    if (any(then)) {
      runList(branch.then(), then);
    }
    if (any(otherwise)) {
      runList(branch.otherwise(), otherwise);
    }
  }

  private void runWhile(Op.While loop, boolean[] mask) {
    boolean[] inside = active(mask);
    while (any(inside)) {
      StopSignal.poll();
      runList(loop.head(), inside);
      boolean[] stay = where(loop.p(), true, inside);
      memory.branched(stay, where(loop.p(), false, inside));
      runList(loop.body(), stay);
      inside = active(stay);
    }
  }

  // Operations of each lane by itself

  private void runLanes(Op op, boolean[] mask) {
    IntConsumer work = ofLane(op);
    memory.beginAccess();
    for (int lane = first; lane < end; lane++) {
      if (isActive(mask, lane)) { // no lane has another one trap
        work.accept(lane);
      }
    }
    memory.endAccess();
  }

  /** What the operation does for a lane: which one it is, is asked once for all lanes. */
  private IntConsumer ofLane(Op op) {
    return switch (op) {
      case Op.Const c -> lane -> write(c.dst(), lane, c.bits());
      case Op.Move m -> lane -> write(m.dst(), lane, read(m.a(), lane));
      case Op.Scalar s -> lane -> write(s.dst(), lane, scalars[s.index()]);
      case Op.Special s -> lane -> write(s.dst(), lane, position(s.kind(), lane));
      case Op.Unary u ->
          lane -> write(u.dst(), lane, LaneMath.unary(u.op(), u.a().type(), read(u.a(), lane)));
      case Op.Binary b -> lane -> runBinary(b, lane);
      case Op.Overflow o ->
          lane -> {
            boolean out =
                LaneMath.overflows(o.op(), o.a().type(), read(o.a(), lane), read(o.b(), lane));
            write(o.dst(), lane, out ? 1 : 0);
          };
      case Op.Compare c ->
          lane -> {
            boolean holds =
                LaneMath.compare(c.op(), c.a().type(), read(c.a(), lane), read(c.b(), lane));
            write(c.dst(), lane, holds ? 1 : 0);
          };
      case Op.Select s ->
          lane -> write(s.dst(), lane, read(read(s.p(), lane) != 0 ? s.a() : s.b(), lane));
      case Op.Convert c ->
          lane -> {
            long converted = LaneMath.convert(c.a().type(), c.dst().type(), read(c.a(), lane));
            write(c.dst(), lane, converted);
          };
      case Op.Trap t ->
          lane -> {
            if (read(t.p(), lane) != 0) {
              memory.trap(lane, t.code(), read(t.detail(), lane));
            }
          };
      default -> ofLaneInMemory(op);
    };
  }

  private IntConsumer ofLaneInMemory(Op op) {
    return switch (op) {
      case Op.Load l ->
          lane -> {
            long index = read(l.index(), lane);
            if (memory.inBuffer(lane, l.buffer(), index)) {
              write(l.dst(), lane, memory.load(lane, l.buffer(), index));
            }
          };
      case Op.Store s ->
          lane -> {
            long index = read(s.index(), lane);
            if (memory.inBuffer(lane, s.buffer(), index)) {
              memory.store(lane, s.buffer(), index, read(s.value(), lane));
            }
          };
      case Op.LoadShared l ->
          lane -> {
            long index = read(l.index(), lane);
            if (memory.inShared(lane, l.array(), index)) {
              write(l.dst(), lane, memory.loadShared(l.array(), index));
            }
          };
      case Op.StoreShared s ->
          lane -> {
            long index = read(s.index(), lane);
            if (memory.inShared(lane, s.array(), index)) {
              memory.storeShared(s.array(), index, read(s.value(), lane));
            }
          };
      case Op.Atomic a -> lane -> runAtomic(a, lane);
      case Op.AtomicShared a -> lane -> runAtomicShared(a, lane);
      case Op.LogAppend append -> lane -> runLogAppend(append, lane);
      default -> throw new IllegalArgumentException("unknown operation " + op);
    };
  }

  private void runAtomic(Op.Atomic a, int lane) {
    long index = read(a.index(), lane);
    if (memory.inBuffer(lane, a.buffer(), index)) {
      long compare = a.compare() == null ? 0 : read(a.compare(), lane);
      long old = memory.atomic(lane, a.op(), a.buffer(), index, read(a.value(), lane), compare);
      writeIfWanted(a.dst(), lane, old);
    }
  }

  private void runAtomicShared(Op.AtomicShared a, int lane) {
    long index = read(a.index(), lane);
    if (memory.inShared(lane, a.array(), index)) {
      long compare = a.compare() == null ? 0 : read(a.compare(), lane);
      long old = memory.atomicShared(a.op(), a.array(), index, read(a.value(), lane), compare);
      writeIfWanted(a.dst(), lane, old);
    }
  }

  private void runLogAppend(Op.LogAppend append, int lane) {
    long[] words = new long[append.words().size()];
    for (int w = 0; w < words.length; w++) {
      words[w] = read(append.words().get(w), lane);
    }
    long base = read(append.base(), lane);
    memory.logAppend(lane, append.buffer(), base, (int) read(append.entry(), lane), words);
  }

  private void runBinary(Op.Binary op, int lane) {
    long a = read(op.a(), lane);
    long b = read(op.b(), lane);
    boolean integer = op.a().type() == Type.I32 || op.a().type() == Type.I64;
    boolean divides = op.op() == Op.BinaryOp.DIV || op.op() == Op.BinaryOp.REM;
    if (integer && divides && b == 0) {
      memory.trap(lane, Op.DIVIDE_BY_ZERO, memory.global(lane));
    } else {
      write(op.dst(), lane, LaneMath.binary(op.op(), op.a().type(), a, b));
    }
  }

  private long position(SpecialKind kind, int lane) {
    return switch (kind) {
      case LANE -> lane % WARP;
      case WARP -> lane / WARP;
      case THREAD -> lane;
      case BLOCK -> block;
      case BLOCK_SIZE -> lanes;
      case GRID_SIZE -> gridSize;
      case GLOBAL -> memory.global(lane);
    };
  }

  // Collectives: first every active lane's operand, then every active lane's result

  private void runBallot(Op.Ballot op, boolean[] mask) {
    boolean[] active = active(mask);
    boolean[] holds = where(op.p(), true, mask);
    for (int lane = first; lane < end; lane++) {
      if (active[lane]) {
        int warpStart = lane / WARP * WARP;
        int bits = 0;
        for (int i = 0; i < WARP; i++) {
          bits |= holds[warpStart + i] ? 1 << i : 0;
        }
        write(op.dst(), lane, bits);
      }
    }
  }

  private void runRank(Reg dst, Reg p, int groupLanes, boolean[] mask) {
    boolean[] active = active(mask);
    boolean[] holds = where(p, true, mask);
    for (int lane = first; lane < end; lane++) {
      if (active[lane]) {
        int rank = 0;
        for (int below = lane / groupLanes * groupLanes; below < lane; below++) {
          rank += holds[below] ? 1 : 0;
        }
        write(dst, lane, rank);
      }
    }
  }

  private void runShuffle(Op.Shuffle op, boolean[] mask) {
    boolean[] active = active(mask);
    long[] values = registers[op.a().id()].clone();
    long[] selectors = registers[op.lane().id()].clone();
    for (int lane = first; lane < end; lane++) {
      if (active[lane]) {
        int own = lane % WARP;
        long source =
            switch (op.kind()) {
              case IDX -> selectors[lane];
              case UP -> own - selectors[lane];
              case DOWN -> own + selectors[lane];
              case XOR -> own ^ selectors[lane];
            };
        int from = lane - own + (int) (source & (WARP - 1));
        boolean fromOther = source >= 0 && source < WARP && active[from];
        write(op.dst(), lane, values[fromOther ? from : lane]);
      }
    }
  }

  private void runWarpReduce(Op.WarpReduce op, boolean[] mask) {
    boolean[] active = active(mask);
    long[] values = registers[op.a().id()].clone();
    for (int lane = first; lane < end; lane++) {
      if (active[lane]) {
        write(op.dst(), lane, warpTree(op.op(), op.a().type(), values, active, lane / WARP * WARP));
      }
    }
  }

  private void runBlockReduce(Op.BlockReduce op, boolean[] mask) {
    boolean[] active = active(mask);
    long[] values = registers[op.a().id()].clone();
    long[] warpResults = new long[WARP];
    boolean[] warpExists = new boolean[WARP];
    for (int warp = 0; warp < lanes / WARP; warp++) {
      warpResults[warp] = warpTree(op.op(), op.a().type(), values, active, warp * WARP);
      warpExists[warp] = true;
    }
    long result = warpTree(op.op(), op.a().type(), warpResults, warpExists, 0);
    for (int lane = first; lane < end; lane++) {
      if (active[lane]) {
        write(op.dst(), lane, result);
      }
    }
  }

  private static long warpTree(
      ReduceOp op, Type type, long[] values, boolean[] active, int warpStart) {
    long[] tree = new long[WARP];
    for (int i = 0; i < WARP; i++) {
      int lane = warpStart + i;
      tree[i] = active[lane] ? values[lane] : Reductions.identity(op, type);
    }
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
      for (int i = 0; i < distance; i++) {
        tree[i] = LaneMath.reduce(op, type, tree[i], tree[i + distance]);
      }
    }
    return tree[0];
  }

  // Registers

  private long read(Reg register, int lane) {
    return registers[register.id()][lane];
  }

  private void write(Reg register, int lane, long bits) {
    Type type = register.type();
    boolean narrow = type == Type.I32 || type == Type.F32;
    registers[register.id()][lane] = narrow ? (int) bits : bits;
  }

  private void writeIfWanted(@Nullable Reg register, int lane, long bits) {
    if (register != null) {
      write(register, lane, bits);
    }
  }
}
