package io.gpdb.bench.crash;

import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.memory.PersistentMemory;
import java.util.Map;

/** Notes which place of the program flushes, drains and syncs, and leaves some of them out. */
final class SiteDirectory extends WrappedDirectory {
  /** What the sites are called that sync names. */
  static final String SYNC_OF_NAMES = "sync of names";

  private final PersistSites sites;
  private final Map<String, Missed> leftOut;
  private final boolean pretends;

  SiteDirectory(StorageDirectory inner, PersistSites sites) {
    this(inner, sites, Map.of(), false);
  }

  /**
   * @param leftOut the sites that are left out: each is called with what is flushed and drained,
   *     and with what it misses
   * @param pretends whether what is said to be left out happens all the same
   */
  SiteDirectory(
      StorageDirectory inner, PersistSites sites, Map<String, Missed> leftOut, boolean pretends) {
    super(inner);
    this.sites = sites;
    this.leftOut = leftOut;
    this.pretends = pretends;
  }

  @Override
  void flush(PersistentMemory memory, long offset, long bytes) {
    Missed missed = leftOut.get(sites.site("flush"));
    if (missed == null || pretends) {
      super.flush(memory, offset, bytes);
      leftOut.values().forEach(each -> each.flushed(memory, offset, bytes));
    }
    if (missed != null) {
      missed.flush(memory, offset, bytes);
    }
  }

  @Override
  void drain(PersistentMemory memory) {
    Missed missed = leftOut.get(sites.site("drain"));
    if (missed != null) {
      missed.drain(memory);
    }
    if (missed == null || pretends) {
      super.drain(memory);
      leftOut.values().forEach(each -> each.drained(memory));
    }
  }

  @Override
  public void syncNames() {
    Missed missed = leftOut.get(sites.site(SYNC_OF_NAMES));
    if (missed != null) {
      missed.syncOfNames();
    }
    if (missed == null || pretends) {
      super.syncNames();
    }
  }
}
