package io.gpdb.exec.emulated;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Pieces of the host's work. Every thread that calls {@link #work} claims pieces until none is
 * left; the thread that has the work calls it too and then awaits those that others claimed. A
 * thread that comes late finds nothing to claim. Fresh code ({@link FreshCode}) is run by the
 * thread that has the work alone, then with a few helpers, until it is no longer fresh.
 */
final class HostWork implements ClaimedWork {
  private final int pieces;
  private final IntConsumer piece;
  private final StopSignal stop = StopSignal.current();
  private final MemoryAccount account = MemoryAccount.current();
  private final AtomicInteger next = new AtomicInteger();
  private final long startNanos = System.nanoTime();
  private final SharedEnd end;
  private final FreshCode code;

  HostWork(int pieces, IntConsumer piece) {
    this.pieces = pieces;
    this.end = new SharedEnd(pieces);
    this.piece = piece;
    this.code = FreshCode.of(piece);
  }

  @Override
  public int helpersMax() {
    return code.helpersMax(System.nanoTime() - startNanos);
  }

  @Override
  public int unclaimed() {
    return Math.max(0, pieces - next.get());
  }

  @Override
  public void work() {
    int i;
    while ((i = next.getAndIncrement()) < pieces && i >= 0) {
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

  private void run(int i) {
    if (!code.isTimed()) {
      piece.accept(i);
      return;
    }
    long start = System.nanoTime();
    try {
      piece.accept(i);
    } finally {
      code.ran(System.nanoTime() - start);
    }
  }

  /** Waits for pieces that other threads do. */
  void await() {
    end.await();
  }
}
