package io.gpdb.txn.log;

/** The records of one transaction, made one after the other in the same buffer. */
public interface RecordSource {
  /** Makes the next record; false when it was the last. */
  boolean fill(RecordBuffer buffer);
}
