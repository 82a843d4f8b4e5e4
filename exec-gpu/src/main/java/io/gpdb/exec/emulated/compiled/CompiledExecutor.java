package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs a kernel as a hidden class of its own: a block is a sequence of steps, most of them regions,
 * loops over the lanes in which all operations of a lane are together. See
 * docs/internals/execution-model.md. Thread-safe; keeps no counters.
 */
public final class CompiledExecutor implements BlockProgram {
  private final CompiledKernel compiled;
  private final ConcurrentLinkedQueue<BlockFrame> idle = new ConcurrentLinkedQueue<>();

  /** The kernel must have passed the verifier. */
  public CompiledExecutor(Kernel kernel) {
    this.compiled = CompiledKernel.compile(kernel);
  }

  @Override
  public void runBlock(
      int block,
      int gridSize,
      MemorySegment[] buffers,
      long[] scalars,
      BlockTraps traps,
      @Nullable BlockPersists persists,
      @Nullable ExecutionCounters counters) {
    runBlocks(block, block + 1, gridSize, buffers, scalars, traps, persists, counters);
  }

  @Override
  public void runBlocks(
      int first,
      int end,
      int gridSize,
      MemorySegment[] buffers,
      long[] scalars,
      BlockTraps traps,
      @Nullable BlockPersists persists,
      @Nullable ExecutionCounters counters) {
    BlockFrame frame = idle.poll();
    if (frame == null) {
      frame = compiled.newFrame();
    }
    frame.gridSize = gridSize;
    frame.scalars = scalars;
    frame.traps = traps;
    frame.persists = persists;
    frame.bind(buffers);
    for (int block = first; block < end; block++) {
      frame.begin(block);
      FrameStep.runAll(compiled.steps(), frame);
    }
    frame.end();
    idle.add(frame);
  }

  @Override
  public long laneBytes() {
    return compiled.laneBytes();
  }

  @Override
  public void forgetLanes() {
    idle.clear();
  }
}
