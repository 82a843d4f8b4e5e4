package io.gpdb.txn;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.IsolationLevel;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.ConflictingWrite;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets one statement wait for the writers that it meets, when its transaction may ({@link
 * Transaction#lockTimeoutMillis}). A statement that has waited is run again from its beginning: at
 * READ COMMITTED on the newest rows, at the other levels as before, where it goes on if the other
 * has rolled back.
 */
public final class StatementWaits {
  private static final int RELEASE_SPINS = 100;
  private static final long RELEASE_WAIT_NANOS = 20_000;

  private final Transaction transaction;
  private final long millis;
  private final long limitNanos;
  private final boolean own;

  /** Waiting of all kinds ends when the transaction's limit has passed from now. */
  public StatementWaits(Transaction transaction) {
    this(transaction, transaction.lockTimeoutMillis(), false);
  }

  private StatementWaits(Transaction transaction, long millis, boolean own) {
    this.transaction = transaction;
    this.millis = millis;
    this.limitNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    this.own = own;
  }

  /** Waiting for as long as the statement itself says; 0: not at all. */
  public static StatementWaits ofStatement(Transaction transaction, long millis) {
    return new StatementWaits(transaction, millis, true);
  }

  /** What the statement ends with, where it does not wait any more. */
  public GpdbException ending(GpdbException refusal) {
    return own
            && refusal.getCause() instanceof ConflictingWrite conflict
            && conflict.writer().isOpen()
        ? new GpdbException(
            ErrorCode.LOCK_TIMEOUT, "not waited for another transaction: " + refusal.getMessage())
        : refusal;
  }

  /**
   * Whether the statement, which was refused and has been undone, is to be run again. Waits for
   * that.
   *
   * @throws GpdbException DEADLOCK, LOCK_TIMEOUT, CANCELLED
   */
  public boolean outlasted(GpdbException refusal) {
    if (millis == 0 || !(refusal.getCause() instanceof ConflictingWrite conflict)) {
      return false;
    }
    CommitStamp writer = conflict.writer();
    transaction.database().lockWaits().await(transaction.stamp(), conflict, limitNanos);
    boolean committed = writer.sequence() != CommitStamp.ACTIVE;
    if (transaction.isolation() != IsolationLevel.READ_COMMITTED) {
      return !committed;
    }
    if (committed && System.nanoTime() > limitNanos) {
      return false;
    }
    if (committed) {
      awaitReleased(writer);
    }
    transaction.beginStatement();
    transaction.beginChange();
    return true;
  }

  /**
   * Waits for the end of an automatic rewrite of a table, where one was the reason of the refusal.
   * Returns whether what was refused can be done now: the rewrite has rolled back. Where it has
   * committed, {@link Transaction#metRewrite} says so.
   */
  public static boolean outlastedRewrite(Transaction transaction, GpdbException refusal) {
    return transaction.claims.outlastedRewrite(refusal, transaction::check);
  }

  /** The writer's commit has its place in the log: it is about to be visible. */
  private void awaitReleased(CommitStamp writer) {
    OpenDatabase database = transaction.database();
    for (int i = 0; database.snapshots().released() < writer.sequence(); i++) {
      database.check();
      if (i < RELEASE_SPINS) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(transaction, RELEASE_WAIT_NANOS);
      }
    }
  }
}
