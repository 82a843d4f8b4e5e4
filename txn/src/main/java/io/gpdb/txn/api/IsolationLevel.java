package io.gpdb.txn.api;

/** What a transaction may see of concurrent ones (docs/internals/isolation.md). */
public enum IsolationLevel {
  /** Every statement sees the commits before its own beginning. */
  READ_COMMITTED,

  /** All statements see the commits before the transaction's beginning. */
  SNAPSHOT,

  /** As SNAPSHOT, and a commit whose reads are no longer true by then is refused. */
  SERIALIZABLE
}
