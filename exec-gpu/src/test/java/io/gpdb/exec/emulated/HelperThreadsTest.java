package io.gpdb.exec.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HelperThreadsTest {
  private static final int SECONDS_MAX = 30;
  private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(SECONDS_MAX);

  private final BlockingQueue<Thread> ran = new LinkedBlockingQueue<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger runningMost = new AtomicInteger();

  /** Tasks come while threads look at their slots, park or end, and while all are busy. */
  @ParameterizedTest
  @CsvSource({
    "1, 30000000000",
    "3, 30000000000",
    "1, 0",
    "3, 0",
    "1, 60000",
    "3, 60000",
    "3, 200000"
  })
  void eachTaskIsRunOnce(int threadsMax, long idleNanosMax) throws InterruptedException {
    int givers = 3;
    int tasks = 4000;
    HelperThreads threads = new HelperThreads(threadsMax, idleNanosMax);
    AtomicIntegerArray runs = new AtomicIntegerArray(givers * tasks);
    List<Thread> giving = new ArrayList<>();
    for (int g = 0; g < givers; g++) {
      int first = g * tasks;
      Runnable gives =
          () -> {
            for (int i = first; i < first + tasks; i++) {
              int number = i;
              threads.run(() -> counted(() -> runs.incrementAndGet(number)));
              pause(i);
            }
          };
      giving.add(Thread.ofPlatform().start(gives));
    }
    for (Thread giver : giving) {
      giver.join();
    }
    for (int i = 0; i < runs.length(); i++) {
      int number = i;
      waitUntil(() -> runs.get(number) > 0);
    }
    threads.close();
    waitUntil(() -> running.get() == 0);
    for (int i = 0; i < runs.length(); i++) {
      assertThat(runs.get(i)).isEqualTo(1);
    }
    assertThat(runningMost.get()).isLessThanOrEqualTo(threadsMax);
  }

  private void counted(Runnable task) {
    int now = running.incrementAndGet();
    runningMost.accumulateAndGet(now, Math::max);
    task.run();
    running.decrementAndGet();
  }

  /** None, or around the times after which an idle thread parks and ends. */
  private static void pause(int i) {
    long end = System.nanoTime() + 20_000L * (i % 13);
    while (i % 3 == 0 && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  void theThreadThatBecameIdleLastGetsTheNextTask() throws InterruptedException {
    HelperThreads threads = new HelperThreads(2, LONG_NANOS);
    CountDownLatch held = new CountDownLatch(1);
    threads.run(() -> runAfter(held));
    threads.run(this::run);
    Thread second = ranNext();
    waitUntilParked(second);
    held.countDown();
    Thread first = ranNext();
    waitUntilParked(first);
    for (int i = 0; i < 20; i++) {
      threads.run(this::run);
      assertThat(ranNext()).isSameAs(first);
      waitUntilParked(first);
    }
    assertThat(second).isNotSameAs(first);
    threads.close();
  }

  @Test
  void aTaskWaitsWhileAllThreadsAreBusy() throws InterruptedException {
    HelperThreads threads = new HelperThreads(1, LONG_NANOS);
    CountDownLatch held = new CountDownLatch(1);
    threads.run(() -> runAfter(held));
    threads.run(this::run);
    assertThat(ran).isEmpty();
    held.countDown();
    assertThat(ranNext()).isSameAs(ranNext());
    threads.close();
  }

  @Test
  void aThreadOutlivesWhatATaskThrows() throws InterruptedException {
    HelperThreads threads = new HelperThreads(1, LONG_NANOS);
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    threads.run(
        () -> {
          run();
          Thread.currentThread().setUncaughtExceptionHandler((_, e) -> thrown.add(e));
          Thread.currentThread().interrupt();
          throw new IllegalStateException("a task fails");
        });
    Thread thread = ranNext();
    waitUntilParked(thread);
    assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
    threads.run(this::run);
    assertThat(ranNext()).isSameAs(thread);
    threads.close();
  }

  @Test
  void anIdleThreadEndsAfterAWhile() throws InterruptedException {
    HelperThreads threads = new HelperThreads(1, 1_000_000);
    threads.run(this::run);
    Thread thread = ranNext();
    thread.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
    assertThat(thread.isAlive()).isFalse();
    threads.run(this::run);
    assertThat(ranNext()).isNotSameAs(thread);
    threads.close();
  }

  @Test
  void closingEndsThreadsOnceNoTaskWaits() throws InterruptedException {
    HelperThreads threads = new HelperThreads(2, LONG_NANOS);
    threads.run(this::run);
    Thread idle = ranNext();
    waitUntilParked(idle);
    CountDownLatch held = new CountDownLatch(2);
    threads.run(() -> runAfter(held));
    threads.run(() -> runAfter(held));
    threads.run(this::run);
    threads.close();
    threads.run(() -> ran.add(new Thread("of a task that came too late")));
    held.countDown();
    held.countDown();
    for (int i = 0; i < 3; i++) {
      Thread thread = ranNext();
      thread.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(ran).isEmpty();
  }

  @Test
  void closingWakesThreadsThatAreParked() throws InterruptedException {
    HelperThreads threads = new HelperThreads(1, LONG_NANOS * 2);
    threads.run(this::run);
    Thread thread = ranNext();
    waitUntilParked(thread);
    threads.close();
    thread.join(TimeUnit.SECONDS.toMillis(SECONDS_MAX));
    assertThat(thread.isAlive()).isFalse();
  }

  private void run() {
    ran.add(Thread.currentThread());
  }

  private void runAfter(CountDownLatch held) {
    try {
      held.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    run();
  }

  private Thread ranNext() throws InterruptedException {
    Thread thread = ran.poll(SECONDS_MAX, TimeUnit.SECONDS);
    assertThat(thread).as("the thread that ran a task").isNotNull();
    return thread;
  }

  private static void waitUntilParked(Thread thread) throws InterruptedException {
    waitUntil(() -> thread.getState() == Thread.State.TIMED_WAITING);
  }

  private static void waitUntil(BooleanSupplier isSo) throws InterruptedException {
    long end = System.nanoTime() + LONG_NANOS;
    while (!isSo.getAsBoolean() && System.nanoTime() < end) {
      Thread.sleep(1);
    }
    assertThat(isSo.getAsBoolean()).isTrue();
  }
}
