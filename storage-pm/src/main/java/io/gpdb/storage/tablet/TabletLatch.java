package io.gpdb.storage.tablet;

import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Who may touch a tablet: shared for those who read it, exclusive for those who change it.
 *
 * <p>Whoever reads a value or two need not take it, which would write to memory that all readers
 * share. The latch counts when it is taken and when it is given back exclusively, so an odd count
 * says that a change is under way. What was read between two looks at the same even count is whole;
 * else it is read again, with the latch (a sequence lock; Lameter, "Effective synchronization on
 * Linux/NUMA systems", 2005). Meanwhile buffers may come and go: the reader must be able to do with
 * whatever it meets.
 *
 * <p>A change of a row holds the latch for about a microsecond, and a thread that is put to sleep
 * comes back after ten or more. So whoever finds it held exclusively looks a few times more before
 * it sleeps.
 */
public final class TabletLatch {
  /** Some microseconds. */
  private static final int LOOKS_MAX = 200;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Shared shared = new Shared(lock.readLock());
  private final Exclusive exclusive = new Exclusive(lock.writeLock());
  private volatile long changes;

  public Lock readLock() {
    return shared;
  }

  public Lock writeLock() {
    return exclusive;
  }

  /** Takes it exclusively where it is free, or soon is. */
  public boolean tryExclusive() {
    return exclusive.tryLockSoon();
  }

  /** How often this thread holds it as one of those who share it. */
  public int readHolds() {
    return lock.getReadHoldCount();
  }

  public boolean isHeldExclusively() {
    return lock.isWriteLocked();
  }

  public boolean isHeldExclusivelyByThisThread() {
    return lock.isWriteLockedByCurrentThread();
  }

  /** About how many threads wait for it. */
  public int waiters() {
    return lock.getQueueLength();
  }

  /** The count before something is read without the latch. */
  public long changes() {
    return changes;
  }

  /** Whether nothing was changed while the count was read. */
  public static boolean isCalm(long changes) {
    return (changes & 1) == 0;
  }

  /** Whether nothing was changed since that count, which was a calm one. */
  public boolean isStill(long before) {
    VarHandle.acquireFence();
    return changes == before;
  }

  /** Looks a few times before it sleeps. */
  private class Shared implements Lock {
    private final Lock held;

    Shared(Lock held) {
      this.held = held;
    }

    void taken() {}

    void leaving() {}

    /** While a change holds the latch; readers hold it for longer, and go first where they came. */
    boolean tryLockSoon() {
      boolean done = tryLock();
      for (int i = 0; i < LOOKS_MAX && !done && lock.getReadLockCount() == 0; i++) {
        Thread.onSpinWait();
        done = !lock.isWriteLocked() && tryLock();
      }
      return done;
    }

    @Override
    public void lock() {
      if (!lock.isWriteLocked() || !tryLockSoon()) {
        held.lock();
        taken();
      }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
      held.lockInterruptibly();
      taken();
    }

    @Override
    public boolean tryLock() {
      boolean done = held.tryLock();
      if (done) {
        taken();
      }
      return done;
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
      boolean done = held.tryLock(time, unit);
      if (done) {
        taken();
      }
      return done;
    }

    @Override
    public void unlock() {
      leaving();
      held.unlock();
    }

    @Override
    public Condition newCondition() {
      return held.newCondition();
    }
  }

  /** Counts the outermost taking and giving back. */
  private final class Exclusive extends Shared {
    Exclusive(Lock held) {
      super(held);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the holder alone
    void taken() {
      if (lock.getWriteHoldCount() == 1) {
        changes++;
        VarHandle.fullFence(); // no change is seen before the odd count
      }
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the holder alone
    void leaving() {
      if (lock.getWriteHoldCount() == 1) {
        changes++;
      }
    }
  }
}
