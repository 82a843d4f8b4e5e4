package io.gpdb.exec.emulated;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BoundSegments;
import io.gpdb.exec.emulated.common.OwnerlessMemory;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;

/** A group as its launch keeps it: its place among the launch's blocks, and what is bound. */
final class LaunchPart {
  final int firstBlock;
  final int blocks;
  final MemorySegment[] buffers;
  final long[] scalars;
  private final Arguments arguments;

  LaunchPart(int firstBlock, int blocks, Arguments arguments) {
    this.firstBlock = firstBlock;
    this.blocks = blocks;
    this.arguments = arguments;
    this.buffers = BoundSegments.of(arguments);
    this.scalars = arguments.boundScalars();
  }

  int endBlock() {
    return firstBlock + blocks;
  }

  BlockPersists newPersists(ExecutionCounters counters) {
    return new BlockPersists(buffers, arguments.persistTargets(), counters);
  }

  /** Whether a buffer that the kernel may write shares bytes with another one of the group. */
  boolean overlaps(Kernel kernel) {
    for (int i = 0; i < buffers.length; i++) {
      if (kernel.buffers().get(i).access() == Kernel.Access.READ_WRITE) {
        for (int j = 0; j < buffers.length; j++) {
          if (i != j && overlap(buffers[i], buffers[j])) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean overlap(MemorySegment a, MemorySegment b) {
    return a.address() < b.address() + b.byteSize() && b.address() < a.address() + a.byteSize();
  }

  /** Whether all threads may access all buffers. */
  boolean isOwnerless() {
    for (MemorySegment buffer : buffers) {
      if (!OwnerlessMemory.contains(buffer)) {
        return false;
      }
    }
    return true;
  }
}
