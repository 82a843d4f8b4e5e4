package io.gpdb.session.database;

import io.gpdb.exec.Device;
import io.gpdb.planner.QueryEngine;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.txn.TransactionManager;

/**
 * What of an open database depends on the device that its kernels run on: its tables are in that
 * device's memory, its plans are bound to it. The device stays the caller's.
 */
record DatabaseOnDevice(
    Device device, TransactionManager transactions, Catalog catalog, QueryEngine engine) {

  static DatabaseOnDevice open(DatabaseOptions options, StorageDirectory directory, Device device) {
    TransactionManager transactions =
        TransactionManager.open(directory, device, options.transactions());
    try {
      Long memoryLimit = options.memoryLimit();
      if (memoryLimit != null) {
        transactions.limitMemory(memoryLimit);
      }
      Catalog catalog = Catalog.open(transactions);
      QueryEngine engine = new QueryEngine(transactions, catalog, device, options.engine());
      return new DatabaseOnDevice(device, transactions, catalog, engine);
    } catch (RuntimeException | Error e) {
      transactions.close();
      throw e;
    }
  }

  /** Brings the files up to what is committed and closes them; again, it does nothing. */
  void close() {
    try (transactions) {
      engine.close();
      closeCatalog();
    }
  }

  /** A database that takes no transactions any more closes without what the catalog would add. */
  private void closeCatalog() {
    try {
      catalog.close();
    } catch (GpdbException e) {
      System.getLogger("io.gpdb").log(System.Logger.Level.DEBUG, "the catalog's last words", e);
    }
  }
}
