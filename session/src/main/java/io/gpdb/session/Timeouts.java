package io.gpdb.session;

import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One thread for all query timeouts of the process; started by the first. */
public final class Timeouts {
  private static final ScheduledThreadPoolExecutor TIMER = timer();

  private static final int MILLIS_BETWEEN_LOOKS = 100;

  private Timeouts() {}

  private static ScheduledThreadPoolExecutor timer() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, task -> Thread.ofPlatform().daemon().name("gpdb-timeouts").unstarted(task));
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Looks now and then whether the statement's calls for rows have taken so long. */
  static ScheduledFuture<?> watch(Cancellation cancellation, int seconds) {
    long limitNanos = TimeUnit.SECONDS.toNanos(seconds);
    return TIMER.scheduleWithFixedDelay(
        () -> cancellation.stopAfter(limitNanos),
        MILLIS_BETWEEN_LOOKS,
        MILLIS_BETWEEN_LOOKS,
        TimeUnit.MILLISECONDS);
  }

  public static ScheduledFuture<?> start(Cancellation cancellation, int seconds) {
    return TIMER.schedule(cancellation::timeOut, seconds, TimeUnit.SECONDS);
  }
}
