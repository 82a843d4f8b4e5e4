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
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An open database with all that belongs to it: storage, device, transactions, planner. */
public final class Database implements AutoCloseable {
  static {
    QuietLogs.begin();
  }

  private final DatabaseOptions options;
  private final StorageDirectory directory;
  private final boolean isNew;
  private final List<DatabaseUser> users = new ArrayList<>();
  private volatile DatabaseOnDevice opened;
  private DeviceChoice choice;

  private Database(
      DatabaseOptions options, StorageDirectory directory, boolean isNew, DatabaseOnDevice opened) {
    this.options = options;
    this.directory = directory;
    this.isNew = isNew;
    this.opened = opened;
    choice = options.device();
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
        boolean isNew = directory.names().isEmpty();
        DatabaseOnDevice opened = DatabaseOnDevice.open(options, directory, device);
        dropTemporary(options, opened);
        return new Database(options, directory, isNew, opened);
      } catch (RuntimeException | Error e) {
        device.close();
        throw e;
      }
    } catch (RuntimeException | Error e) {
      directory.close();
      throw e;
    }
  }

  /** Those of sessions that did not end before their process. */
  private static void dropTemporary(DatabaseOptions options, DatabaseOnDevice opened) {
    if (options.transactions().readOnly()) {
      return;
    }
    try {
      opened.catalog().schemas().dropTemporary(opened.transactions());
    } catch (RuntimeException | Error e) {
      opened.close();
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
  void requireSame(DatabaseOptions others) {
    if (!others.agreesWith(transactions().options())) {
      throw new GpdbException(
          ErrorCode.DATABASE_IN_USE,
          others.place()
              + " is open in this process with other options: "
              + transactions().options());
    }
  }

  public TransactionManager transactions() {
    return opened.transactions();
  }

  /** What statements work with; {@code memory_limit} limits it. */
  public MemoryAccount memory() {
    return transactions().workMemory();
  }

  public Catalog catalog() {
    return opened.catalog();
  }

  public QueryEngine engine() {
    return opened.engine();
  }

  /** Waits while the device is being changed. */
  public synchronized void join(DatabaseUser user) {
    users.add(user);
  }

  public synchronized void leave(DatabaseUser user) {
    users.remove(user);
  }

  /** Whether those transactions ended because the database was opened on another device. */
  public synchronized boolean replaces(TransactionManager earlier) {
    return !transactions().equals(earlier);
  }

  /**
   * Opens the database on the device of that name, or on the one that it was first opened on, as
   * {@link DeviceChange} says.
   */
  public synchronized void changeDevice(@Nullable String name) {
    DeviceChoice first = options.device();
    DeviceChoice next =
        name == null ? first : DeviceChoice.of(name, first.host(), first.hostRows());
    // The emulated device cannot have failed.
    if (next.equals(choice) && next.kind() == DeviceChoice.Kind.EMULATED) {
      return;
    }
    changeDevice(next::open);
    choice = next;
  }

  /** As {@link #changeDevice(String)}; the device is the database's from then on. */
  public synchronized void changeDevice(Supplier<Device> next) {
    if (options.place().inMemory()) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "SET device in a database that is in memory only: the URL says which device it is on");
    }
    new DeviceChange(users, next, () -> opened, this::open, changed -> opened = changed).run();
  }

  private DatabaseOnDevice open(Device device) {
    return DatabaseOnDevice.open(options, directory, device);
  }

  @Override
  public void close() {
    DatabaseOnDevice last = opened;
    try (directory;
        Device _ = last.device()) {
      last.close();
    }
  }
}
