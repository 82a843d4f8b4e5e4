package io.gpdb.txn.protocol;

import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.TableChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.UndoVersion;

/** Values go to the working image alone: nothing outlives the process. */
public final class VolatileProtocol implements WriteProtocol {
  private final ColumnStores stores;

  public VolatileProtocol(ColumnStores stores) {
    this.stores = stores;
  }

  @Override
  public boolean offers(Protocol requested) {
    return true;
  }

  @Override
  public void update(TransactionWrites writes, TableChange change) {
    stores.apply(writes, change, false);
  }

  @Override
  public void restored(TransactionWrites writes, UndoVersion version, Tablet tablet) {}

  @Override
  public void beforeCommit(TransactionWrites writes) {}

  @Override
  public void afterCommit(TransactionWrites writes) {}

  @Override
  public void afterRollback(TransactionWrites writes) {}

  @Override
  public void beforeCheckpoint(long sequence) {}

  @Override
  public void close() {}
}
