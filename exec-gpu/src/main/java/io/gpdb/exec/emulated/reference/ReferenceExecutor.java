package io.gpdb.exec.emulated.reference;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.emulated.common.BlockPersists;
import io.gpdb.exec.emulated.common.BlockProgram;
import io.gpdb.exec.emulated.common.BlockTraps;
import io.gpdb.exec.emulated.common.PersistEffects;
import io.gpdb.exec.ir.Kernel;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Runs a kernel lane by lane: slow, obviously right, the judge of the other executors. */
public final class ReferenceExecutor implements BlockProgram {
  private final Kernel kernel;

  /** The kernel must have passed the verifier. */
  public ReferenceExecutor(Kernel kernel) {
    this.kernel = kernel;
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
    PersistEffects effects = persists == null ? null : PersistEffects.gatheredBy(persists);
    ReferenceMemory memory = new ReferenceMemory(kernel, block, buffers, traps, effects, counters);
    new ReferenceBlock(kernel, block, gridSize, scalars, memory).run();
  }
}
