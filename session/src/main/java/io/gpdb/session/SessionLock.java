package io.gpdb.session;

import io.gpdb.storage.error.StopSignal;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes the calls on one connection follow one another, whichever threads they come from: its
 * statements, its result sets, its transaction. A thread may take it again while it has it.
 *
 * <p>Never taken by what ends the work of another thread: {@link Cancellation}, {@code cancel()},
 * {@code abort()} and {@code isValid()}.
 *
 * <p>A result set takes it for every row, nearly always without another thread in sight. So taking
 * it is one compare-and-set and releasing it one plain store, half of what a {@link
 * java.util.concurrent.locks.ReentrantLock} takes; the price is paid by threads that wait, which
 * look again after pauses. Whoever has waited for long is handed the lock.
 */
public final class SessionLock {
  private static final long NANOS_BETWEEN_LOOKS = TimeUnit.MICROSECONDS.toNanos(100);
  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int LOOKS_BEFORE_PAUSE = 64;
  private static final VarHandle OWNER = ownerHandle();

  /** A statement that is stopped ends sooner, unless it commits or undoes much. */
  private static final long ENDING_WAIT_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(800);

  private static final Logger LOG = LoggerFactory.getLogger(SessionLock.class);

  private final ConcurrentLinkedQueue<FutureTask<Runnable>> endings = new ConcurrentLinkedQueue<>();

  /** Whether {@link #endings} may have any. */
  private volatile boolean ending;

  private final ConcurrentLinkedQueue<Waiter> waiters = new ConcurrentLinkedQueue<>();

  @SuppressWarnings("UnusedVariable") // written by its handle
  private volatile @Nullable Thread owner;

  /** How often the owner has taken it. */
  private int depth;

  private record Waiter(Thread thread, long sinceNanos) {}

  private static VarHandle ownerHandle() {
    try {
      return MethodHandles.lookup().findVarHandle(SessionLock.class, "owner", Thread.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("ReferenceEquality") // a thread is itself
  private boolean isOwner(Thread thread) {
    return owner == thread;
  }

  public void lock() {
    lock(null);
  }

  /** Waits its turn as a statement does, which can be cancelled or run out of time meanwhile. */
  public void lock(@Nullable Cancellation cancellation) {
    Thread me = Thread.currentThread();
    if (!isOwner(me) && !OWNER.compareAndSet(this, null, me)) {
      await(me, cancellation, Long.MAX_VALUE);
    }
    depth++;
  }

  /** Takes it unless another thread has it. */
  boolean tryLock() {
    Thread me = Thread.currentThread();
    boolean taken = isOwner(me) || OWNER.compareAndSet(this, null, me);
    if (taken) {
      depth++;
    }
    return taken;
  }

  public void unlock() {
    depth--;
    if (depth == 0) {
      Waiter first = waiters.peek();
      if (first == null || !handOver(first)) {
        OWNER.setRelease(this, null);
      }
      if (ending) {
        end();
      }
    }
  }

  /**
   * Does the work when no other thread works for the connection. Waits for that a while; then the
   * thread that works does it when it has ended, and an error of it is logged.
   */
  public void whenFree(Runnable work) {
    FutureTask<Runnable> task = new FutureTask<>(work, work);
    endings.add(task);
    ending = true;
    Thread me = Thread.currentThread();
    if (isOwner(me)
        || OWNER.compareAndSet(this, null, me)
        || await(me, null, System.nanoTime() + ENDING_WAIT_NANOS_MAX)) {
      depth++;
      try {
        runEndings();
      } finally {
        unlock();
      }
    }
    if (task.state() == Future.State.FAILED) {
      rethrow(task.exceptionNow());
    }
  }

  private static void rethrow(Throwable failure) {
    switch (failure) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /** Does what others left to be done, unless the lock has an owner again, which then will. */
  private void end() {
    if (OWNER.compareAndSet(this, null, Thread.currentThread())) {
      depth++;
      try {
        runEndings();
      } finally {
        unlock();
      }
    }
  }

  private void runEndings() {
    ending = false;
    try (StopSignal.Scope _ = StopSignal.masked()) {
      for (FutureTask<Runnable> task = endings.poll(); task != null; task = endings.poll()) {
        task.run();
        if (task.state() == Future.State.FAILED) {
          LOG.warn("closing failed: {}", task.exceptionNow().getMessage());
        }
      }
    }
  }

  /** Makes a thread the owner that has waited for long; others get hold of it when it is free. */
  private boolean handOver(Waiter first) {
    boolean handed = System.nanoTime() - first.sinceNanos > PATIENCE_NANOS && waiters.remove(first);
    if (handed) {
      OWNER.setRelease(this, first.thread);
      LockSupport.unpark(first.thread);
    }
    return handed;
  }

  /** Returns whether the lock was had before that time of {@link System#nanoTime}. */
  private boolean await(Thread me, @Nullable Cancellation cancellation, long limitNanos) {
    Waiter waiter = new Waiter(me, System.nanoTime());
    waiters.add(waiter);
    boolean interrupted = false;
    try {
      for (int looks = 1; !isOwner(me) && !take(me, waiter); looks++) {
        if (cancellation != null && cancellation.isRequested() && waiters.remove(waiter)) {
          cancellation.check();
        }
        if (limitNanos != Long.MAX_VALUE
            && System.nanoTime() - limitNanos > 0
            && waiters.remove(waiter)) {
          return false;
        }
        if (looks < LOOKS_BEFORE_PAUSE) {
          Thread.onSpinWait();
        } else {
          LockSupport.parkNanos(this, NANOS_BETWEEN_LOOKS);
          interrupted |= Thread.interrupted();
        }
      }
      return true;
    } finally {
      if (interrupted) {
        me.interrupt();
      }
    }
  }

  /** Takes the lock when it is free, unless it is being handed over. */
  private boolean take(Thread me, Waiter waiter) {
    boolean taken = owner == null && OWNER.compareAndSet(this, null, me);
    if (taken) {
      waiters.remove(waiter);
    }
    return taken;
  }
}
