package io.gpdb.txn;

import io.gpdb.storage.Tablet;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Drops the undo versions that no snapshot needs, and what dropped tables held. Committed
 * transactions wait here in the order of their commits. A tablet in use is left for the next time.
 */
final class VersionReclaim {
  private final OpenDatabase database;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<TransactionWrites> pending = new ArrayDeque<>();
  private volatile int pendingCount;

  VersionReclaim(OpenDatabase database) {
    this.database = database;
  }

  /** Transactions whose versions are kept. */
  int pendingCount() {
    return pendingCount;
  }

  /** Takes over what a committed transaction has written. */
  void add(TransactionWrites writes) {
    lock.lock();
    try {
      long sequence = writes.stamp().sequence();
      ArrayDeque<TransactionWrites> later = new ArrayDeque<>();
      while (!pending.isEmpty() && pending.getLast().stamp().sequence() > sequence) {
        later.addFirst(pending.removeLast());
      }
      pending.addLast(writes);
      pending.addAll(later);
      pendingCount = pending.size();
    } finally {
      lock.unlock();
    }
    collect();
  }

  /** Drops what can be dropped now; returns at once where another thread is at it. */
  void collect() {
    if (pendingCount == 0 || !lock.tryLock()) {
      return;
    }
    try {
      long horizon = database.snapshots().horizon();
      Set<TabletVersions> pruned = Collections.newSetFromMap(new IdentityHashMap<>());
      while (!pending.isEmpty()
          && pending.getFirst().stamp().sequence() <= horizon
          && release(pending.getFirst(), horizon, pruned)) {
        pending.removeFirst().free();
      }
      pendingCount = pending.size();
    } finally {
      lock.unlock();
    }
  }

  private boolean release(TransactionWrites writes, long horizon, Set<TabletVersions> pruned) {
    assert writes.stamp().sequence() <= horizon : "R7: a snapshot still needs the versions";
    for (UndoVersion version : writes.versions()) {
      TabletVersions versions = version.table().tablet(version.tablet());
      if (versions != null && !pruned.contains(versions)) {
        Tablet tablet = version.table().store().tablet(version.tablet());
        if (!tablet.latch().writeLock().tryLock()) {
          return false;
        }
        try {
          versions.prune(horizon);
        } finally {
          tablet.latch().writeLock().unlock();
        }
        pruned.add(versions);
      }
    }
    for (TableVersions table : writes.dropped()) {
      database.discard(table);
    }
    return true;
  }
}
