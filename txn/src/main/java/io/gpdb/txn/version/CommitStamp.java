package io.gpdb.txn.version;

/** The transaction that wrote a version, and when it committed, once it has. */
public final class CommitStamp {
  /** Sequence of what has not committed: later than every snapshot. */
  public static final long ACTIVE = Long.MAX_VALUE;

  private final long transactionId;
  private volatile long sequence = ACTIVE;
  private volatile boolean ordered;
  private volatile boolean yields;
  private volatile boolean ended;
  private volatile int undoneCount;

  public CommitStamp(long transactionId) {
    this.transactionId = transactionId;
  }

  public long transactionId() {
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

  /** Whether it goes on and may keep others from writing. */
  public boolean isOpen() {
    return !ended && sequence == ACTIVE;
  }

  public void end() {
    ended = true;
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

  public void commit(long commitSequence) {
    assert sequence == ACTIVE : "transaction " + transactionId + " commits twice";
    sequence = commitSequence;
  }
}
