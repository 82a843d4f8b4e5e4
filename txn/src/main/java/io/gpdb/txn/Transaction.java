package io.gpdb.txn;

import io.gpdb.storage.TableShape;

/** A unit of work over several statements and tables; used by one thread at a time. */
@SuppressWarnings("DoNotCallSuggester")
public final class Transaction {
  Transaction() {}

  public long id() {
    throw new UnsupportedOperationException();
  }

  public boolean isActive() {
    throw new UnsupportedOperationException();
  }

  /** Whether commit would have something to write. */
  public boolean hasChanges() {
    throw new UnsupportedOperationException();
  }

  public void createTable(int tableId, TableShape shape) {
    throw new UnsupportedOperationException();
  }

  public void dropTable(int tableId) {
    throw new UnsupportedOperationException();
  }

  public TableReader reader(int tableId) {
    throw new UnsupportedOperationException();
  }

  public TableWriter writer(int tableId) {
    throw new UnsupportedOperationException();
  }

  public Savepoint savepoint() {
    throw new UnsupportedOperationException();
  }

  /** Undoes what came after the savepoint, which stays valid. */
  public void rollbackTo(Savepoint savepoint) {
    throw new UnsupportedOperationException();
  }

  public void commit() {
    throw new UnsupportedOperationException();
  }

  public void rollback() {
    throw new UnsupportedOperationException();
  }
}
