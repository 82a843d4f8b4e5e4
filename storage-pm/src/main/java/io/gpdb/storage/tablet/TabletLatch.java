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
 */
public final class TabletLatch {
  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Exclusive exclusive = new Exclusive();
  private volatile long changes;

  public Lock readLock() {
    return lock.readLock();
  }

  public Lock writeLock() {
    return exclusive;
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

  /** Counts the outermost taking and giving back. */
  private final class Exclusive implements Lock {
    private final Lock held = lock.writeLock();

    @Override
    public void lock() {
      held.lock();
      taken();
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

    @SuppressWarnings("NonAtomicVolatileUpdate") // by the holder alone
    private void taken() {
      if (lock.getWriteHoldCount() == 1) {
        changes++;
        VarHandle.fullFence(); // no change is seen before the odd count
      }
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // by the holder alone
    public void unlock() {
      if (lock.getWriteHoldCount() == 1) {
        changes++;
      }
      held.unlock();
    }

    @Override
    public Condition newCondition() {
      return held.newCondition();
    }
  }
}
