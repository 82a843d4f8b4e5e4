package io.gpdb.exec.emulated.compiled;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.exec.emulated.common.BlockProgram;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what programs keep from launch to launch: their lane arrays take a few hundred KiB each,
 * and there are as many programs as kernels. Programs not launched lately let go of theirs.
 */
public final class KeptLanes {
  static final long BYTES_MAX = 64L << 20;

  private final int workers;

  /** Made for the first program, as {@code ReadyKernels} is. */
  private volatile @Nullable Cache<BlockProgram, Boolean> programs;

  public KeptLanes(int workers) {
    this.workers = workers;
  }

  private Cache<BlockProgram, Boolean> programs() {
    Cache<BlockProgram, Boolean> known = programs;
    return known != null ? known : makePrograms();
  }

  private synchronized Cache<BlockProgram, Boolean> makePrograms() {
    Cache<BlockProgram, Boolean> known = programs;
    if (known == null) {
      known =
          Caffeine.newBuilder()
              .maximumWeight(BYTES_MAX)
              .weigher(
                  (BlockProgram program, Boolean _) ->
                      (int) Math.min(program.laneBytes() * workers, Integer.MAX_VALUE))
              .evictionListener((program, _, _) -> forget(program))
              .executor(Runnable::run)
              .build();
      programs = known;
    }
    return known;
  }

  private static void forget(@Nullable BlockProgram program) {
    if (program != null) {
      program.forgetLanes();
    }
  }

  /** The program was launched: it has its arrays again, also where it had to let go before. */
  public void used(BlockProgram program) {
    Cache<BlockProgram, Boolean> all = programs();
    if (all.getIfPresent(program) == null) {
      all.put(program, true);
    }
  }

  long bytes() {
    Cache<BlockProgram, Boolean> all = programs();
    all.cleanUp();
    return all.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }
}
