package io.gpdb.exec.emulated;

import java.util.concurrent.locks.LockSupport;

/** Daemon threads that help launching threads with their blocks. Idle threads end after a while. */
final class LaunchPool implements AutoCloseable {
  /** A helper that is to wake others asks this often whether the work gains by them. */
  private static final long STEP_NANOS = 500_000;

  private final int helpers;
  private final HelperThreads threads;
  private final Object idle = new Object();
  private int running; // under idle's monitor

  /** {@code workers} counts the launching thread. */
  LaunchPool(int workers) {
    this.helpers = workers - 1;
    this.threads = new HelperThreads(Math.max(1, helpers));
  }

  /**
   * Runs all blocks of the launch, with helpers where wanted or where its first blocks take long;
   * returns when all have ended.
   *
   * @return for how many nanoseconds the caller had no block left and waited for helpers
   */
  long run(Launch launch, boolean helped, String kernel) {
    enter();
    try {
      if (helpers > 0 && launch.isOwnerless() && (helped || launch.isLong())) {
        launch.workWhileCold();
        wake(launch);
      }
      launch.work();
      long done = System.nanoTime();
      launch.await(kernel);
      return System.nanoTime() - done;
    } finally {
      leave();
    }
  }

  /** Does all pieces of the work with helpers; returns when all are done. */
  void run(HostWork work) {
    enter();
    try {
      wake(work);
      work.work();
      work.await();
    } finally {
      leave();
    }
  }

  /**
   * Wakes up to {@code wanted} helpers to do pieces of the work. Waking a thread takes long beside
   * a short launch: the caller wakes one, and that one wakes others, as long as there is more to
   * claim than the thread that wakes does itself.
   */
  private void wake(int wanted, ClaimedWork work) {
    if (wanted > 0 && work.unclaimed() > 1) {
      background(
          () -> {
            int others = wanted - 1;
            wake(others / 2, work);
            wake(others - others / 2, work);
            work.work();
          });
    }
  }

  /** Wakes as many helpers as the work gains by, and more when it gains by more. */
  private void wake(ClaimedWork work) {
    if (work.helpersMax() >= helpers) {
      wake(helpers, work);
    } else if (work.unclaimed() > 1) {
      background(() -> wakeInSteps(work));
    }
  }

  private void wakeInSteps(ClaimedWork work) {
    int others = helpers - 1;
    int woken = 0;
    int gaining = work.helpersMax();
    while (work.unclaimed() > 0 && (gaining == 0 || woken < others)) {
      if (woken < Math.min(others, gaining)) {
        wake(Math.min(others, gaining) - woken, work);
        woken = Math.min(others, gaining);
      } else {
        LockSupport.parkNanos(STEP_NANOS);
      }
      gaining = work.helpersMax();
    }
    work.work();
  }

  private void enter() {
    synchronized (idle) {
      running++;
    }
  }

  private void leave() {
    synchronized (idle) {
      running--;
      idle.notifyAll();
    }
  }

  /**
   * Runs the task on a helper thread, unless the device is closed: then the launching thread does
   * all of its blocks, and a kernel stays interpreted.
   */
  void background(Runnable task) {
    threads.run(task);
  }

  /** Waits for running launches. */
  @Override
  public void close() {
    synchronized (idle) {
      boolean interrupted = false;
      while (running > 0) {
        try {
          idle.wait();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    threads.close();
  }
}
