package io.gpdb.storage.memory;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What was written to, flushed to and drained from a memory: the base of write amplification. */
public final class PersistCounters {
  /** Unit of a cache-line write-back. */
  public static final int LINE_BYTES = 64;

  /** Unit in which the media of the papers write. */
  public static final int MEDIA_BLOCK_BYTES = 256;

  private final @Nullable PersistCounters parent;
  private final LongAdder bytesStored = new LongAdder();
  private final LongAdder bytesFlushed = new LongAdder();
  private final LongAdder linesFlushed = new LongAdder();
  private final LongAdder mediaBlocksFlushed = new LongAdder();
  private final LongAdder drains = new LongAdder();

  /** Figures at one moment. */
  public record Snapshot(
      long bytesStored,
      long bytesFlushed,
      long linesFlushed,
      long mediaBlocksFlushed,
      long drains) {

    public Snapshot minus(Snapshot earlier) {
      return new Snapshot(
          bytesStored - earlier.bytesStored,
          bytesFlushed - earlier.bytesFlushed,
          linesFlushed - earlier.linesFlushed,
          mediaBlocksFlushed - earlier.mediaBlocksFlushed,
          drains - earlier.drains);
    }
  }

  public PersistCounters() {
    this(null);
  }

  /** Counts into {@code parent} as well. */
  public PersistCounters(@Nullable PersistCounters parent) {
    this.parent = parent;
  }

  public void stored(long bytes) {
    bytesStored.add(bytes);
    if (parent != null) {
      parent.stored(bytes);
    }
  }

  /** Counts the flush of a range: its bytes, and the lines and media blocks that it touches. */
  public void flushed(long offset, long bytes) {
    if (bytes <= 0) {
      return;
    }
    bytesFlushed.add(bytes);
    linesFlushed.add(unitsTouched(offset, bytes, LINE_BYTES));
    mediaBlocksFlushed.add(unitsTouched(offset, bytes, MEDIA_BLOCK_BYTES));
    if (parent != null) {
      parent.flushed(offset, bytes);
    }
  }

  public void drained() {
    drains.increment();
    if (parent != null) {
      parent.drained();
    }
  }

  public Snapshot snapshot() {
    return new Snapshot(
        bytesStored.sum(),
        bytesFlushed.sum(),
        linesFlushed.sum(),
        mediaBlocksFlushed.sum(),
        drains.sum());
  }

  /** Back to zero; a parent keeps its figures. */
  public void reset() {
    bytesStored.reset();
    bytesFlushed.reset();
    linesFlushed.reset();
    mediaBlocksFlushed.reset();
    drains.reset();
  }

  private static long unitsTouched(long offset, long bytes, int unit) {
    return (offset + bytes - 1) / unit - offset / unit + 1;
  }
}
