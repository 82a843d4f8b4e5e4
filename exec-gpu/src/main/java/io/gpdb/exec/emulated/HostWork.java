package io.gpdb.exec.emulated;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Pieces of the host's work. Every thread that calls {@link #work} claims pieces until none is
 * left; the thread that has the work calls it too and then awaits those that others claimed. A
 * thread that comes late finds nothing to claim. Fresh code ({@link FreshCode}) is run by the
 * thread that has the work alone, then with a few helpers, until it is no longer fresh; helpers
 * that hinder each other wait for a while.
 */
final class HostWork implements ClaimedWork {
  /** So long helpers wait that hinder each other, before they try again. */
  private static final long ALONE_NANOS = 10_000_000;

  /** A helper that waits asks this often whether it is its turn. */
  private static final long TURN_NANOS = 500_000;

  private final int pieces;
  private final IntConsumer piece;
  private final StopSignal stop = StopSignal.current();
  private final MemoryAccount account = MemoryAccount.current();
  private final AtomicInteger next = new AtomicInteger();
  private final long startNanos = System.nanoTime();
  private final SharedEnd end;
  private final FreshCode code;
  private final long ownerId = Thread.currentThread().threadId();
  private final PiecePaces paces = new PiecePaces();
  private final AtomicInteger running = new AtomicInteger();
  private volatile long aloneUntil;

  HostWork(int pieces, IntConsumer piece) {
    this.pieces = pieces;
    this.end = new SharedEnd(pieces);
    this.piece = piece;
    this.code = FreshCode.of(piece);
  }

  @Override
  public int helpersMax() {
    long nanos = nanos();
    return code.isTimed() && !paces.isAloneKnown() && nanos < FreshCode.FRESH_NANOS_MAX
        ? 0
        : code.helpersMax(nanos);
  }

  private long nanos() {
    return System.nanoTime() - startNanos;
  }

  @Override
  public int unclaimed() {
    return Math.max(0, pieces - next.get());
  }

  @Override
  public void work() {
    for (int i = claimed(); i < pieces && i >= 0; i = claimed()) {
      try (StopSignal.Scope _ = stop.bind();
          MemoryAccount.Scope _ = account.bind()) {
        if (!end.hasFailed()) {
          run(i);
        }
      } catch (RuntimeException | Error e) {
        end.fail(e);
      } finally {
        end.done(1);
      }
    }
  }

  /** The next piece, when it is this thread's turn: that which has the work may be to run alone. */
  private int claimed() {
    while (Thread.currentThread().threadId() != ownerId
        && code.isTimed()
        && nanos() < Math.min(aloneUntil, FreshCode.WORK_NANOS_MAX)
        && unclaimed() > 0) {
      LockSupport.parkNanos(TURN_NANOS);
    }
    return next.getAndIncrement();
  }

  private void run(int i) {
    if (!code.isTimed()) {
      piece.accept(i);
      return;
    }
    long start = System.nanoTime();
    int before = running.getAndIncrement();
    try {
      piece.accept(i);
    } finally {
      ran(System.nanoTime() - start, before, running.decrementAndGet());
    }
  }

  /** A piece that others were beside for a part of its time says nothing. */
  private void ran(long pieceNanos, int othersBefore, int othersAfter) {
    code.ran(pieceNanos);
    if (othersBefore == 0 && othersAfter == 0) {
      paces.ranAlone(pieceNanos);
    }
    if (othersBefore == 0 || othersAfter == 0) {
      return;
    }
    switch (paces.ranTogether(pieceNanos)) {
      case UNKNOWN -> {}
      case FREE -> code.settle();
      case HINDERED -> aloneUntil = nanos() + ALONE_NANOS;
    }
  }

  /** Waits for pieces that other threads do. */
  void await() {
    end.await();
  }
}
