package io.gpdb.txn.version;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Which transactions wait for which others to end. Each waits for one at a time, so whoever begins
 * to wait can follow the others from one to the next: where that leads back to itself, it would
 * wait for ever.
 *
 * <p>Invariant: whoever waits holds no latch, and its statement has been undone; only what it wrote
 * before that statement keeps others waiting.
 */
public final class LockWaits {
  private static final long MILLIS_BETWEEN_LOOKS = 20;
  private static final long REWRITE_WAIT_NANOS = 50_000;

  private final Map<CommitStamp, CommitStamp> waiting = new HashMap<>(); // under this monitor
  private volatile int waiters;

  /**
   * Returns when the other transaction may be overwritten, or has undone something: where it has
   * written a row, when its commit is released; where it is in the way of a whole table, at its
   * end.
   *
   * @throws GpdbException DEADLOCK, LOCK_TIMEOUT, CANCELLED
   */
  public void await(CommitStamp waiter, ConflictingWrite conflict, long limitNanos) {
    CommitStamp other = conflict.writer();
    if (isInTheWay(other, conflict.isAtTable())) {
      await(waiter, other, conflict.isAtTable(), limitNanos);
    }
  }

  private static boolean isInTheWay(CommitStamp other, boolean ofTable) {
    return ofTable ? !other.hasEnded() : other.isOpen();
  }

  private synchronized void await(
      CommitStamp waiter, CommitStamp other, boolean ofTable, long limitNanos) {
    requireNoCircle(waiter, other);
    int undone = other.undoneCount();
    waiting.put(waiter, other);
    waiters++;
    boolean interrupted = false;
    try {
      while (isInTheWay(other, ofTable) && other.undoneCount() == undone) {
        StopSignal.poll();
        interrupted |= sleep(limitNanos);
      }
    } finally {
      waiters--;
      waiting.remove(waiter);
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * The transaction that has dropped the table; an automatic rewrite is waited for, because it ends
   * soon.
   */
  public static @Nullable CommitStamp afterRewrite(TableVersions table, Runnable check) {
    CommitStamp dropper = table.dropper();
    while (dropper != null && dropper.yields() && dropper.sequence() == CommitStamp.ACTIVE) {
      check.run();
      StopSignal.poll();
      LockSupport.parkNanos(table, REWRITE_WAIT_NANOS);
      dropper = table.dropper();
    }
    return dropper;
  }

  /** Whether an automatic rewrite, whose end this waits for, has committed. */
  public static boolean isCommittedRewrite(CommitStamp writer, Runnable check) {
    while (writer.yields() && writer.isOpen()) {
      check.run();
      StopSignal.poll();
      LockSupport.parkNanos(writer, REWRITE_WAIT_NANOS);
    }
    return writer.yields() && writer.sequence() != CommitStamp.ACTIVE;
  }

  private void requireNoCircle(CommitStamp waiter, CommitStamp other) {
    int length = 1;
    for (@Nullable CommitStamp next = other; next != null; next = waiting.get(next)) {
      if (next == waiter) {
        throw new GpdbException(
            ErrorCode.DEADLOCK,
            length
                + " transactions would wait for one another for ever; this one was chosen to fail:"
                + " roll it back and run it again");
      }
      length++;
    }
  }

  /** Returns whether it was interrupted. */
  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private boolean sleep(long limitNanos) {
    long leftNanos = limitNanos - System.nanoTime();
    if (leftNanos <= 0) {
      throw new GpdbException(
          ErrorCode.LOCK_TIMEOUT, "waited longer than lock_timeout for another transaction's end");
    }
    try {
      long millis = Math.min(MILLIS_BETWEEN_LOOKS, TimeUnit.NANOSECONDS.toMillis(leftNanos) + 1);
      wait(millis);
      return false;
    } catch (InterruptedException e) {
      return true;
    }
  }

  /** A transaction is released, has ended or undone something: those that wait look again. */
  public void changed() {
    if (waiters > 0) {
      synchronized (this) {
        notifyAll();
      }
    }
  }
}
