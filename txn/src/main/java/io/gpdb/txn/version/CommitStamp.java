package io.gpdb.txn.version;

import java.util.function.LongSupplier;

/**
 * The transaction that wrote a version, and when it committed, once it has: it is first {@link
 * #order ordered}, then has its {@link #commit sequence} and may be read and overwritten, and then
 * is {@link #durable}.
 */
public final class CommitStamp {
  /** Sequence of what has not committed: later than every snapshot. */
  public static final long ACTIVE = Long.MAX_VALUE;

  private static final long NOT_ASKED = -1;

  private final LongSupplier ids;
  private long transactionId = NOT_ASKED; // under this monitor
  private volatile long sequence = ACTIVE;
  private volatile boolean ordered;
  private volatile boolean durable;
  private volatile boolean yields;
  private volatile boolean ended;
  private volatile int undoneCount;

  /**
   * @param ids is asked when the number of the transaction is first needed: those that only read
   *     never need one
   */
  public CommitStamp(LongSupplier ids) {
    this.ids = ids;
  }

  public CommitStamp(long transactionId) {
    this(() -> transactionId);
  }

  public synchronized long transactionId() {
    if (transactionId == NOT_ASKED) {
      transactionId = ids.getAsLong();
    }
    return transactionId;
  }

  public long sequence() {
    return sequence;
  }

  /** The commit's place in the log is settled; it becomes visible when it is durable. */
  public void order() {
    ordered = true;
  }

  /** Whether the transaction comes, in the log, before all whose place is not settled yet. */
  boolean isOrdered() {
    return ordered || sequence != ACTIVE;
  }

  /** Whether it goes on and may keep others from writing its rows. */
  public boolean isOpen() {
    return !ended && sequence == ACTIVE;
  }

  public void end() {
    ended = true;
  }

  /** Whether it keeps others from nothing any more, also not from its tables. */
  boolean hasEnded() {
    return ended;
  }

  /** How often a part of it was undone; others may have waited for that part. */
  int undoneCount() {
    return undoneCount;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate")
  public // changed by the transaction's own thread alone
  void undone() {
    undoneCount++;
  }

  /** Whether it rewrites a table, and fails where others have written to the table. */
  public boolean yields() {
    return yields;
  }

  public void yielding() {
    yields = true;
  }

  /** Its records are in the log: what it wrote may be read and overwritten by others. */
  public void commit(long commitSequence) {
    assert sequence == ACTIVE : "transaction " + transactionId() + " commits twice";
    sequence = commitSequence;
  }

  /** Its records are durable, and all before them in the log. */
  public void durable() {
    assert sequence != ACTIVE : "transaction " + transactionId + " is durable without a place";
    durable = true;
  }

  boolean isDurable() {
    return durable;
  }
}
