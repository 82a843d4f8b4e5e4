package io.gpdb.txn.commit;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.PersistentMemory;
import io.gpdb.txn.protocol.Poison;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Commits whose records are written together, from then until they are acknowledged or failed: "in
 * flight". Its leader alone writes and drains it.
 */
public final class CommitBatch {
  private final Thread leader = Thread.currentThread();
  private final List<CommitRequest> requests;
  private @Nullable PersistentMemory log;
  private boolean needsHome;
  private boolean interrupted;
  private long start;
  private long end;
  private boolean released;
  private boolean settled;
  private boolean drained;
  private boolean homeDrained;

  public CommitBatch(List<CommitRequest> requests) {
    this.requests = requests;
  }

  List<CommitRequest> requests() {
    return requests;
  }

  /** The batch's first position in the log. */
  long start() {
    return start;
  }

  /** The position behind its last record. */
  long end() {
    return end;
  }

  /** Whether nothing more is waited for; its medium may have failed. */
  boolean isSettled() {
    return settled;
  }

  void settle() {
    settled = true;
  }

  /** Whether all that it changes is in its records in the log, and no definition of a table. */
  boolean isOfLoggedRows() {
    for (CommitRequest request : requests) {
      if (request.kind() != CommitRequest.Kind.LOGGED_ROWS) {
        return false;
      }
    }
    return true;
  }

  /** Whether others may see it: its stamps have their sequences. */
  boolean isReleased() {
    return released;
  }

  /**
   * Gives the stamps their sequences.
   *
   * @param newest the sequence of the commit before the batch
   * @return that of its last commit
   */
  long release(long newest) {
    assert !released : "E1: released twice";
    released = true;
    long last = newest;
    for (CommitRequest request : requests) {
      if (!request.isFailed()) {
        assert request.sequence() > last : "G2: sequence " + request.sequence() + " falls";
        last = request.sequence();
        request.stamp().commit(last);
      }
    }
    return last;
  }

  void beginAt(long position) {
    start = position;
    end = position;
  }

  /** From here on records of the batch may name extents of the home file. */
  void relyOnHome() {
    needsHome = true;
    homeDrained = false;
  }

  /** Returns when what its records name in the home file so far is durable. */
  void drainHome(PersistentMemory home) {
    if (needsHome) {
      home.drain(); // B2: also for the records behind such a record in the batch
      homeDrained = true;
    }
  }

  /** Whether {@link #drain} has returned. */
  boolean isDrained() {
    return drained;
  }

  /** Whether nothing that its records name in the home file waits for a drain. */
  boolean isHomeDrained() {
    return !needsHome || homeDrained;
  }

  /**
   * All records are in the log.
   *
   * @param toDrain where they were flushed; null when there is nothing to drain
   */
  void written(long position, @Nullable PersistentMemory toDrain) {
    end = position;
    log = toDrain;
  }

  /** Returns when its records are durable, and what they name; false if there was nothing. */
  boolean drain(PersistentMemory home) {
    PersistentMemory segment = log;
    if (segment != null) {
      segment.drain();
      drainHome(home);
    }
    drained = true;
    return segment != null;
  }

  /** Fails all that have not failed by themselves. */
  void fail(Throwable cause) {
    for (CommitRequest request : requests) {
      if (!request.isFailed()) {
        request.fail(
            new GpdbException(
                Poison.codeFor(cause),
                "commit failed, whether it is durable shows when the database is opened anew: "
                    + cause.getMessage(),
                cause));
      }
    }
  }

  void finish() {
    requests.forEach(CommitRequest::finish);
  }

  /** Lets the leader look whether it is the first in flight. */
  void wakeLeader() {
    LockSupport.unpark(leader);
  }

  public void noteInterrupt(boolean interrupt) {
    interrupted |= interrupt;
  }

  /** Whether the leader's thread was interrupted meanwhile. */
  public boolean wasInterrupted() {
    return interrupted;
  }
}
