package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.LaneMask;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.SpecialKind;
import io.gpdb.exec.ir.Reductions;
import io.gpdb.exec.ir.Reg;
import io.gpdb.exec.ir.Type;
import java.util.List;
import java.util.stream.IntStream;

/** Runs a region: most lanes by its fast form, the rest by its general form. */
final class RegionStep implements FrameStep {
  /**
   * At first, a fast loop runs so few lanes at a time that the JIT compiler, which counts calls,
   * compiles it within the first blocks: with 64 or more it would count 40 000 turns before 600
   * calls, and compile the loop for the call that is under way, then once more for calls to come.
   */
  private static final int COLD_LANES = 32;

  private static final int COLD_CALLS = 20_000;

  private final CompiledCode code;
  private final RegionShape shape;
  private final int generalPart;
  private final int fastPart;
  private final int stridedPart;
  private final int trapsPart;
  private final int[] leftOut;
  private final int[] leftOutOfWarps;
  private final int[] rowBuffers;
  private final int[] bitmapBuffers;
  private final long[] firstTotals;
  private final List<Op.BlockReduce> reductions;
  private final int[] reductionTotals;
  private int coldCalls; // a race only delays or hastens the change

  /** Parts are -1 where there is no such form. */
  RegionStep(
      CompiledCode code,
      RegionShape shape,
      int generalPart,
      int fastPart,
      int stridedPart,
      int trapsPart) {
    this.code = code;
    this.shape = shape;
    this.generalPart = generalPart;
    this.fastPart = fastPart;
    this.stridedPart = stridedPart;
    this.trapsPart = trapsPart;
    int lanes = shape.facts.kernel.blockSize();
    leftOut = shape.leftOut.stream().mapToInt(c -> c).filter(c -> c >= 0 && c < lanes).toArray();
    leftOutOfWarps =
        shape.leftOutOfWarps.stream()
            .mapToInt(c -> c)
            .filter(c -> c >= 0 && c < Op.WARP_LANES)
            .toArray();
    rowBuffers = shape.rowBuffers.stream().toArray();
    bitmapBuffers = shape.bitmapBuffers.stream().toArray();
    List<Op> totals = shape.region.ops().stream().filter(RunningTotals::isTotal).toList();
    firstTotals = totals.stream().mapToLong(RegionStep::firstTotal).toArray();
    reductions = shape.region.reductions();
    reductionTotals =
        IntStream.range(0, totals.size())
            .filter(i -> totals.get(i) instanceof Op.BlockReduce)
            .toArray();
  }

  private static long firstTotal(Op op) {
    return op instanceof Op.BlockReduce reduce
        ? Reductions.identity(reduce.op(), reduce.dst().type())
        : 0;
  }

  @Override
  public void run(BlockFrame frame) {
    System.arraycopy(firstTotals, 0, frame.totals, 0, firstTotals.length);
    LaneMask mask = frame.mask;
    if (!shape.region.divergent() && mask.count == frame.lanes) {
      runFast(frame);
    } else {
      general(frame, mask.lo, mask.hi);
    }
    for (int i = 0; i < reductionTotals.length; i++) {
      long total = frame.totals[reductionTotals[i]];
      Reg dst = reductions.get(i).dst();
      frame.uniform[dst.id()] = total;
      if (shape.isSpilled(dst)) {
        FillSteps.fill(frame, dst, total);
      }
    }
  }

  private void general(BlockFrame frame, int from, int to) {
    if (from < to) {
      code.run(generalPart, frame, from, to);
    }
  }

  private void runFast(BlockFrame frame) {
    int limit = fastLimit(frame);
    int from = 0;
    for (int lane : leftOut) {
      if (lane < limit) {
        fast(frame, from, lane);
        general(frame, lane, lane + 1);
        from = lane + 1;
      }
    }
    fast(frame, from, limit);
    general(frame, limit, frame.lanes);
  }

  private void fast(BlockFrame frame, int from, int to) {
    if (from >= to) {
      return;
    }
    if (fastPart < 0) {
      for (int c : leftOutOfWarps) {
        int first = from + ((c - from) & (Op.WARP_LANES - 1));
        if (first < to) {
          code.run(stridedPart, frame, first, to);
        }
      }
      return;
    }
    if (coldCalls > COLD_CALLS) {
      unlessTrapping(frame, from, to);
      return;
    }
    for (int start = from; start < to; start += COLD_LANES) {
      coldCalls++;
      unlessTrapping(frame, start, Math.min(start + COLD_LANES, to));
    }
  }

  private void unlessTrapping(BlockFrame frame, int from, int to) {
    if (trapsPart >= 0) {
      code.run(trapsPart, frame, from, to);
      if (frame.wouldTrap != 0) {
        general(frame, from, to);
        return;
      }
    }
    code.run(fastPart, frame, from, to);
  }

  /** Lanes below this keep the guard and may access their rows of all buffers. */
  private int fastLimit(BlockFrame frame) {
    Reg start = shape.start;
    long first = start == null ? frame.firstGlobal : FillSteps.value(shape.facts, frame, start);
    if (first < 0 || first + frame.lanes > Integer.MAX_VALUE) {
      return 0; // rows wrap
    }
    long limit = frame.lanes;
    Reg bound = shape.bound;
    if (bound != null) {
      long n = FillSteps.value(shape.facts, frame, bound);
      n = bound.type() == Type.I32 ? (int) n : n;
      long inBlock = shape.bounded == SpecialKind.GLOBAL ? n - first : n;
      limit = n <= 0 ? 0 : Math.max(0, Math.min(limit, inBlock));
    }
    for (int buffer : rowBuffers) {
      if (first + limit > frame.elements[buffer]) {
        return 0;
      }
    }
    for (int buffer : bitmapBuffers) {
      if (limit > 0 && (first + limit - 1) >> 5 >= frame.elements[buffer]) {
        return 0;
      }
    }
    return (int) limit;
  }
}
