package io.gpdb.storage.error;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Work that cannot be stopped, on threads of its own. The thread that asks for it waits until it is
 * done, or until the {@link StopSignal} of that thread is requested; then the work ends alone. It
 * must need nothing that the asking thread may close meanwhile.
 */
public final class DetachedWork implements AutoCloseable {
  private static final int IDLE_SECONDS_MAX = 10;
  private static final int POLL_MILLIS = 10;

  private final ThreadPoolExecutor threads;

  /** Threads of that name, with stacks of {@code stackBytes}. */
  public DetachedWork(String name, long stackBytes) {
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            work -> {
              Thread thread = new Thread(null, work, name, stackBytes);
              thread.setDaemon(true);
              return thread;
            });
  }

  /** What the work returns or throws; {@code CANCELLED} when the caller is stopped before. */
  public <T> T run(Supplier<T> work) {
    StopSignal stop = StopSignal.current();
    stop.check();
    Future<T> result = threads.submit(work::get);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return result.get(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
          stop.check();
        } catch (InterruptedException _) {
          interrupted = true;
        } catch (ExecutionException e) {
          throw thrown(Objects.requireNonNull(e.getCause()));
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits for what goes on alone. */
  @Override
  public void close() {
    threads.close();
  }

  private static RuntimeException thrown(Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }
}
