package io.gpdb.txn;

import io.gpdb.exec.Device;
import io.gpdb.storage.PersistenceDomain;
import io.gpdb.storage.StorageDirectory;
import io.gpdb.storage.TableSpace;

/** An open database: its tables, its log, and the transactions on them. Thread-safe. */
@SuppressWarnings("DoNotCallSuggester")
public final class TransactionManager implements AutoCloseable {
  TransactionManager() {}

  /** Opens the database in {@code directory}, recovering it. The directory stays the caller's. */
  public static TransactionManager open(
      StorageDirectory directory, Device device, TxnOptions options) {
    throw new UnsupportedOperationException();
  }

  public Transaction begin() {
    throw new UnsupportedOperationException();
  }

  /** Brings the home image up to the commits so far. */
  public void checkpoint() {
    throw new UnsupportedOperationException();
  }

  public PersistenceDomain domain() {
    throw new UnsupportedOperationException();
  }

  public TxnOptions options() {
    throw new UnsupportedOperationException();
  }

  public RecoveryReport recovery() {
    throw new UnsupportedOperationException();
  }

  public TxnStatistics statistics() {
    throw new UnsupportedOperationException();
  }

  public TableSpace space() {
    throw new UnsupportedOperationException();
  }

  /** Rolls back what is active, writes a checkpoint, closes. The directory is not closed. */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  /** Closes as a killed process would leave the database: nothing more is written. */
  public void abandon() {
    throw new UnsupportedOperationException();
  }
}
