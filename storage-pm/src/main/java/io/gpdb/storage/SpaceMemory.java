package io.gpdb.storage;

/** What all parts of a table space share: off-heap blocks, the home image, and whether it lags. */
final class SpaceMemory implements AutoCloseable {
  private final BlockPool pool = new BlockPool();
  private final HomeImage home;
  private volatile boolean frozen;
  private volatile boolean dirty;

  SpaceMemory(HomeImage home) {
    this.home = home;
  }

  /** From now on the working image does not change. */
  void freeze() {
    frozen = true;
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
