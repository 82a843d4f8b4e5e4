package io.gpdb.planner.change;

import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import java.util.function.Supplier;

/** Runs a change so that a failure leaves nothing of it and the transaction goes on. */
public final class AtomicChange {
  private AtomicChange() {}

  public static <T> T run(Transaction tx, Supplier<T> change) {
    tx.usesCodes();
    Savepoint before = tx.savepoint();
    try {
      return change.get();
    } catch (RuntimeException | Error e) {
      if (tx.isActive()) {
        try {
          tx.rollbackTo(before);
        } catch (RuntimeException second) {
          e.addSuppressed(second);
        }
      }
      throw e;
    }
  }
}
