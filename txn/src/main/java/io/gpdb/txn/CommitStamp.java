package io.gpdb.txn;

/** Who wrote a version: a transaction, and when it committed, once it has. */
final class CommitStamp {
  /** Sequence of what has not committed: later than every snapshot. */
  static final long ACTIVE = Long.MAX_VALUE;

  private final long transactionId;
  private volatile long sequence = ACTIVE;

  CommitStamp(long transactionId) {
    this.transactionId = transactionId;
  }

  long transactionId() {
    return transactionId;
  }

  long sequence() {
    return sequence;
  }

  void commit(long commitSequence) {
    assert sequence == ACTIVE : "transaction " + transactionId + " commits twice";
    sequence = commitSequence;
  }
}
