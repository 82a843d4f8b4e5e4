package io.gpdb.txn;

/** The records of one transaction, made one after the other in the same buffer. */
interface RecordSource {
  /** Makes the next record; false when it was the last. */
  boolean fill(RecordBuffer buffer);
}
