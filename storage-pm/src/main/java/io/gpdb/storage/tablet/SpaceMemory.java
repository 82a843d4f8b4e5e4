package io.gpdb.storage.tablet;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.memory.DatabaseMemory;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.concurrent.atomic.AtomicInteger;

/** What all parts of a table space share: off-heap blocks, the home image, and whether it lags. */
public final class SpaceMemory implements AutoCloseable {
  private final DatabaseMemory memory;
  private final HomeImage home;
  private volatile boolean frozen;
  private volatile boolean dirty;
  private final AtomicInteger codeRound = new AtomicInteger(1);

  public SpaceMemory(HomeImage home, DeviceMemory device) {
    this.home = home;
    this.memory = new DatabaseMemory(device);
    memory.mappedPages(home.memory()::unload);
  }

  /** From now on the working image does not change. */
  public void freeze() {
    frozen = true;
  }

  /** Counts the times that it was begun to look which codes are in use. */
  public AtomicInteger codeRound() {
    return codeRound;
  }

  public DatabaseMemory memory() {
    return memory;
  }

  /** What the working image is taken from. */
  public MemoryAccount tables() {
    return memory.tables();
  }

  public HomeImage home() {
    return home;
  }

  /** Notes that the working image differs from the home image. */
  public void markDirty() {
    if (frozen) {
      throw new GpdbException(ErrorCode.READ_ONLY, "database is open for reading only");
    }
    if (!dirty) { // is written seldom, as all threads read it
      dirty = true;
    }
  }

  public void clearDirty() {
    dirty = false;
  }

  public boolean isDirty() {
    return dirty;
  }

  @Override
  public void close() {
    home.close();
    memory.close();
  }
}
