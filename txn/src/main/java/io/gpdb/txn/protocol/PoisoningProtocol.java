package io.gpdb.txn.protocol;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.TableChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.UndoVersion;

/**
 * A protocol whose medium's failure ends all work. After a store or a drain that failed nobody
 * knows what is durable, so the transaction is not rolled back in place either: its undo records
 * stay as they are, and the next opening puts the old values back.
 */
public final class PoisoningProtocol implements WriteProtocol {
  private final WriteProtocol protocol;
  private final Poison poison;

  public PoisoningProtocol(WriteProtocol protocol, Poison poison) {
    this.protocol = protocol;
    this.poison = poison;
  }

  /** To be thrown; a failure of the medium ends all work. */
  private GpdbException judged(GpdbException failure) {
    if (Poison.isOfMedium(failure)) {
      poison.poison(failure);
    }
    return failure;
  }

  @Override
  public boolean offers(Protocol requested) {
    return protocol.offers(requested);
  }

  @Override
  public void update(TransactionWrites writes, TableChange change) {
    try {
      protocol.update(writes, change);
    } catch (GpdbException e) {
      throw judged(e);
    }
  }

  @Override
  public void restored(TransactionWrites writes, UndoVersion version, Tablet tablet) {
    try {
      protocol.restored(writes, version, tablet);
    } catch (GpdbException e) {
      throw judged(e);
    }
  }

  @Override
  public void beforeCommit(TransactionWrites writes) {
    try {
      protocol.beforeCommit(writes);
    } catch (GpdbException e) {
      throw judged(e);
    }
  }

  @Override
  public void afterCommit(TransactionWrites writes) {
    try {
      protocol.afterCommit(writes);
    } catch (GpdbException e) {
      throw judged(e);
    }
  }

  @Override
  public void afterRollback(TransactionWrites writes) {
    try {
      protocol.afterRollback(writes);
    } catch (GpdbException e) {
      throw judged(e);
    }
  }

  @Override
  public void beforeCheckpoint(long sequence) {
    try {
      protocol.beforeCheckpoint(sequence);
    } catch (GpdbException e) {
      throw judged(e);
    }
  }

  @Override
  public void close() {
    protocol.close();
  }
}
