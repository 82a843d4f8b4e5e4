package io.gpdb.session;

import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Savepoint;
import io.gpdb.txn.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * Statements of a session that take effect together or not at all: in a transaction of their own
 * when none is open, else as a part of the current one.
 *
 * <p>Invariant: from the first statement to the last the transaction is the same, because none is
 * admitted that would end it, begin it anew, or go back before the first.
 */
public final class AtomicStatements {
  private final Session session;
  private boolean running;

  AtomicStatements(Session session) {
    this.session = session;
  }

  /** Statements that return a result, or end by an exception of the caller's. */
  public interface Work<T, X extends Exception> {
    T run() throws X;
  }

  public <T, X extends Exception> T run(Work<T, X> work) throws X {
    boolean own = session.isAutoCommit() && !session.current().isOpen();
    if (own) {
      session.begin(null);
    }
    Transaction transaction = session.transaction();
    Savepoint before = own ? null : transaction.savepoint();
    boolean done = false;
    boolean outer = running;
    running = true;
    try {
      T result = work.run();
      if (own) {
        session.commit();
      }
      done = true;
      return result;
    } finally {
      running = outer;
      // A commit that failed has ended the transaction.
      if (!done && session.current().transaction() == transaction) {
        undo(transaction, before);
      }
    }
  }

  private void undo(Transaction transaction, @Nullable Savepoint before) {
    if (before == null) {
      session.rollback();
    } else {
      transaction.rollbackTo(before);
    }
  }

  /** Refuses, among statements that are all or nothing, what concerns the transaction itself. */
  void admit(Analyzed statement) {
    String control = running ? control(statement) : null;
    if (control != null) {
      throw new GpdbException(
          ErrorCode.TRANSACTION_STATE,
          control + " cannot be in a batch, which is one transaction or a part of one");
    }
  }

  /** What a statement that controls transactions is called; null for all others. */
  private static @Nullable String control(Analyzed statement) {
    return switch (statement) {
      case Analyzed.Begin begin -> "BEGIN";
      case Analyzed.Commit commit -> "COMMIT";
      case Analyzed.Rollback rollback -> "ROLLBACK";
      case Analyzed.Savepoint savepoint -> "SAVEPOINT";
      case Analyzed.RollbackTo back -> "ROLLBACK TO";
      case Analyzed.Release release -> "RELEASE";
      case Analyzed.SetTransaction set when !set.session() -> "SET TRANSACTION";
      case Analyzed.SetOption set when SessionSettings.isOfTransaction(set.name()) ->
          "SET " + set.name();
      default -> null;
    };
  }
}
