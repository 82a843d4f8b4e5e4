package io.gpdb.simulation.explore;

import io.gpdb.exec.emulated.reference.ReferenceBlock;
import io.gpdb.exec.ir.Op;
import io.gpdb.exec.ir.Ops;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One warp of an explored block: where it is in the kernel, so that it can go on by one operation
 * at a time. It stops at operations that need the whole block.
 */
final class ExploredWarp {
  private final ReferenceBlock block;
  private final int firstLane;
  private final ArrayDeque<Frame> frames = new ArrayDeque<>();
  private @Nullable Op awaited;

  /** A list of operations with the lanes that execute it; of a loop, its head or its body. */
  private static final class Frame {
    final List<Op> ops;
    final boolean[] mask;
    final Op.@Nullable While loop;
    final boolean isHead;
    int next;

    Frame(List<Op> ops, boolean[] mask, Op.@Nullable While loop, boolean isHead) {
      this.ops = ops;
      this.mask = mask;
      this.loop = loop;
      this.isHead = isHead;
    }
  }

  ExploredWarp(ReferenceBlock block, List<Op> body, int firstLane, int lanes) {
    this.block = block;
    this.firstLane = firstLane;
    boolean[] mask = new boolean[lanes];
    Arrays.fill(mask, firstLane, firstLane + Op.WARP_LANES, true);
    frames.push(new Frame(body, mask, null, false));
  }

  /** Ended, or all of its lanes have trapped. */
  boolean isDone() {
    return frames.isEmpty();
  }

  /** Can go on by itself. */
  boolean isReady() {
    return awaited == null && !frames.isEmpty();
  }

  /** The block operation at which it waits for the other warps; null when it can go on. */
  @Nullable Op awaited() {
    return awaited;
  }

  /** The lanes that take part in the awaited operation are added to the mask. */
  void join(boolean[] mask) {
    boolean[] own = frames.element().mask;
    for (int lane = firstLane; lane < firstLane + Op.WARP_LANES; lane++) {
      mask[lane] |= own[lane];
    }
  }

  /** The awaited operation was done for the whole block. */
  void release() {
    awaited = null;
    frames.element().next++;
  }

  /** Does one operation, or stops before one of the block. */
  void step() {
    block.only(firstLane, firstLane + Op.WARP_LANES);
    Frame frame = frames.element();
    if (!block.anyActive(frames.getLast().mask)) {
      frames.clear();
    } else if (frame.next == frame.ops.size()) {
      end(frame);
    } else {
      Op op = frame.ops.get(frame.next);
      if (Ops.isBlockOperation(op)) {
        awaited = op;
      } else {
        frame.next++;
        begin(op, frame.mask);
      }
    }
  }

  private void begin(Op op, boolean[] mask) {
    switch (op) {
      case Op.If branch -> {
        boolean[] then = block.where(branch.p(), true, mask);
        boolean[] otherwise = block.where(branch.p(), false, mask);
        pushIfAny(branch.otherwise(), otherwise);
        pushIfAny(branch.then(), then);
      }
      case Op.While loop -> pushHead(loop, mask);
      default -> block.runOne(op, mask);
    }
  }

  private void pushIfAny(List<Op> ops, boolean[] mask) {
    if (block.anyActive(mask)) {
      frames.push(new Frame(ops, mask, null, false));
    }
  }

  private void pushHead(Op.While loop, boolean[] mask) {
    if (block.anyActive(mask)) {
      frames.push(new Frame(loop.head(), block.active(mask), loop, true));
    }
  }

  private void end(Frame frame) {
    frames.pop();
    Op.While loop = frame.loop;
    if (loop != null && frame.isHead) {
      boolean[] stay = block.where(loop.p(), true, frame.mask);
      if (block.anyActive(stay)) {
        frames.push(new Frame(loop.body(), stay, loop, false));
      }
    } else if (loop != null) {
      pushHead(loop, frame.mask);
    }
  }
}
