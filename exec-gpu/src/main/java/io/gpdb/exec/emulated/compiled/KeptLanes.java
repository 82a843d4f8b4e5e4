package io.gpdb.exec.emulated.compiled;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.gpdb.exec.emulated.common.BlockProgram;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what programs keep from launch to launch: their lane arrays take a few hundred KiB each,
 * and there are as many programs as kernels. Programs not launched lately let go of theirs.
 */
public final class KeptLanes {
  static final long BYTES_MAX = 64L << 20;

  private final int workers;

  /** Programs launched so far, while there is room for the lanes of all. */
  private final Map<BlockProgram, Boolean> few = new ConcurrentHashMap<>();

  private long fewBytes;

  /** Made when there is none left, as {@code ReadyKernels} is. */
  private volatile @Nullable Cache<BlockProgram, Boolean> programs;

  public KeptLanes(int workers) {
    this.workers = workers;
  }

  /** Whether the program is one of the first, for which there is room. */
  private synchronized boolean addToFew(BlockProgram program) {
    if (programs != null) {
      return false;
    }
    if (few.containsKey(program)) {
      return true;
    }
    fewBytes += bytes(program);
    if (fewBytes <= BYTES_MAX) {
      few.put(program, true);
      return true;
    }
    Cache<BlockProgram, Boolean> made =
        Caffeine.newBuilder()
            .maximumWeight(BYTES_MAX)
            .weigher((BlockProgram each, Boolean _) -> bytes(each))
            .evictionListener((each, _, _) -> forget(each))
            .executor(Runnable::run)
            .build();
    made.putAll(few);
    programs = made;
    few.clear();
    return false;
  }

  private int bytes(BlockProgram program) {
    return (int) Math.min(program.laneBytes() * workers, Integer.MAX_VALUE);
  }

  private static void forget(@Nullable BlockProgram program) {
    if (program != null) {
      program.forgetLanes();
    }
  }

  /** The program was launched: it has its arrays again, also where it had to let go before. */
  public void used(BlockProgram program) {
    if (few.containsKey(program)) {
      return;
    }
    Cache<BlockProgram, Boolean> all = programs;
    if (all == null) {
      if (addToFew(program)) {
        return;
      }
      all = Objects.requireNonNull(programs);
    }
    if (all.getIfPresent(program) == null) {
      all.put(program, true);
    }
  }

  /** Of the programs that have their arrays. */
  long bytes() {
    Cache<BlockProgram, Boolean> all = programs;
    if (all == null) {
      return few.keySet().stream().mapToLong(this::bytes).sum();
    }
    all.cleanUp();
    return all.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }
}
