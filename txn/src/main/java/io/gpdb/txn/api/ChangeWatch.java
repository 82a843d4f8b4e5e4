package io.gpdb.txn.api;

import io.gpdb.storage.memory.HostBuffer;

/**
 * Is told of every change that a transaction makes to rows of the tables that it watches, whatever
 * way the change takes. No latch is held during a call.
 */
public interface ChangeWatch {
  boolean watches(int tableId);

  /** These rows, numbered one after the other, were inserted. */
  void inserted(int tableId, long firstRow, int n);

  /** These rows (i32[n]) are about to get new values of the columns. */
  void updating(int tableId, int tablet, HostBuffer rowsInTablet, int n, int[] columns);

  /** These rows (i32[n]) are about to be deleted. */
  void deleting(int tableId, int tablet, HostBuffer rowsInTablet, int n);

  /** What came after the savepoint of that number is undone. */
  void rolledBack(int savepoint);

  /** The transaction is about to commit; an error keeps it from that. */
  void beforeCommit();
}
