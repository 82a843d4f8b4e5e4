package io.gpdb.txn.api;

/** Numbers of rows that a transaction sees, some at a time. Used by one thread at a time. */
public interface RowCursor {
  /** Fills in the next rows, as many as there are and fit; returns how many, 0 at the end. */
  int next(long[] rows);
}
