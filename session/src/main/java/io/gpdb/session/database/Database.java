package io.gpdb.session.database;

import io.gpdb.exec.Device;
import io.gpdb.planner.QueryEngine;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.TransactionManager;

/** An open database with all that belongs to it: storage, device, transactions, planner. */
public final class Database implements AutoCloseable {
  static {
    QuietLogs.begin();
  }

  private final StorageDirectory directory;
  private final Device device;
  private final TransactionManager transactions;
  private final Catalog catalog;
  private final QueryEngine engine;
  private final boolean isNew;

  private Database(
      StorageDirectory directory,
      Device device,
      TransactionManager transactions,
      Catalog catalog,
      QueryEngine engine,
      boolean isNew) {
    this.directory = directory;
    this.device = device;
    this.transactions = transactions;
    this.catalog = catalog;
    this.engine = engine;
    this.isNew = isNew;
  }

  /** Whether there was no database here before it was opened. */
  public boolean isNew() {
    return isNew;
  }

  static Database open(DatabaseOptions options) {
    StorageDirectory directory = directory(options);
    try {
      Device device = options.device().open();
      try {
        return open(options, directory, device);
      } catch (RuntimeException | Error e) {
        device.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      directory.close();
      throw e;
    }
  }

  private static Database open(DatabaseOptions options, StorageDirectory directory, Device device) {
    boolean isNew = directory.names().isEmpty();
    TransactionManager transactions =
        TransactionManager.open(directory, device, options.transactions());
    try {
      Long memoryLimit = options.memoryLimit();
      if (memoryLimit != null) {
        transactions.limitMemory(memoryLimit);
      }
      Catalog catalog = Catalog.open(transactions);
      if (!options.transactions().readOnly()) {
        catalog.schemas().dropTemporary(transactions);
      }
      QueryEngine engine = new QueryEngine(transactions, catalog, device, options.engine());
      return new Database(directory, device, transactions, catalog, engine, isNew);
    } catch (RuntimeException | Error e) {
      transactions.close();
      throw e;
    }
  }

  private static StorageDirectory directory(DatabaseOptions options) {
    DatabasePlace place = options.place();
    if (place.inMemory()) {
      return new VolatileDirectory(place.text());
    }
    return options.transactions().readOnly()
        ? FileDirectory.openReadOnly(place.path())
        : FileDirectory.open(place.path(), options.create());
  }

  /** A second connection may leave options out, but not ask for others. */
  void requireSame(DatabaseOptions options) {
    if (!options.agreesWith(transactions.options())) {
      throw new GpdbException(
          ErrorCode.DATABASE_IN_USE,
          options.place()
              + " is open in this process with other options: "
              + transactions.options());
    }
  }

  public TransactionManager transactions() {
    return transactions;
  }

  /** What statements work with; {@code memory_limit} limits it. */
  public MemoryAccount memory() {
    return transactions.workMemory();
  }

  public Catalog catalog() {
    return catalog;
  }

  public QueryEngine engine() {
    return engine;
  }

  @Override
  public void close() {
    try (directory;
        device) {
      engine.close();
      closeCatalog();
      transactions.close();
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
