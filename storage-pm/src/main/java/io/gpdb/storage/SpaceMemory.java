package io.gpdb.storage;

/** What all parts of a table space share: off-heap blocks, the home image, and whether it lags. */
final class SpaceMemory implements AutoCloseable {
  private final BlockPool pool = new BlockPool();
  private final HomeImage home;
  private final boolean readOnly;
  private volatile boolean dirty;

  SpaceMemory(HomeImage home, boolean readOnly) {
    this.home = home;
    this.readOnly = readOnly;
  }

  BlockPool pool() {
    return pool;
  }

  HomeImage home() {
    return home;
  }

  /** Notes that the working image differs from the home image. */
  void markDirty() {
    if (!dirty) {
      if (readOnly) {
        throw new GpdbException(ErrorCode.READ_ONLY, "database is open for reading only");
      }
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
