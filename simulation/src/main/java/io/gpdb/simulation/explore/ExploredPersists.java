package io.gpdb.simulation.explore;

import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.emulated.common.PersistEffects;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Op.FenceScope;
import io.gpdb.exec.ir.Op.PersistScope;
import io.gpdb.simulation.explore.EffectListener.Effect;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Which lines of PERSISTENT buffers an explored block has stored to and not yet persisted, by lane.
 *
 * <p>A persist barrier takes in exactly what its scope says and not a line more: the lines of the
 * lanes that execute it (WORKITEM), of its block (WORKGROUP), of all blocks when the launch ends
 * (KERNEL). Lines are flushed in an order that the seed determines.
 */
final class ExploredPersists implements PersistEffects {
  private static final int LINE_SHIFT = 6;

  private final Kernel kernel;
  private final int block;
  private final PersistTarget[] targets;
  private final MemorySegment[] buffers;
  private final EffectListener listener;
  private final Random random;
  private final Map<Line, BitSet> dirty = new LinkedHashMap<>();
  private boolean kernelScope;

  private record Line(int buffer, long number) {}

  ExploredPersists(
      Kernel kernel,
      int block,
      PersistTarget[] targets,
      MemorySegment[] buffers,
      EffectListener listener,
      Random random) {
    this.kernel = kernel;
    this.block = block;
    this.targets = targets;
    this.buffers = buffers;
    this.listener = listener;
    this.random = random;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // VOLATILE is one object
  public void storing(int lane, int buffer, long offset, int bytes) {
    if (targets[buffer] == PersistTarget.VOLATILE) {
      return;
    }
    String name = kernel.buffers().get(buffer).name();
    listener.before(Effect.STORE, kernel.name(), block, lane / Op.WARP_LANES, name, offset);
    long last = (offset + bytes - 1) >> LINE_SHIFT;
    for (long line = offset >> LINE_SHIFT; line <= last; line++) {
      dirty.computeIfAbsent(new Line(buffer, line), l -> new BitSet()).set(lane);
    }
  }

  @Override
  public void fencing(FenceScope scope, boolean[] active) {
    report(
        switch (scope) {
          case BLOCK -> Effect.FENCE_BLOCK;
          case DEVICE -> Effect.FENCE_DEVICE;
          case SYSTEM -> Effect.FENCE_SYSTEM;
        },
        active);
  }

  @Override
  public void persisting(PersistScope scope, boolean[] active) {
    switch (scope) {
      case WORKITEM -> {
        report(Effect.PERSIST_WORKITEM, active);
        persist(linesOf(active));
      }
      case WORKGROUP -> {
        report(Effect.PERSIST_WORKGROUP, active);
        persist(new ArrayList<>(dirty.keySet()));
      }
      case KERNEL -> {
        report(Effect.PERSIST_KERNEL, active);
        kernelScope = true;
      }
    }
  }

  private void report(Effect effect, boolean[] active) {
    int lane = 0;
    while (lane < active.length - 1 && !active[lane]) {
      lane++;
    }
    listener.before(effect, kernel.name(), block, lane / Op.WARP_LANES, "", 0);
  }

  private List<Line> linesOf(boolean[] active) {
    List<Line> lines = new ArrayList<>();
    dirty.forEach(
        (line, lanes) -> {
          if (lanes.stream().anyMatch(lane -> active[lane])) {
            lines.add(line);
          }
        });
    return lines;
  }

  /** Whether a lane has executed a barrier of kernel scope. */
  boolean isKernelScope() {
    return kernelScope;
  }

  /** The launch has ended: flushes what is left and notes the targets that are to be drained. */
  void flushAll(Set<PersistTarget> drained) {
    drained.addAll(flush(new ArrayList<>(dirty.keySet())));
  }

  private void persist(List<Line> lines) {
    flush(lines).forEach(PersistTarget::drain);
  }

  private Set<PersistTarget> flush(List<Line> lines) {
    Collections.shuffle(lines, random);
    Set<PersistTarget> flushed = new LinkedHashSet<>();
    for (Line line : lines) {
      long from = line.number << LINE_SHIFT;
      long end = Math.min(from + (1 << LINE_SHIFT), buffers[line.buffer].byteSize());
      targets[line.buffer].flush(from, end - from);
      flushed.add(targets[line.buffer]);
      dirty.remove(line);
    }
    return flushed;
  }
}
