package io.gpdb.exec.emulated;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * Pieces of the host's work. Every thread that calls {@link #work} claims pieces until none is
 * left; the thread that has the work calls it too and then awaits those that others claimed. A
 * thread that comes late finds nothing to claim.
 */
final class HostWork implements ClaimedWork {
  private final int pieces;
  private final IntConsumer piece;
  private final StopSignal stop = StopSignal.current();
  private final MemoryAccount account = MemoryAccount.current();
  private final AtomicInteger next = new AtomicInteger();
  private final SharedEnd end;

  HostWork(int pieces, IntConsumer piece) {
    this.pieces = pieces;
    this.end = new SharedEnd(pieces);
    this.piece = piece;
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
          piece.accept(i);
        }
      } catch (RuntimeException | Error e) {
        end.fail(e);
      } finally {
        end.done(1);
      }
    }
  }

  /** Waits for pieces that other threads do. */
  void await() {
    end.await();
  }
}
