package io.gpdb.bench.crash;

import io.gpdb.storage.PersistentMemory;
import io.gpdb.storage.StorageDirectory;

/** Notes which place of the program flushes, drains and syncs, and leaves one of them out. */
final class SiteDirectory extends WrappedDirectory {
  private final PersistSites sites;

  SiteDirectory(StorageDirectory inner, PersistSites sites) {
    super(inner);
    this.sites = sites;
  }

  @Override
  void flush(PersistentMemory memory, long offset, long bytes) {
    if (sites.happens("flush")) {
      super.flush(memory, offset, bytes);
    }
  }

  @Override
  void drain(PersistentMemory memory) {
    if (sites.happens("drain")) {
      super.drain(memory);
    }
  }

  @Override
  public void syncNames() {
    if (sites.happens("sync of names")) {
      super.syncNames();
    }
  }
}
