package io.gpdb.txn.protocol;

import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.TableChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.UndoVersion;

/**
 * How new values get to the medium. Live bits, dictionaries, keys and tables are metadata: every
 * protocol has them in the log.
 */
public interface WriteProtocol extends AutoCloseable {
  /** Whether a transaction may ask for it. */
  boolean offers(Protocol requested);

  /**
   * Carries the change out: captures old values, stores new ones, makes them durable or logs them
   * as the protocol does. The latches of the change's tablets are held exclusively. Where it
   * throws, the change knows how far each part has got.
   */
  void update(TransactionWrites writes, TableChange change);

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
