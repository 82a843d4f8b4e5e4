package io.gpdb.txn;

import io.gpdb.storage.Tablet;

/**
 * How new values come to the medium. Live bits, dictionaries, keys and tables are metadata: every
 * protocol has them in the log.
 */
interface WriteProtocol extends AutoCloseable {
  /** Whether inserted and updated values are in the log, so that recovery takes them from there. */
  boolean logsValues();

  /** Before values of these columns are written; the tablet's latch is held exclusively. */
  void prepare(TransactionWrites writes, TableVersions table, Tablet tablet, int[] columns);

  /** Captures the old values and stores the new ones; both, or neither and an exception. */
  void update(TransactionWrites writes, ColumnChange change);

  /**
   * Captures the old values of rows of several tablets, and computes and stores the new ones. Where
   * it throws, the change tells which columns of which parts were captured.
   */
  default void update(TransactionWrites writes, BatchChange change) {
    change.applyByColumn(writes, columnChange -> update(writes, columnChange));
  }

  /** After the values of new rows were stored in the columns' working image. */
  void inserted(TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n);

  /** After old values were put back in the working image. */
  void restored(TransactionWrites writes, UndoVersion version, Tablet tablet);

  /** Before the commit record is made: what it relies on is durable on return. */
  void beforeCommit(TransactionWrites writes);

  /** After the commit record is durable. */
  void afterCommit(TransactionWrites writes);

  /** After all of the transaction was undone in the working image. */
  void afterRollback(TransactionWrites writes);

  /** Before a checkpoint that holds the commits up to {@code sequence}. */
  void beforeCheckpoint(long sequence);

  @Override
  void close();
}
