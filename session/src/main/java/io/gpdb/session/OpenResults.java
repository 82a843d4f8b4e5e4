package io.gpdb.session;

import io.gpdb.txn.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * The open result sets of a session: those that read from the current transaction, those that each
 * have a transaction of their own, and those whose rows are copied and need none.
 */
final class OpenResults {
  private final FewObjects<OpenResult> ofCurrent = new FewObjects<>();
  private final FewObjects<OpenResult> own = new FewObjects<>();
  private final FewObjects<OpenResult> kept = new FewObjects<>();
  private final FewObjects<Transaction> ownTransactions = new FewObjects<>();

  /** A transaction that ends with the result set of its one statement. */
  void begun(Transaction ofOneStatement) {
    ownTransactions.add(ofOneStatement);
  }

  boolean isEmpty() {
    return ofCurrent.isEmpty() && own.isEmpty() && kept.isEmpty() && ownTransactions.isEmpty();
  }

  void add(OpenResult result, boolean ownTransaction) {
    (ownTransaction ? own : ofCurrent).add(result);
  }

  /** The rows are copied; a transaction of their own ends. */
  void kept(OpenResult result, @Nullable Transaction ownTransaction) {
    kept.add(result);
    leave(result, ownTransaction);
  }

  /** The rows are no longer read; a transaction of their own ends with them. */
  void released(OpenResult result, @Nullable Transaction ownTransaction) {
    kept.remove(result);
    leave(result, ownTransaction);
  }

  private void leave(OpenResult result, @Nullable Transaction ownTransaction) {
    ofCurrent.remove(result);
    own.remove(result);
    if (ownTransaction != null
        && ownTransactions.remove(ownTransaction)
        && ownTransaction.isActive()) {
      ownTransaction.commit();
    }
  }

  /** Saves those of the current transaction from seeing a change. */
  void detach() {
    for (OpenResult result : ofCurrent.copy()) {
      result.detach();
    }
  }

  /** The current transaction is about to commit. */
  void beforeCommit() {
    ofCurrent.copy().forEach(OpenResult::beforeCommit);
  }

  /** The current transaction ends. */
  void closeOfCurrent() {
    closeAll(ofCurrent);
  }

  /** The session ends. */
  void closeOwn() {
    try {
      closeAll(own);
      closeAll(kept);
    } finally {
      for (Transaction transaction : ownTransactions.copy()) {
        ownTransactions.remove(transaction);
        if (transaction.isActive()) {
          transaction.rollback();
        }
      }
    }
  }

  private static void closeAll(FewObjects<OpenResult> results) {
    for (OpenResult result : results.copy()) {
      result.end();
    }
    results.clear();
  }
}
