package io.gpdb.exec.emulated;

import org.jspecify.annotations.Nullable;

/** The end of work that several threads share: how much is done, and what failed first. */
final class SharedEnd {
  /** So long a thread looks for the end before it waits to be woken, which takes as long. */
  private static final long SPIN_NANOS = 50_000;

  private final int pieces;

  // Under this object's monitor
  private int done;
  private @Nullable Throwable failure;
  private volatile boolean failed;
  private volatile boolean ended;

  SharedEnd(int pieces) {
    this.pieces = pieces;
    this.ended = pieces == 0;
  }

  /** Whether a piece has failed: the others need not be done, only counted. */
  boolean hasFailed() {
    return failed;
  }

  synchronized void fail(Throwable e) {
    failed = true;
    failure = failure == null ? e : failure;
  }

  /** What the thread did for these pieces is seen by those that await the end. */
  synchronized void done(int more) {
    done += more;
    if (done == pieces) {
      ended = true;
      notifyAll();
    }
  }

  /** Waits for pieces that other threads do; then throws what failed. */
  void await() {
    long start = System.nanoTime();
    while (!ended && System.nanoTime() - start < SPIN_NANOS) {
      Thread.onSpinWait();
    }
    awaitDone();
  }

  private synchronized void awaitDone() {
    boolean interrupted = false;
    while (done < pieces) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }
}
