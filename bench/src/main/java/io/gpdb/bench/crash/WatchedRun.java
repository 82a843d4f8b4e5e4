package io.gpdb.bench.crash;

import io.gpdb.exec.Device;
import io.gpdb.simulation.explore.ExploringDevice;
import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.txn.api.Protocol;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One run of a workload on a crashable medium. Its watcher is called before every act: every store,
 * flush, drain, growth and change of names, and every persistent effect of a kernel.
 */
final class WatchedRun {
  private static final long SALT = 1_000_003;

  private final Setting setting;
  private final StateCheck check;
  private final UnaryOperator<Device> deviceWrapper;
  private final WatchedMedium medium;
  private final ProcessDeath death = new ProcessDeath();
  private volatile @Nullable ModelledDatabase db;
  private volatile boolean ended;

  /** Called before every act, by one thread at a time. */
  interface Acts {
    void before(Supplier<String> place);
  }

  /** Ends the workload where nothing more is to be learned. */
  private static final class Enough extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Enough() {
      super("enough", null, false, false);
    }
  }

  /**
   * @param deviceWrapper what the database sees of the device
   */
  WatchedRun(Setting setting, StateCheck check, UnaryOperator<Device> deviceWrapper) {
    this(setting, check, deviceWrapper, WatchedMedium.of(new CrashableDirectory(setting.unit())));
  }

  /**
   * @param medium which is closed after the run
   */
  WatchedRun(
      Setting setting,
      StateCheck check,
      UnaryOperator<Device> deviceWrapper,
      WatchedMedium medium) {
    this.setting = setting;
    this.check = check;
    this.deviceWrapper = deviceWrapper;
    this.medium = medium;
  }

  /** All that a crash at this moment could leave. */
  CrashPoint capture() {
    medium.refresh();
    return medium.crashable().capture();
  }

  /** What must be there. */
  Contents acknowledged() {
    ModelledDatabase database = db;
    return database == null ? Contents.EMPTY : database.acknowledged();
  }

  /** What may be there instead. */
  List<Contents> committing() {
    ModelledDatabase database = db;
    return database == null ? List.of() : database.committing();
  }

  static void listen(CrashableDirectory medium, @Nullable Acts acts) {
    medium.listener(
        acts == null
            ? null
            : (act, memory, offset, bytes) -> acts.before(() -> act + " " + memory + ":" + offset));
  }

  /**
   * @param memory of databases that are opened on the device
   */
  static Device device(Setting setting, Acts acts, DeviceMemory memory) {
    return new ExploringDevice(
        setting.seed(),
        (effect, kernel, block, warp, buffer, offset) ->
            acts.before(
                () ->
                    (effect + " " + kernel + ", block " + block + ", warp " + warp)
                        + (", " + buffer + ":" + offset)),
        memory);
  }

  /** Once: the medium is closed afterwards. */
  void run(Acts watcher) {
    Acts acts =
        place -> {
          awaitTurn();
          watched(watcher, place);
        };
    listen(medium.crashable(), acts);
    try (Device device = deviceWrapper.apply(device(setting, acts, HostMemory.INSTANCE))) {
      ModelledDatabase database =
          new ModelledDatabase(
              () -> check.open(medium.directory(), device),
              setting.seed() * SALT,
              setting.protocol() == Protocol.REDO, // others write outside the log before
              death);
      db = database;
      setting.workload().run(database, new Random(setting.seed()));
      database.close();
      acts.before(() -> "the end");
    } catch (RuntimeException e) {
      if (!ended) {
        throw e;
      }
    } finally {
      medium.crashable().listener(null);
      ModelledDatabase left = db;
      if (left != null && ended) {
        left.abandon();
      }
      db = null;
      medium.close();
    }
  }

  /** One act at a time, and none after the end: some databases write with several threads. */
  private synchronized void watched(Acts watcher, Supplier<String> place) {
    endIfEnded();
    death.beforeAct(place);
    watcher.before(place);
    endIfEnded();
  }

  private void awaitTurn() {
    ModelledDatabase database = db;
    if (database != null) {
      database.awaitTurn();
    }
  }

  /** Ends the workload when the watcher returns. */
  void end() {
    ended = true;
  }

  /** Every further act of the database fails too, so that it ends. */
  private void endIfEnded() {
    if (ended) {
      throw new Enough();
    }
  }
}
