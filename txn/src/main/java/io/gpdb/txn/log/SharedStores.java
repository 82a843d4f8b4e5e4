package io.gpdb.txn.log;

import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.storage.memory.SharedStore;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Stores of many bytes, which several threads carry out where the memory takes them so. */
final class SharedStores {
  /** Fewer bytes are stored before other threads have woken up. */
  static final long BYTES_MIN = 1 << 20;

  private final SharedWork workers;

  SharedStores(SharedWork workers) {
    this.workers = workers;
  }

  /** As {@link PersistentMemory#store(long, List)}. */
  void store(PersistentMemory memory, long offset, List<MemorySegment> pieces, long bytes) {
    SharedStore shared =
        bytes < BYTES_MIN || !memory.takesSharedStores() ? null : memory.shareStore(offset, pieces);
    if (shared == null) {
      memory.store(offset, pieces);
    } else {
      workers.share(shared.parts(), shared::store);
      shared.end();
    }
  }
}
