package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a watcher may rely on where a database writes with several threads. */
@Timeout(120)
class WatchedRunTest {
  private static final int RUNS = 8;

  /** The second table's columns are written, too. */
  private static final int WRITES_LEAST = 8;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final AtomicInteger watching = new AtomicInteger();
  private final AtomicInteger together = new AtomicInteger();
  private final AtomicInteger late = new AtomicInteger();
  private final AtomicInteger byOthers = new AtomicInteger();

  /** Commits write two tables by threads of their own; the run ends at one of those writes. */
  private void run(int endsAfter) {
    Setting setting =
        new Setting(Protocol.CAP_MM, LogKind.HCL, CrashUnit.LINE, Workload.TABLES, endsAfter);
    StateCheck check = new StateCheck(setting.options(), UnaryOperator.identity());
    WatchedRun run = new WatchedRun(setting, check, UnaryOperator.identity());
    AtomicInteger now = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    Thread starter = Thread.currentThread();
    boolean[] ended = {false};
    run.run(
        place -> {
          together.addAndGet(now.getAndIncrement());
          late.addAndGet(ended[0] ? 1 : 0);
          if (!Thread.currentThread().equals(starter)) {
            byOthers.incrementAndGet();
            LockSupport.parkNanos(LOOK_NANOS); // the others come to their acts
            if (seen.incrementAndGet() == endsAfter) {
              ended[0] = true;
              run.end();
            }
          }
          now.decrementAndGet();
        });
    ended[0] = true;
    watching.addAndGet(now.get());
  }

  @Test
  void oneActIsWatchedAtATimeAndNoneAfterTheEnd() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(RUNS)) {
      for (int i = 1; i <= RUNS; i++) {
        int endsAfter = WRITES_LEAST + i;
        running.add(workers.submit(() -> run(endsAfter)));
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
    assertThat(byOthers.get()).as("acts of the threads that write").isGreaterThanOrEqualTo(RUNS);
    assertThat(together.get()).as("acts watched at the same time").isZero();
    assertThat(watching.get()).as("acts watched when the run has returned").isZero();
    assertThat(late.get()).as("acts watched after the end").isZero();
  }
}
