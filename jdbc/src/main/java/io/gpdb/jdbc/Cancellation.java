package io.gpdb.jdbc;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.txn.Transaction;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import org.jspecify.annotations.Nullable;

/** Whether the statement that runs now is to stop; set by any thread, asked by the running one. */
final class Cancellation {
  private volatile boolean requested;
  private boolean timedOut;
  private int executions;
  private @Nullable Transaction running;

  /** The statement runs, or its rows are read, in this transaction from now on. */
  synchronized void attach(Transaction transaction) {
    running = transaction;
    if (requested) {
      transaction.requestStop();
    }
  }

  /** The statement no longer needs its transaction, whose other statements must not stop. */
  synchronized void detach() {
    Transaction transaction = running;
    running = null;
    if (transaction != null) {
      transaction.clearStop();
    }
  }

  synchronized void request() {
    requested = true;
    Transaction transaction = running;
    if (transaction != null) {
      transaction.requestStop();
    }
  }

  synchronized void timeOut() {
    timedOut = true;
    request();
  }

  /** An execution begins, or waits for its turn: from now on it can be stopped. */
  synchronized void begin() {
    executions++;
    if (executions == 1) {
      requested = false;
      timedOut = false;
    }
  }

  synchronized void end() {
    executions--;
  }

  boolean isRequested() {
    return requested;
  }

  void check() {
    if (requested) {
      throw new GpdbException(ErrorCode.CANCELLED, "the statement was cancelled");
    }
  }

  /** As all errors are translated, but says a stop by the timeout as what it was. */
  synchronized SQLException translate(Throwable failure) {
    boolean stopped = failure instanceof GpdbException known && known.code() == ErrorCode.CANCELLED;
    return stopped && timedOut
        ? new SQLTimeoutException(
            "the statement ran longer than its timeout", ErrorCode.CANCELLED.sqlState(), failure)
        : SqlErrors.translate(failure);
  }
}
