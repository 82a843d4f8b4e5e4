package io.gpdb.jdbc;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.planner.QueryEngine;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.TransactionManager;
import java.sql.SQLException;

/** An open database with all that belongs to it: storage, device, transactions, planner. */
final class Database implements AutoCloseable {
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
  boolean isNew() {
    return isNew;
  }

  static Database open(JdbcUrl url) throws SQLException {
    QueryEngine.warmUp();
    StorageDirectory directory = directory(url);
    try {
      Device device = new EmulatedDevice(url.deviceOptions());
      try {
        return open(url, directory, device);
      } catch (SQLException | RuntimeException | Error e) {
        device.close();
        throw e;
      }
    } catch (SQLException | RuntimeException | Error e) {
      directory.close();
      throw e;
    }
  }

  private static Database open(JdbcUrl url, StorageDirectory directory, Device device)
      throws SQLException {
    boolean isNew = directory.names().isEmpty();
    TransactionManager transactions = TransactionManager.open(directory, device, url.txnOptions());
    try {
      Long memoryLimit = url.memoryLimit();
      if (memoryLimit != null) {
        transactions.limitMemory(memoryLimit);
      }
      Catalog catalog = Catalog.open(transactions);
      QueryEngine engine = new QueryEngine(transactions, catalog, device, url.engineOptions());
      return new Database(directory, device, transactions, catalog, engine, isNew);
    } catch (RuntimeException | Error e) {
      transactions.close();
      throw e;
    }
  }

  private static StorageDirectory directory(JdbcUrl url) throws SQLException {
    if (url.memory()) {
      return new VolatileDirectory(url.place());
    }
    return url.readOnly()
        ? FileDirectory.openReadOnly(url.path())
        : FileDirectory.open(url.path(), url.create());
  }

  /** A second connection may leave options out, but not ask for others. */
  void requireSameOptions(JdbcUrl url) throws SQLException {
    var asked = url.txnOptions();
    var given = transactions.options();
    boolean same =
        (!url.options().containsKey(JdbcUrl.PROTOCOL) || asked.protocol() == given.protocol())
            && (!url.options().containsKey(JdbcUrl.LOG) || asked.log() == given.log())
            && (asked.readOnly() == given.readOnly()
                || !url.options().containsKey(JdbcUrl.READ_ONLY));
    if (!same) {
      throw SqlErrors.of(
          ErrorCode.DATABASE_IN_USE,
          url.place() + " is open in this process with other options: " + given);
    }
  }

  TransactionManager transactions() {
    return transactions;
  }

  Catalog catalog() {
    return catalog;
  }

  QueryEngine engine() {
    return engine;
  }

  @Override
  public void close() {
    try (directory;
        device) {
      engine.close();
      transactions.close();
    }
  }
}
