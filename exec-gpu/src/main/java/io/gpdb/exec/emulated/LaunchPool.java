package io.gpdb.exec.emulated;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Daemon threads that help launching threads with their blocks. Idle threads end after a while. */
final class LaunchPool implements AutoCloseable {
  private static final int IDLE_SECONDS_MAX = 20;

  private final int helpers;
  private final ThreadPoolExecutor threads;
  private final Thread stranger = new Thread(() -> {}, "gpdb-never-started");

  /** {@code workers} counts the launching thread. */
  LaunchPool(int workers) {
    this.helpers = workers - 1;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        new ThreadPoolExecutor(
            Math.max(1, helpers),
            Math.max(1, helpers),
            IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "gpdb-worker-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
  }

  /** Runs all blocks of the launch, with helpers where it is large; returns when all have ended. */
  void run(Launch launch, int blocks, String kernel) {
    if (blocks > EmulatedDevice.BLOCKS_ALONE_MAX && helpers > 0 && launch.mayShare(stranger)) {
      int wanted = Math.min(helpers, launch.unclaimedChunks() - 1);
      for (int i = 0; i < wanted; i++) {
        threads.execute(launch::work);
      }
    }
    launch.work();
    launch.await(kernel);
  }

  /** Runs something of the device's own, such as compiling a kernel, after what is queued. */
  void background(Runnable task) {
    threads.execute(task);
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
