package io.gpdb.txn.protocol;

import io.gpdb.exec.PersistTarget;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.BatchChange;
import io.gpdb.txn.change.ColumnChange;
import io.gpdb.txn.change.TabletChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.function.Supplier;

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

  private void run(Runnable act) {
    guarded(
        () -> {
          act.run();
          return this;
        });
  }

  private <T> T guarded(Supplier<T> act) {
    try {
      return act.get();
    } catch (GpdbException e) {
      if (Poison.isOfMedium(e)) {
        poison.poison(e);
      }
      throw e;
    }
  }

  @Override
  public boolean offers(Protocol wish) {
    return protocol.offers(wish);
  }

  @Override
  public Protocol update(TransactionWrites writes, ColumnChange change) {
    return guarded(() -> protocol.update(writes, change));
  }

  @Override
  public Protocol prepareInsert(TransactionWrites writes, TableVersions table, Tablet tablet) {
    return guarded(() -> protocol.prepareInsert(writes, table, tablet));
  }

  @Override
  public void update(TransactionWrites writes, BatchChange change) {
    run(() -> protocol.update(writes, change));
  }

  @Override
  public void update(TransactionWrites writes, TabletChange change) {
    run(() -> protocol.update(writes, change));
  }

  @Override
  public boolean changesTabletsTogether(Protocol wish) {
    return protocol.changesTabletsTogether(wish);
  }

  @Override
  public void inserted(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how) {
    run(() -> protocol.inserted(writes, table, tablet, from, n, how));
  }

  @Override
  public PersistTarget insertTarget(Tablet tablet, ChunkKind kind, int column) {
    return guarded(() -> protocol.insertTarget(tablet, kind, column));
  }

  @Override
  public void insertedByKernel(
      TransactionWrites writes, TableVersions table, Tablet tablet, int from, int n, Protocol how) {
    run(() -> protocol.insertedByKernel(writes, table, tablet, from, n, how));
  }

  @Override
  public void restored(TransactionWrites writes, UndoVersion version, Tablet tablet) {
    run(() -> protocol.restored(writes, version, tablet));
  }

  @Override
  public void beforeCommit(TransactionWrites writes) {
    run(() -> protocol.beforeCommit(writes));
  }

  @Override
  public void afterCommit(TransactionWrites writes) {
    run(() -> protocol.afterCommit(writes));
  }

  @Override
  public void afterRollback(TransactionWrites writes) {
    run(() -> protocol.afterRollback(writes));
  }

  @Override
  public void beforeCheckpoint(long sequence) {
    run(() -> protocol.beforeCheckpoint(sequence));
  }

  @Override
  public void close() {
    protocol.close();
  }
}
