package io.gpdb.exec.emulated;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Pieces of the host's work. Every thread that calls {@link #work} claims pieces until none is
 * left; the thread that has the work calls it too and then awaits those that others claimed. A
 * thread that comes late finds nothing to claim.
 */
final class HostWork {
  private final int pieces;
  private final IntConsumer piece;
  private final StopSignal stop = StopSignal.current();
  private final MemoryAccount account = MemoryAccount.current();
  private final AtomicInteger next = new AtomicInteger();

  // Under this object's monitor
  private int done;
  private @Nullable Throwable failure;
  private volatile boolean failed;

  HostWork(int pieces, IntConsumer piece) {
    this.pieces = pieces;
    this.piece = piece;
  }

  void work() {
    int i;
    while ((i = next.getAndIncrement()) < pieces && i >= 0) {
      try (StopSignal.Scope _ = stop.bind();
          MemoryAccount.Scope _ = account.bind()) {
        if (!failed) {
          piece.accept(i);
        }
      } catch (RuntimeException | Error e) {
        fail(e);
      } finally {
        finish();
      }
    }
  }

  private synchronized void fail(Throwable e) {
    failed = true;
    failure = failure == null ? e : failure;
  }

  private synchronized void finish() {
    if (++done == pieces) {
      notifyAll();
    }
  }

  /** Waits for pieces that other threads do. */
  synchronized void await() {
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
