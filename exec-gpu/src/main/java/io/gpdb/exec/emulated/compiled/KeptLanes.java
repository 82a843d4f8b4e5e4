package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.BlockProgram;
import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bounds what programs keep from launch to launch: their lane arrays take a few hundred KiB each,
 * and there are as many programs as kernels. Programs not launched lately let go of theirs: the one
 * whose last launch is longest ago, found by looking at all, which takes less than making arrays
 * anew does. A library's cache would make one launch wait for its hundred classes. Thread-safe.
 */
public final class KeptLanes {
  static final long BYTES_MAX = 64L << 20;

  private static final class Kept {
    final long bytes;

    /** Written by any thread: which of two launches counts as the last makes no difference. */
    volatile long launchedNanos = System.nanoTime();

    Kept(long bytes) {
      this.bytes = bytes;
    }

    long launchedNanos() {
      return launchedNanos;
    }
  }

  private final int workers;

  /** Programs that have their arrays; changed under this object's monitor. */
  private final Map<BlockProgram, Kept> programs = new ConcurrentHashMap<>();

  private long bytes; // of the programs, under the monitor

  public KeptLanes(int workers) {
    this.workers = workers;
  }

  /** The program was launched: it has its arrays again, also where it had to let go before. */
  public void used(BlockProgram program) {
    Kept known = programs.get(program);
    if (known != null) {
      known.launchedNanos = System.nanoTime();
    } else {
      add(program);
    }
  }

  private synchronized void add(BlockProgram program) {
    Kept added = new Kept(program.laneBytes() * workers);
    if (programs.putIfAbsent(program, added) == null) {
      bytes += added.bytes;
    }
    while (bytes > BYTES_MAX) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    Map.Entry<BlockProgram, Kept> oldest =
        programs.entrySet().stream()
            .min(Map.Entry.comparingByValue(Comparator.comparingLong(Kept::launchedNanos)))
            .orElseThrow();
    programs.remove(oldest.getKey());
    bytes -= oldest.getValue().bytes;
    oldest.getKey().forgetLanes();
  }

  /** Of the programs that have their arrays. */
  synchronized long bytes() {
    return bytes;
  }
}
