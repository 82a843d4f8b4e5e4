package io.gpdb.storage;

import java.util.concurrent.atomic.AtomicInteger;

/** What all parts of a table space share: off-heap blocks, the home image, and whether it lags. */
final class SpaceMemory implements AutoCloseable {
  private final BlockPool pool = new BlockPool();
  private final HomeImage home;
  private volatile boolean frozen;
  private volatile boolean dirty;
  private final AtomicInteger codeRound = new AtomicInteger(1);

  SpaceMemory(HomeImage home) {
    this.home = home;
  }

  /** From now on the working image does not change. */
  void freeze() {
    frozen = true;
  }

  /** Counts the times that it was begun to look which codes are in use. */
  AtomicInteger codeRound() {
    return codeRound;
  }

  BlockPool pool() {
    return pool;
  }

  HomeImage home() {
    return home;
  }

  /** Notes that the working image differs from the home image. */
  void markDirty() {
    if (frozen) {
      throw new GpdbException(ErrorCode.READ_ONLY, "database is open for reading only");
    }
    if (!dirty) {
      dirty = true;
    }
  }

  void clearDirty() {
    dirty = false;
  }

  boolean isDirty() {
    return dirty;
  }

  @Override
  public void close() {
    home.close();
    pool.close();
  }
}
