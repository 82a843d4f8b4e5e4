package io.gpdb.exec.emulated;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Daemon threads that run tasks, each with a slot for its next one. A task goes to the thread that
 * has been idle for the shortest time, or to a new one where there are fewer than the most, or
 * waits until a thread is free. Thread-safe.
 *
 * <ul>
 *   <li>An idle thread's slot is empty; whoever takes the thread out of {@code idle} fills it.
 *   <li>No task waits while a thread is idle: a thread asks for a task that waits under the lock
 *       under which it becomes idle.
 *   <li>A thread ends only after it took itself out of {@code idle}: nobody fills its slot then.
 * </ul>
 */
final class HelperThreads {
  private static final long IDLE_NANOS_MAX = TimeUnit.SECONDS.toNanos(20);

  /**
   * So long an idle thread looks at its slot before it parks: launches of a statement follow each
   * other closely, and waking a thread that is parked takes as long as thousands of rows.
   */
  private static final long SPIN_NANOS = 50_000;

  private final long idleNanosMax;
  private final long spinNanos;
  private final Object lock = new Object();

  // Under the lock
  private final Helper[] idle;
  private int idleCount;
  private int aliveCount;
  private int startedCount;
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private boolean closed;

  HelperThreads(int threadsMax) {
    this(threadsMax, IDLE_NANOS_MAX);
  }

  /**
   * @param idleNanosMax so long a thread waits for a task before it ends
   */
  HelperThreads(int threadsMax, long idleNanosMax) {
    this.idleNanosMax = idleNanosMax;
    idle = new Helper[threadsMax];
    spinNanos = Runtime.getRuntime().availableProcessors() > threadsMax ? SPIN_NANOS : 0;
  }

  /** Runs the task on one of the threads; not at all once they are closed. */
  void run(Runnable task) {
    Helper helper;
    synchronized (lock) {
      if (closed) {
        return;
      }
      if (idleCount == 0 && aliveCount == idle.length) {
        waiting.add(task);
        return;
      }
      helper = idleCount > 0 ? idle[--idleCount] : started();
    }
    helper.give(task);
  }

  private Helper started() {
    startedCount++;
    Helper helper = new Helper("gpdb-worker-" + startedCount);
    helper.thread.start();
    aliveCount++;
    return helper;
  }

  /** Idle threads end, the others when no task waits. */
  void close() {
    synchronized (lock) {
      closed = true;
      for (int i = 0; i < idleCount; i++) {
        LockSupport.unpark(idle[i].thread);
      }
    }
  }

  private final class Helper implements Runnable {
    private final Thread thread;
    private volatile @Nullable Runnable slot;

    Helper(String name) {
      thread = new Thread(this, name);
      thread.setDaemon(true);
    }

    void give(Runnable task) {
      slot = task;
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      for (Runnable task = given(); task != null; task = next()) {
        try {
          task.run();
        } catch (RuntimeException | Error e) {
          thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
      }
    }

    private @Nullable Runnable next() {
      synchronized (lock) {
        Runnable next = waiting.poll();
        if (next != null) {
          return next;
        }
        slot = null;
        idle[idleCount++] = this;
      }
      return given();
    }

    /** The task that it is given; null when there will be none. */
    private @Nullable Runnable given() {
      long start = System.nanoTime();
      Runnable given = slot;
      while (given == null) {
        long idleNanos = System.nanoTime() - start;
        if (idleNanos < spinNanos) {
          Thread.onSpinWait();
        } else if (ends(idleNanos)) {
          return null;
        } else {
          LockSupport.parkNanos(this, idleNanosMax - idleNanos);
          Thread.interrupted(); // a flag that a task left would keep the thread from parking
        }
        given = slot;
      }
      return given;
    }

    /** Whether the thread is to end, and nobody has taken it to fill its slot. */
    private boolean ends(long idleNanos) {
      synchronized (lock) {
        if (!closed && idleNanos < idleNanosMax) {
          return false;
        }
        for (int i = 0; i < idleCount; i++) {
          if (idle[i] == this) {
            System.arraycopy(idle, i + 1, idle, i, idleCount - i - 1);
            idleCount--;
            aliveCount--;
            return true;
          }
        }
        return false;
      }
    }
  }
}
