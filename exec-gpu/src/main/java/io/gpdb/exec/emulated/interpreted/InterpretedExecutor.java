package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Ops;
import io.gpdb.exec.ir.Reg;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs a kernel one operation at a time over all lanes of a block, each by a loop over registers
 * that are arrays. Nothing is compiled for the kernel, so first runs and small inputs go through
 * it; it also keeps the execution counters. Thread-safe.
 */
public final class InterpretedExecutor implements BlockProgram {
  private final Kernel kernel;
  private final StepCompiler program;
  private final ConcurrentLinkedQueue<BlockState> idle = new ConcurrentLinkedQueue<>();

  /** The kernel must have passed the verifier. */
  public InterpretedExecutor(Kernel kernel) {
    this.kernel = kernel;
    this.program = new StepCompiler(kernel);
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
    BlockState state = idle.poll();
    if (state == null) {
      state = newState();
    }
    state.gridSize = gridSize;
    state.scalars = scalars;
    state.traps = traps;
    state.persists = persists;
    state.counters = counters;
    state.bind(buffers);
    for (int block = first; block < end; block++) {
      state.begin(block);
      program.run(state);
    }
    state.end();
    idle.add(state);
  }

  @Override
  public boolean isWarm() {
    return program.isWarm();
  }

  @Override
  public int helpersMax() {
    return program.helpersMax();
  }

  @Override
  public long laneBytes() {
    long words = 2L * program.registers() + program.maskSlots() + BlockState.SCRATCH_WORDS;
    return words * Integer.BYTES * kernel.blockSize();
  }

  @Override
  public void forgetLanes() {
    idle.clear();
  }

  private BlockState newState() {
    BlockState state = new BlockState(kernel, program.registers(), program.maskSlots());
    Ops.forEach(
        kernel.body(),
        op -> {
          Reg dst = Ops.write(op);
          if (dst != null) {
            state.allocate(dst);
          }
        });
    program.fillConstants(state);
    return state;
  }
}
