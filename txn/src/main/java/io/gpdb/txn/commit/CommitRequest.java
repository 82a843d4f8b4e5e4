package io.gpdb.txn.commit;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.version.CommitStamp;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that waits for its records to be durable. */
public final class CommitRequest {
  private final Thread waiter = Thread.currentThread();
  private final CommitStamp stamp;
  private final @Nullable CommitBuffers records;
  private final @Nullable CommitCheck check;
  private final Kind kind;
  private boolean needsHome;
  private boolean failed;
  private @Nullable RuntimeException failure;
  private boolean taken;
  private long sequence;
  private volatile boolean done;

  /** What it changes, which decides when others may see it. */
  public enum Kind {
    /** Rows, all of them in the log: released as soon as its records are there (E1). */
    LOGGED_ROWS,
    /** Rows, some of them outside the log: released when durable. */
    OTHER_ROWS,
    /** Also definitions of tables: released when durable. */
    DEFINITIONS
  }

  /**
   * @param stamp gets its sequence when its records are in the log, or durable
   * @param records null when nothing is logged
   * @param check may refuse the commit; null when nothing can
   * @param needsHome whether the records rely on what was written to the home file, not drained
   */
  public CommitRequest(
      CommitStamp stamp,
      @Nullable CommitBuffers records,
      @Nullable CommitCheck check,
      Kind kind,
      boolean needsHome) {
    this.stamp = stamp;
    this.kind = kind;
    this.records = records;
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

  /** Whether it is in a batch. The caller holds the lock of the commits. */
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

  Kind kind() {
    return kind;
  }

  CommitStamp stamp() {
    return stamp;
  }

  @Nullable CommitBuffers records() {
    return records;
  }

  /** Whether a leader can write it: all of its records are made, or it is the leader's own. */
  boolean canBeWritten() {
    return records == null || !records.hasMore() || waiter.equals(Thread.currentThread());
  }

  /** After its first record was put, which may name extents. */
  void relyOnHome(CommitBatch batch) {
    if (needsHome) {
      batch.relyOnHome();
      needsHome = false;
    }
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
    if (!waiter.equals(Thread.currentThread())) {
      LockSupport.unpark(waiter);
    }
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
