package io.gpdb.exec.cuda;

import io.gpdb.exec.ExecutionCounters;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The figures of a device, and of the work of a thread for whoever asks for them apart. */
final class LaunchCounters {
  private static final ScopedValue<ExecutionCounters> APART = ScopedValue.newInstance();

  private final ExecutionCounters all = new ExecutionCounters();

  ExecutionCounters all() {
    return all;
  }

  void count(Consumer<ExecutionCounters> count) {
    count.accept(all);
    if (APART.isBound()) {
      count.accept(APART.get());
    }
  }

  /** Counts for whoever asks for the thread's work apart. */
  void countApart(Consumer<ExecutionCounters> count) {
    if (APART.isBound()) {
      count.accept(APART.get());
    }
  }

  /** Does the work with its figures kept in {@code into}, too. */
  <T> T apart(ExecutionCounters into, Supplier<T> work) {
    return ScopedValue.where(APART, into).call(work::get);
  }

  /** Whether this thread's work is counted apart, and so the time that each launch takes. */
  boolean isApart() {
    return APART.isBound();
  }
}
