package io.gpdb.txn.commit;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.RecordSource;
import io.gpdb.txn.version.CommitStamp;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for its records to be durable. */
public final class CommitRequest {
  private final Thread waiter = Thread.currentThread();
  private final CommitStamp stamp;
  private final RecordBuffer buffer;
  private final @Nullable RecordSource rest;
  private final @Nullable CommitCheck check;
  private final boolean needsHome;
  private boolean failed;
  private @Nullable RuntimeException failure;
  private boolean taken;
  private long sequence;
  private volatile boolean done;

  /**
   * @param stamp gets its sequence when all is durable
   * @param buffer holds the first record
   * @param rest makes the records after the first; null when there are none
   * @param check may refuse the commit; null when nothing can
   * @param needsHome whether the records rely on what was written to the home file, not drained
   */
  public CommitRequest(
      CommitStamp stamp,
      RecordBuffer buffer,
      @Nullable RecordSource rest,
      @Nullable CommitCheck check,
      boolean needsHome) {
    this.stamp = stamp;
    this.buffer = buffer;
    this.rest = rest;
    this.check = check;
    this.needsHome = needsHome;
  }

  /** Takes the next place in the log, unless the check refuses; by the leader, in order (S2). */
  void takePlace() {
    GpdbException refusal = check == null ? null : check.failure();
    if (refusal == null) {
      stamp.order();
    } else {
      fail(refusal);
    }
  }

  /** Whether it is in a batch, as seen by who holds the lock of the commits. */
  boolean isTaken() {
    return taken;
  }

  void take() {
    taken = true;
  }

  /** The place among all commits, once it is written. */
  long sequence() {
    return sequence;
  }

  void sequence(long commitSequence) {
    sequence = commitSequence;
  }

  CommitStamp stamp() {
    return stamp;
  }

  RecordBuffer buffer() {
    return buffer;
  }

  @Nullable RecordSource rest() {
    return rest;
  }

  boolean needsHome() {
    return needsHome;
  }

  boolean isFailed() {
    return failed;
  }

  void fail(RuntimeException cause) {
    failed = true;
    failure = cause;
  }

  boolean isDone() {
    return done;
  }

  void finish() {
    done = true;
    LockSupport.unpark(waiter);
  }

  void wake() {
    LockSupport.unpark(waiter);
  }

  void throwIfFailed() {
    RuntimeException cause = failure;
    if (cause != null) {
      throw cause;
    }
  }
}
