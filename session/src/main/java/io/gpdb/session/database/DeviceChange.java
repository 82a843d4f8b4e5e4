package io.gpdb.session.database;

import io.gpdb.exec.Device;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.EngineThread;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opens a database on another device while its sessions go on: it is closed on the one, and opened
 * on the other, as two processes would do one after the other. Nothing that is in one device's
 * memory is brought to the other's but through the files (S1 to S4 in device-memory.md).
 */
final class DeviceChange {
  private static final System.Logger LOG = System.getLogger("io.gpdb");

  private final List<DatabaseUser> users;
  private final Supplier<Device> next;
  private final Supplier<DatabaseOnDevice> opened;
  private final Function<Device, DatabaseOnDevice> opening;
  private final Consumer<DatabaseOnDevice> changed;

  DeviceChange(
      List<DatabaseUser> users,
      Supplier<Device> next,
      Supplier<DatabaseOnDevice> opened,
      Function<Device, DatabaseOnDevice> opening,
      Consumer<DatabaseOnDevice> changed) {
    this.users = users;
    this.next = next;
    this.opened = opened;
    this.opening = opening;
    this.changed = changed;
  }

  /** Refuses at once where a session is at work or has something open. */
  void run() {
    List<DatabaseUser> held = new ArrayList<>();
    try {
      for (DatabaseUser user : users) {
        if (!user.hold()) {
          throw inUse("a statement that runs");
        }
        held.add(user);
        String what = user.inUse();
        if (what != null) {
          throw inUse(what);
        }
      }
      changeByOwnThread();
    } finally {
      held.forEach(DatabaseUser::letGo);
    }
  }

  private static GpdbException inUse(String what) {
    return new GpdbException(
        ErrorCode.DATABASE_IN_USE,
        "SET device while a connection to the database has " + what + "; try again after its end");
  }

  /** The caller's thread works for a statement, with that device's memory, and may be stopped. */
  private void changeByOwnThread() {
    FutureTask<@Nullable Void> task =
        new FutureTask<>(
            () -> {
              change();
              return null;
            });
    EngineThread.start("gpdb-device", task).awaitEnd();
    if (task.state() == Future.State.FAILED) {
      switch (task.exceptionNow()) {
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case Throwable e -> throw new IllegalStateException(e);
      }
    }
  }

  private void change() {
    DatabaseOnDevice before = opened.get();
    boolean vacuums = before.engine().vacuum().isEnabled();
    Device device = next.get();
    try {
      closeOrLeave(before);
      reopen(device, vacuums);
    } catch (RuntimeException | Error e) {
      device.close();
      goBack(before.device(), vacuums, e);
      throw e;
    }
    closeDevice(before.device());
  }

  /**
   * A device that has failed lets nothing be brought to the files, and cannot be gone back to. What
   * is committed is in the log: the next opening recovers it.
   */
  private static void closeOrLeave(DatabaseOnDevice before) {
    try {
      before.close();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "SET device: left for recovery what could not be closed", e);
    }
  }

  /** By then the database is on the other. */
  private static void closeDevice(Device device) {
    try {
      device.close();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "SET device: the device before could not be closed", e);
    }
  }

  private void reopen(Device device, boolean vacuums) {
    DatabaseOnDevice now = opening.apply(device);
    now.engine().vacuum().enable(vacuums);
    changed.accept(now);
  }

  /** Where that fails, too, statements are told that the database is closed. */
  private void goBack(Device device, boolean vacuums, Throwable why) {
    try {
      reopen(device, vacuums);
    } catch (RuntimeException | Error e) {
      why.addSuppressed(e);
    }
  }
}
