package io.gpdb.txn.protocol;

import io.gpdb.exec.PersistTarget;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.BatchChange;
import io.gpdb.txn.change.ColumnChange;
import io.gpdb.txn.change.TabletChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;

/**
 * How new values come to the medium. Live bits, dictionaries, keys and tables are metadata: every
 * protocol has them in the log.
 */
public interface WriteProtocol extends AutoCloseable {
  /** Whether a transaction may ask for it. */
  boolean offers(Protocol wish);

  /**
   * Captures the old values and stores the new ones; both, or neither and an exception. The
   * tablet's latch is held exclusively.
   *
   * @return the way that the new values take, never AUTO
   */
  Protocol update(TransactionWrites writes, ColumnChange change);

  /**
   * Before the values of new rows are stored in the columns' working image; the tablet's latch is
   * held exclusively.
   *
   * @return the way that the values take; AUTO leaves it to the commit
   */
  Protocol prepareInsert(TransactionWrites writes, TableVersions table, Tablet tablet);

  /**
   * Captures the old values of rows of several tablets, and computes and stores the new ones. Where
   * it throws, the change tells which columns of which parts were captured.
   */
  default void update(TransactionWrites writes, BatchChange change) {
    change.applyByColumn(writes, columnChange -> update(writes, columnChange));
  }

  /** Whether changes in many tablets cost less as one batch, also where nothing is computed. */
  default boolean changesTabletsTogether(Protocol wish) {
    return false;
  }

  /** As {@link #update(TransactionWrites, BatchChange)}, of given values in one tablet. */
  default void update(TransactionWrites writes, TabletChange change) {
    change.applyByColumn(writes, columnChange -> update(writes, columnChange));
  }

  /** After the values of new rows were stored in the columns' working image. */
  void inserted(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how);

  /** Where the insert kernel makes what it stores in a chunk durable; VOLATILE for nowhere. */
  default PersistTarget insertTarget(Tablet tablet, ChunkKind kind, int column) {
    return PersistTarget.VOLATILE;
  }

  /** As {@link #inserted}, when the insert kernel has persisted the values to their targets. */
  default void insertedByKernel(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how) {
    inserted(writes, table, tablet, from, n, how);
  }

  /** After old values were put back in the working image. */
  void restored(TransactionWrites writes, UndoVersion version, Tablet tablet);

  /** Before the commit record is made: what was written in place is durable on return. */
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
