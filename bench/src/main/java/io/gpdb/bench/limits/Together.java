package io.gpdb.bench.limits;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that begin at once. */
final class Together implements AutoCloseable {
  private final int threads;
  private final ExecutorService pool;

  Together(int threads) {
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
  }

  /** What one thread does; {@code number} counts from 0. */
  @FunctionalInterface
  interface Part {
    void run(int number) throws Exception;
  }

  /** Seconds from when all are ready until the last has ended. */
  double seconds(Part part) throws InterruptedException {
    CyclicBarrier ready = new CyclicBarrier(threads);
    List<Callable<long[]>> tasks = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      tasks.add(
          () -> {
            ready.await();
            long start = System.nanoTime();
            part.run(number);
            return new long[] {start, System.nanoTime()};
          });
    }
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    for (Future<long[]> time : pool.invokeAll(tasks)) {
      try {
        first = Math.min(first, time.get()[0]);
        last = Math.max(last, time.get()[1]);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a thread of the benchmark failed", e.getCause());
      }
    }
    return (last - first) / 1e9;
  }

  @Override
  public void close() {
    pool.close();
  }
}
