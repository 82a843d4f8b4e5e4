package io.gpdb.txn;

/** Who wrote a version: a transaction, and when it committed, once it has. */
final class CommitStamp {
  /** Sequence of what has not committed: later than every snapshot. */
  static final long ACTIVE = Long.MAX_VALUE;

  private final long transactionId;
  private volatile long sequence = ACTIVE;
  private volatile boolean ordered;
  private volatile boolean yields;
  private volatile boolean ended;
  private volatile int undoneCount;

  CommitStamp(long transactionId) {
    this.transactionId = transactionId;
  }

  long transactionId() {
    return transactionId;
  }

  long sequence() {
    return sequence;
  }

  /** The commit's place in the log is settled; it becomes visible when it is durable. */
  void order() {
    ordered = true;
  }

  /** Whether the transaction comes, in the log, before all whose place is not settled yet. */
  boolean isOrdered() {
    return ordered || sequence != ACTIVE;
  }

  /** Whether it goes on and may keep others from writing. */
  boolean isOpen() {
    return !ended && sequence == ACTIVE;
  }

  void end() {
    ended = true;
  }

  /** How often a part of it was undone, which may have been what others wait for. */
  int undoneCount() {
    return undoneCount;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // changed by the transaction's own thread alone
  void undone() {
    undoneCount++;
  }

  /** Whether it rewrites a table and gives way to who writes to it. */
  boolean yields() {
    return yields;
  }

  void yielding() {
    yields = true;
  }

  void commit(long commitSequence) {
    assert sequence == ACTIVE : "transaction " + transactionId + " commits twice";
    sequence = commitSequence;
  }
}
