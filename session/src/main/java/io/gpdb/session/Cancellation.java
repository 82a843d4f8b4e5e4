package io.gpdb.session;

import io.gpdb.storage.error.StopSignal;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the executions of a statement, and the reading of their rows, are to stop; requested by
 * any thread.
 */
public final class Cancellation {
  private final StopSignal signal;
  private boolean timedOut;
  private int executions;
  private @Nullable ScheduledFuture<?> watch;

  /** When the call for rows began that runs, by {@link System#nanoTime}; 0 while none does. */
  private volatile long callBegan;

  /** How long the calls for rows have taken that have ended. */
  private volatile long callsNanos;

  /** Is requested also when {@code connection} is. */
  public Cancellation(StopSignal connection) {
    signal = new StopSignal(connection);
  }

  /** Has the calling thread work for the statement until the scope is closed. */
  public StopSignal.Scope bind() {
    return signal.bind();
  }

  public void request() {
    signal.request();
  }

  synchronized void timeOut() {
    timedOut = true;
    request();
  }

  /** An execution begins, or waits for its turn: from now on it can be stopped. */
  public synchronized void begin() {
    executions++;
    if (executions == 1) {
      signal.clear();
      callsNanos = 0;
      timedOut = false;
    }
  }

  public synchronized void end() {
    executions--;
  }

  boolean isRequested() {
    return signal.isRequested();
  }

  public void check() {
    signal.check();
  }

  /** Limits the time of all {@link #timed} calls from now on. */
  public synchronized void watch(int seconds) {
    unwatch();
    watch = Timeouts.watch(this, seconds);
  }

  public synchronized void unwatch() {
    ScheduledFuture<?> known = watch;
    if (known != null) {
      known.cancel(false);
      watch = null;
    }
  }

  /** Makes a call for rows, which {@link #watch} may limit. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // by the thread that has the connection's lock
  public boolean timed(BooleanSupplier call) {
    long began = System.nanoTime() | 1;
    callBegan = began;
    try {
      return call.getAsBoolean();
    } finally {
      callBegan = 0;
      callsNanos += System.nanoTime() - began;
    }
  }

  /** Stops the reading of rows when its calls have taken so long together. */
  void stopAfter(long nanos) {
    long began = callBegan;
    long running = began == 0 ? 0 : System.nanoTime() - began;
    if (callsNanos + running > nanos) {
      timeOut();
    }
  }

  /** Whether it was stopped because its time was over. */
  public synchronized boolean isTimedOut() {
    return timedOut;
  }
}
