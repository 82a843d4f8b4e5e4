package io.gpdb.txn;

import io.gpdb.storage.TableGarbage;

/**
 * Hears of tables that have become garbage in good part. Called by the thread whose transaction has
 * just ended, last of all.
 */
@FunctionalInterface
public interface GarbageListener {
  void found(int tableId, TableGarbage garbage);
}
