package io.gpdb.planner.change;

import io.gpdb.planner.run.ConflictPlace;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.StatementWaits;
import io.gpdb.txn.Transaction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a change so that a failure leaves nothing of it and the transaction goes on; runs it again
 * where it has waited for another writer.
 */
public final class AtomicChange {
  private AtomicChange() {}

  /** {@code catalog} has the names for messages. */
  public static <T> T run(Transaction tx, Supplier<CatalogSnapshot> catalog, Supplier<T> change) {
    return run(tx, catalog, change, null);
  }

  /** {@code waitMillis} is how long the statement waits, where it says so itself. */
  public static <T> T run(
      Transaction tx,
      Supplier<CatalogSnapshot> catalog,
      Supplier<T> change,
      @Nullable Long waitMillis) {
    StatementWaits waits = waitMillis == null ? null : StatementWaits.ofStatement(tx, waitMillis);
    tx.beginChange();
    while (true) {
      tx.usesCodes();
      Savepoint before = tx.savepoint();
      try {
        return change.get();
      } catch (GpdbException e) {
        GpdbException named = ConflictPlace.named(e, tx, catalog);
        undo(tx, before, named);
        waits = waits == null ? new StatementWaits(tx) : waits;
        if (!tx.isActive() || !waits.outlasted(named)) {
          throw waits.ending(named);
        }
      } catch (RuntimeException | Error e) {
        undo(tx, before, e);
        throw e;
      }
    }
  }

  private static void undo(Transaction tx, Savepoint before, Throwable failure) {
    if (tx.isActive()) {
      try {
        tx.rollbackTo(before);
      } catch (RuntimeException second) {
        failure.addSuppressed(second);
      }
    }
  }
}
