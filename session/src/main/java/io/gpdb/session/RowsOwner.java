package io.gpdb.session;

import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.SnapshotHold;
import org.jspecify.annotations.Nullable;

/**
 * What ends with the release of rows: the memory of their statement, and a transaction of theirs or
 * the hold of a snapshot.
 */
record RowsOwner(
    SessionLock lock,
    OpenResults openResults,
    @Nullable Transaction own,
    @Nullable SnapshotHold held,
    MemoryAccount memory)
    implements OpenResult.Owner {
  @Override
  public void kept(OpenResult result) {
    lock.lock();
    try {
      openResults.kept(result, own);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void released(OpenResult result) {
    lock.lock();
    try {
      memory.close();
      if (held != null) {
        held.close();
      }
      openResults.released(result, own);
    } finally {
      lock.unlock();
    }
  }
}
