package io.gpdb.txn.version;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * The snapshots in use, the newest commit that is durable, and the newest that is released: in the
 * log, in an order that is settled, and not yet durable as a rule. Lock-free.
 *
 * <p>A slot holds the snapshot's sequence plus one; 0 is a free slot. A transaction that begins
 * publishes its slot and then looks whether the newest commit is still the same; one that commits
 * moves the newest commit and then looks at the slots. One of the two sees the other, so no version
 * is dropped that a snapshot needs (invariant R7).
 */
public final class Snapshots {
  static final int SLOTS_MAX = 4096;
  private static final int STARTS = 16;

  /** Two lines of 64 bytes, which processors fetch together. */
  private static final int APART = 16;

  /** The first slots, which are taken most, are so far from each other that none shares a line. */
  private static final int SLOTS_APART = 64;

  /** Of each slot the snapshot, and behind it when it was taken. */
  private final AtomicLongArray slots =
      new AtomicLongArray(SLOTS_APART * APART + 2 * (SLOTS_MAX - SLOTS_APART));

  private final LongSupplier nanoClock;
  private volatile int slotsUsed;
  private volatile long newestCommit;
  private volatile long released;
  private volatile long newestDefinition;

  public Snapshots() {
    this(System::nanoTime);
  }

  /**
   * @param nanoClock is asked between the look at the newest commit and the slot's publication
   */
  public Snapshots(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
  }

  private static int at(int slot) {
    return slot < SLOTS_APART ? slot * APART : SLOTS_APART * APART + 2 * (slot - SLOTS_APART);
  }

  private static int takenAt(int slot) {
    return at(slot) + 1;
  }

  /** All commits up to this one are durable. */
  public long newestCommit() {
    return newestCommit;
  }

  /** E1. Those who write may see the commits up to this one; {@link #newestCommit} or later. */
  public long released() {
    return released;
  }

  /** The newest commit that has changed the definition of a table. */
  long newestDefinition() {
    return newestDefinition;
  }

  /** Makes commits up to {@code sequence} visible to those who write; one thread at a time. */
  public void release(long sequence) {
    assert sequence >= released : "E1: released to " + released + ", now to " + sequence;
    released = sequence;
  }

  /** The commit, about to be published, has changed definitions; one thread at a time. */
  public void defined(long sequence) {
    newestDefinition = sequence;
  }

  /**
   * Makes commits up to {@code sequence} visible to snapshots that begin from now on: they are
   * durable. One thread at a time.
   */
  public void publish(long sequence) {
    if (released < sequence) {
      released = sequence;
    }
    newestCommit = sequence;
  }

  /** Takes a slot with the newest snapshot. */
  public int begin() {
    int start = (int) Thread.currentThread().threadId() & (STARTS - 1);
    for (int i = 0; i < SLOTS_MAX; i++) {
      int slot = (start + i) & (SLOTS_MAX - 1);
      long seen = newestCommit;
      if (slots.get(at(slot)) == 0) {
        long now = nanoClock.getAsLong();
        if (slots.compareAndSet(at(slot), 0, seen + 1)) {
          slots.lazySet(takenAt(slot), now);
          noteUsed(slot);
          follow(slot, seen);
          return slot;
        }
      }
    }
    throw new GpdbException(
        ErrorCode.LIMIT_EXCEEDED, "too many open transactions: limit=" + SLOTS_MAX);
  }

  private void noteUsed(int slot) {
    if (slot >= slotsUsed) {
      synchronized (this) {
        slotsUsed = Math.max(slotsUsed, slot + 1);
      }
    }
  }

  /** Moves the slot to the newest commit and makes sure that committers have seen it. */
  void settle(int slot) {
    long seen = newestCommit;
    slots.lazySet(takenAt(slot), nanoClock.getAsLong());
    slots.set(at(slot), seen + 1);
    follow(slot, seen);
  }

  /** Moves the slot, which was published with a commit, on to those that came meanwhile. */
  private void follow(int slot, long published) {
    long seen = published;
    while (newestCommit != seen) {
      seen = newestCommit;
      slots.set(at(slot), seen + 1);
    }
  }

  /**
   * Moves the slot on, to a released commit. What the slot keeps until then is kept, too: no
   * version between the two is dropped.
   */
  void moveTo(int slot, long sequence) {
    assert sequence >= sequence(slot) && sequence <= released
        : "from " + sequence(slot) + " to " + sequence + " of " + released;
    slots.set(at(slot), sequence + 1);
  }

  public long sequence(int slot) {
    return slots.get(at(slot)) - 1;
  }

  public void end(int slot) {
    slots.set(at(slot), 0);
  }

  /**
   * The sequences of the snapshots in use and of the newest commit, ascending, each once: those
   * begun from now on see the newest commit.
   */
  public long[] sequences() {
    long newest = newestCommit;
    long[] found = new long[slotsUsed + 1];
    found[0] = newest;
    int n = 1;
    for (int i = 0; i < found.length - 1; i++) {
      long slot = slots.get(at(i));
      if (slot != 0 && slot - 1 < newest) {
        found[n++] = slot - 1;
      }
    }
    return Arrays.stream(found, 0, n).sorted().distinct().toArray();
  }

  /** How long ago the oldest snapshot in use was taken; 0 where there is none. */
  long oldestNanos() {
    long oldest = 0;
    long now = nanoClock.getAsLong();
    for (int i = 0, n = slotsUsed; i < n; i++) {
      if (slots.get(at(i)) != 0) {
        oldest = Math.max(oldest, now - slots.get(takenAt(i)));
      }
    }
    return oldest;
  }

  /** Every snapshot in use, or begun from now on, sees the commits up to this one. */
  public long horizon() {
    long least = newestCommit;
    for (int i = 0, n = slotsUsed; i < n; i++) {
      long slot = slots.get(at(i));
      if (slot != 0) {
        least = Math.min(least, slot - 1);
      }
    }
    return least;
  }
}
