package io.gpdb.txn.protocol;

import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.BatchChange;
import io.gpdb.txn.change.ColumnChange;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;

/** Values go to the working image alone: nothing outlives the process. */
public final class VolatileProtocol implements WriteProtocol {
  private final ColumnStores stores;

  public VolatileProtocol(ColumnStores stores) {
    this.stores = stores;
  }

  @Override
  public boolean offers(Protocol wish) {
    return true;
  }

  @Override
  public Protocol update(TransactionWrites writes, ColumnChange change) {
    stores.update(writes, change, false);
    return Protocol.REDO;
  }

  @Override
  public void update(TransactionWrites writes, BatchChange change) {
    stores.update(writes, change, false);
  }

  @Override
  public Protocol prepareInsert(TransactionWrites writes, TableVersions table, Tablet tablet) {
    return Protocol.REDO;
  }

  @Override
  public void inserted(
      TransactionWrites writes,
      TableVersions table,
      Tablet tablet,
      int from,
      int n,
      Protocol how) {}

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
