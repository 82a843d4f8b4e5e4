package io.gpdb.bench.mutants;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How long a test may go on: by what it makes the processors do, and where it makes them do
 * nothing, by the clock. How busy the machine is with other work makes no difference.
 */
final class TimeLimit {
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** A window with less of it used is one without progress: the JVM's own tasks wake up, too. */
  private static final int WANTED_PERCENT = 25;

  private final long cpuNanosMax;
  private final long wallNanosMax;
  private final Effort start;
  private Effort windowStart;

  TimeLimit(long cpuMillisMax, long wallMillisMax, Effort start) {
    cpuNanosMax = TimeUnit.MILLISECONDS.toNanos(cpuMillisMax);
    wallNanosMax = TimeUnit.MILLISECONDS.toNanos(wallMillisMax);
    this.start = start;
    windowStart = start;
  }

  /** Why the test is over, or null; asked every now and then. */
  @Nullable String exceeded(Effort now) {
    if (now.cpuNanos() - start.cpuNanos() > cpuNanosMax) {
      return "timeout";
    }
    if (now.onDisk()) {
      windowStart = now;
    }
    long window = now.wallNanos() - windowStart.wallNanos();
    if (window < WINDOW_NANOS) {
      return null;
    }
    boolean still = now.wantedSince(windowStart) * 100 < window * WANTED_PERCENT;
    windowStart = now;
    return still && now.wallNanos() - start.wallNanos() > wallNanosMax ? "standstill" : null;
  }
}
