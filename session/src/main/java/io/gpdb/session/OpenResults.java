package io.gpdb.session;

import io.gpdb.txn.Transaction;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open result sets of a session: those that read from the current transaction, those that each
 * have a transaction of their own, and those whose rows are copied and need none.
 */
final class OpenResults {
  private final Set<OpenResult> ofCurrent = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<OpenResult> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<OpenResult> kept = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Transaction> ownTransactions =
      Collections.newSetFromMap(new IdentityHashMap<>());

  /** A transaction that ends with the result set of its one statement. */
  void begun(Transaction ofOneStatement) {
    ownTransactions.add(ofOneStatement);
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
    for (OpenResult result : List.copyOf(ofCurrent)) {
      result.detach();
    }
  }

  /** The current transaction is about to commit. */
  void beforeCommit() {
    List.copyOf(ofCurrent).forEach(OpenResult::beforeCommit);
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
      for (Transaction transaction : List.copyOf(ownTransactions)) {
        ownTransactions.remove(transaction);
        if (transaction.isActive()) {
          transaction.rollback();
        }
      }
    }
  }

  private static void closeAll(Set<OpenResult> results) {
    for (OpenResult result : List.copyOf(results)) {
      result.end();
    }
    results.clear();
  }
}
