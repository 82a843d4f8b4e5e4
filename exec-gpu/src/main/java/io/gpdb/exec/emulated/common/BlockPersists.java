package io.gpdb.exec.emulated.common;

import io.gpdb.exec.ExecutionCounters;
import io.gpdb.exec.PersistTarget;
import io.gpdb.exec.ir.Op.PersistScope;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which 64-byte lines of PERSISTENT buffers were stored to and not yet persisted. Used by one
 * thread for the blocks it runs; after the blocks the launch merges those of its threads and calls
 * {@link #endLaunch}.
 *
 * <p>A persist barrier of a lane makes durable what the thread's blocks stored so far: never less
 * than the barrier asks for.
 */
public final class BlockPersists {
  private static final int LINE_SHIFT = 6;

  private final PersistTarget[] targets;
  private final long[] segmentBytes;
  private final long[][] dirtyLines;
  private final boolean[] flushed;
  private final @Nullable ExecutionCounters counters;
  private boolean kernelScope;

  public BlockPersists(
      MemorySegment[] buffers, PersistTarget[] targets, @Nullable ExecutionCounters counters) {
    this.targets = targets.clone();
    this.segmentBytes = Arrays.stream(buffers).mapToLong(MemorySegment::byteSize).toArray();
    this.dirtyLines = new long[buffers.length][0];
    this.flushed = new boolean[buffers.length];
    this.counters = counters;
  }

  /** The bytes were stored to the PERSISTENT buffer {@code buffer}. */
  public void stored(int buffer, long offset, int bytes) {
    long last = (offset + bytes - 1) >> LINE_SHIFT;
    for (long line = offset >> LINE_SHIFT; line <= last; line++) {
      words(buffer)[(int) (line >> 6)] |= 1L << line;
    }
  }

  private long[] words(int buffer) {
    if (dirtyLines[buffer].length == 0) {
      long lines = (segmentBytes[buffer] + (1 << LINE_SHIFT) - 1) >> LINE_SHIFT;
      dirtyLines[buffer] = new long[Math.toIntExact((lines + 63) >> 6)];
    }
    return dirtyLines[buffer];
  }

  /** A persist barrier; KERNEL takes effect in {@link #endLaunch}. */
  public void persist(PersistScope scope) {
    switch (scope) {
      case WORKITEM, WORKGROUP -> flushAndDrain();
      case KERNEL -> kernelScope = true;
    }
  }

  /** Takes over what another thread of the launch left. */
  public void merge(BlockPersists other) {
    kernelScope |= other.kernelScope;
    for (int buffer = 0; buffer < dirtyLines.length; buffer++) {
      long[] theirs = other.dirtyLines[buffer];
      if (theirs.length > 0) {
        long[] ours = words(buffer);
        for (int i = 0; i < ours.length; i++) {
          ours[i] |= theirs[i];
        }
      }
    }
  }

  /**
   * After all blocks of a launch, of the merged object of each group: makes durable what a KERNEL
   * barrier asked for. All is flushed, and then each memory is drained once.
   */
  public static void endLaunch(@Nullable BlockPersists[] merged) {
    List<PersistTarget> flushed = new ArrayList<>();
    for (BlockPersists group : merged) {
      if (group != null && group.kernelScope) {
        group.flush();
        group.takeFlushed(flushed);
        group.kernelScope = false;
      }
    }
    drainOnce(flushed);
  }

  /** Drains, of targets that share a drain, one. */
  public static void drainOnce(Collection<PersistTarget> flushed) {
    List<PersistTarget> drained = new ArrayList<>();
    for (PersistTarget target : flushed) {
      if (drained.stream().noneMatch(target::isDrainedWith)) {
        target.drain();
        drained.add(target);
      }
    }
  }

  private void takeFlushed(List<PersistTarget> to) {
    for (int buffer = 0; buffer < flushed.length; buffer++) {
      if (flushed[buffer]) {
        to.add(targets[buffer]);
        flushed[buffer] = false;
      }
    }
  }

  private void flushAndDrain() {
    flush();
    drain();
  }

  private void flush() {
    for (int buffer = 0; buffer < dirtyLines.length; buffer++) {
      flushed[buffer] |= dirtyLines[buffer].length > 0 && flushLines(buffer);
    }
  }

  private void drain() {
    List<PersistTarget> toDrain = new ArrayList<>();
    takeFlushed(toDrain);
    drainOnce(toDrain);
  }

  /** Flushes each run of dirty lines as one range. */
  private boolean flushLines(int buffer) {
    long[] words = dirtyLines[buffer];
    long runStart = -1;
    boolean any = false;
    long lineCount = (long) words.length << 6;
    for (long line = 0; line <= lineCount; line++) {
      if (runStart < 0 && line < lineCount && words[(int) (line >> 6)] == 0) {
        line |= 63;
        continue;
      }
      boolean dirty = line < lineCount && (words[(int) (line >> 6)] >>> line & 1) != 0;
      if (dirty && runStart < 0) {
        runStart = line;
      } else if (!dirty && runStart >= 0) {
        flushRange(buffer, runStart << LINE_SHIFT, line << LINE_SHIFT);
        runStart = -1;
        any = true;
      }
    }
    Arrays.fill(words, 0);
    return any;
  }

  private void flushRange(int buffer, long from, long to) {
    long end = Math.min(to, segmentBytes[buffer]);
    targets[buffer].flush(from, end - from);
    if (counters != null) {
      counters.persistedBytes(to - from);
    }
  }
}
