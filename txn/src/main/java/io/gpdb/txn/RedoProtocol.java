package io.gpdb.txn;

import io.gpdb.storage.Tablet;

/** Values go to the volatile working image and to the log; or, unlogged, to the image alone. */
final class RedoProtocol implements WriteProtocol {
  private final ColumnStores stores;
  private final boolean logged;

  RedoProtocol(ColumnStores stores, boolean logged) {
    this.stores = stores;
    this.logged = logged;
  }

  @Override
  public boolean logsValues() {
    return logged;
  }

  @Override
  public void prepare(
      TransactionWrites writes, TableVersions table, Tablet tablet, int[] columns) {}

  @Override
  public void update(TransactionWrites writes, ColumnChange change) {
    stores.update(writes, change, logged);
  }

  @Override
  public void update(TransactionWrites writes, BatchChange change) {
    stores.update(writes, change, logged);
  }

  @Override
  public void inserted(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n) {}

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
