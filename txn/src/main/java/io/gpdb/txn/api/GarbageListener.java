package io.gpdb.txn.api;

import io.gpdb.storage.table.TableGarbage;

/**
 * Hears of tables that have become garbage in good part. Called by the thread whose transaction has
 * just ended, last of all.
 */
@FunctionalInterface
public interface GarbageListener {
  void found(int tableId, TableGarbage garbage);
}
