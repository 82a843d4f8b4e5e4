package io.gpdb.bench.crash;

import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistentMemory;

/** Notes which place of the program flushes, drains and syncs, and leaves one of them out. */
final class SiteDirectory extends WrappedDirectory {
  /** What the sites are called that sync names. */
  static final String SYNC_OF_NAMES = "sync of names";

  private final PersistSites sites;
  private final Missed missed;
  private final boolean pretends;

  SiteDirectory(StorageDirectory inner, PersistSites sites) {
    this(inner, sites, new Missed(), false);
  }

  /**
   * @param missed is called with what is flushed and drained, and with what is left out
   * @param pretends whether what is said to be left out happens all the same
   */
  SiteDirectory(StorageDirectory inner, PersistSites sites, Missed missed, boolean pretends) {
    super(inner);
    this.sites = sites;
    this.missed = missed;
    this.pretends = pretends;
  }

  @Override
  void flush(PersistentMemory memory, long offset, long bytes) {
    boolean happens = sites.happens("flush");
    if (happens || pretends) {
      super.flush(memory, offset, bytes);
      missed.flushed(memory, offset, bytes);
    }
    if (!happens) {
      missed.flush(memory, offset, bytes);
    }
  }

  @Override
  void drain(PersistentMemory memory) {
    boolean happens = sites.happens("drain");
    if (!happens) {
      missed.drain(memory);
    }
    if (happens || pretends) {
      super.drain(memory);
      missed.drained(memory);
    }
  }

  @Override
  public void syncNames() {
    boolean happens = sites.happens(SYNC_OF_NAMES);
    if (!happens) {
      missed.syncOfNames();
    }
    if (happens || pretends) {
      super.syncNames();
    }
  }
}
