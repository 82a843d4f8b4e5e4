package io.gpdb.storage;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/** Up to 65536 rows of a table, column by column. */
@SuppressWarnings("DoNotCallSuggester")
public final class Tablet {
  public static final int ROWS = 65536;

  Tablet() {}

  public int number() {
    throw Skeleton.absent();
  }

  public int rowCount() {
    throw Skeleton.absent();
  }

  public ReentrantReadWriteLock latch() {
    throw Skeleton.absent();
  }

  public MemorySegment values(int column) {
    throw Skeleton.absent();
  }

  public @Nullable MemorySegment validity(int column) {
    throw Skeleton.absent();
  }

  public MemorySegment live() {
    throw Skeleton.absent();
  }

  public MemorySegment writableValues(int column) {
    throw Skeleton.absent();
  }

  public MemorySegment writableValidity(int column) {
    throw Skeleton.absent();
  }

  public MemorySegment writableLive() {
    throw Skeleton.absent();
  }

  public int liveCount() {
    throw Skeleton.absent();
  }

  public void liveCountAdd(int delta) {
    throw Skeleton.absent();
  }

  /** Counts the live bits anew, after recovery wrote them in place. */
  public void recountLive() {
    throw Skeleton.absent();
  }

  public boolean allLive() {
    throw Skeleton.absent();
  }

  public MemorySegment homeValues(int column) {
    throw Skeleton.absent();
  }

  public MemorySegment homeValidity(int column) {
    throw Skeleton.absent();
  }

  public MemorySegment homeLive() {
    throw Skeleton.absent();
  }

  /** Where the chunk's home extent begins, or -1 when it has none. */
  public long homeOffset(ChunkKind kind, int column) {
    throw Skeleton.absent();
  }

  /** Makes the working image of the chunk its home extent. */
  public void adoptInPlace(ChunkKind kind, int column) {
    throw Skeleton.absent();
  }

  /** Binds a chunk to the full-capacity extent at that offset, for recovery. */
  public void bindHome(ChunkKind kind, int column, long offset) {
    throw Skeleton.absent();
  }

  /** Says that the bound home extent holds the working image: the chunk is clean. */
  public void markHomeCurrent(ChunkKind kind, int column) {
    throw Skeleton.absent();
  }
}
