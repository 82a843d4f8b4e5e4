package io.gpdb.bench.calls;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Episodes of random calls, one after another, each decided by its seed, and watched: a call that
 * does not come back ends the run.
 */
public final class CallsRun {
  private static final long HANG_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long MILLIS_BETWEEN_LOOKS = 50;

  private CallsRun() {}

  /** Runs episodes with the seeds from that one on, at least one. */
  public static void runFor(long millis, long firstSeed, CallsReport report) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    long seed = firstSeed;
    boolean goesOn = true;
    while (goesOn) {
      goesOn = watched(new Episode(seed, report), report) && System.nanoTime() < end;
      seed++;
    }
  }

  /** False when the episode hangs. */
  private static boolean watched(Episode episode, CallsReport report) {
    Thread worker = Thread.ofPlatform().daemon().name("calls").unstarted(episode::run);
    worker.start();
    try {
      while (!worker.join(java.time.Duration.ofMillis(MILLIS_BETWEEN_LOOKS))) {
        Call hanging = episode.longerThan(HANG_NANOS);
        if (hanging != null) {
          report.defect(
              "hang in " + hanging.name(),
              episode.place() + ": " + Arrays.toString(hanging.thread().getStackTrace()));
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
