package io.gpdb.session;

import io.gpdb.txn.Transaction;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The result sets of a session whose rows the engine still holds: those that read from the current
 * transaction, and those that each have a transaction of their own.
 */
final class OpenResults {
  private final Set<OpenResult> ofCurrent = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<OpenResult> own = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Set<Transaction> ownTransactions =
      Collections.newSetFromMap(new IdentityHashMap<>());

  /** A transaction that ends with the result set of its one statement. */
  void begun(Transaction ofOneStatement) {
    ownTransactions.add(ofOneStatement);
  }

  void add(OpenResult result, boolean ownTransaction) {
    (ownTransaction ? own : ofCurrent).add(result);
  }

  /** The rows are no longer read; a transaction of their own ends with them. */
  void released(OpenResult result, @Nullable Transaction ownTransaction) {
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

  /** The current transaction ends. */
  void closeOfCurrent() {
    closeAll(ofCurrent);
  }

  /** The session ends. */
  void closeOwn() {
    try {
      closeAll(own);
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
