package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the workloads bring about is what is explored. */
class WorkloadTest {
  private static Map<PersistListener.Act, Integer> acts(Setting setting) {
    Map<PersistListener.Act, Integer> acts = new EnumMap<>(PersistListener.Act.class);
    EmulatedOptions options = new EmulatedOptions(EmulatedOptions.Mode.AUTO, 1, false);
    try (CrashableDirectory medium = new CrashableDirectory(setting.unit());
        Device device = new EmulatedDevice(options)) {
      medium.listener((act, memory, offset, bytes) -> acts.merge(act, 1, Integer::sum));
      try (ModelledDatabase database =
          new ModelledDatabase(
              () -> TransactionManager.open(medium, device, setting.options()),
              7,
              true,
              new ProcessDeath())) {
        setting.workload().run(database, new Random(setting.seed()));
      }
    }
    return acts;
  }

  @ParameterizedTest
  @EnumSource(
      value = Protocol.class,
      names = {"REDO", "UNDO", "VERSIONED", "CHECKSUMMED"})
  void rewritesCutTheHomeFileAndLetItGrowAgain(Protocol protocol) {
    Map<PersistListener.Act, Integer> acts =
        acts(new Setting(protocol, LogKind.HCL, CrashUnit.LINE, Workload.REWRITES, 1));
    assertThat(acts.get(PersistListener.Act.SHRINK)).isNotNull().isPositive();
    assertThat(acts.keySet()).containsExactlyInAnyOrder(PersistListener.Act.values());
  }

  /** A log write of one thread while another one is in its sync of the log. */
  @Test
  void commitsTogetherAreWrittenWhileOthersAreSynced() {
    Setting setting =
        new Setting(Protocol.REDO, LogKind.HCL, CrashUnit.LINE, Workload.COMMITS_TOGETHER, 1);
    Set<Thread> syncing = new HashSet<>();
    int[] overlaps = {0};
    EmulatedOptions options = new EmulatedOptions(EmulatedOptions.Mode.AUTO, 1, false);
    AtomicReference<@Nullable ModelledDatabase> opened = new AtomicReference<>();
    try (CrashableDirectory medium = new CrashableDirectory(setting.unit());
        Device device = new EmulatedDevice(options)) {
      medium.listener(
          (act, memory, offset, bytes) -> {
            boolean ofLog = memory.startsWith("wal-");
            synchronized (syncing) {
              if (ofLog && act == PersistListener.Act.DRAIN) {
                syncing.add(Thread.currentThread());
              } else if (ofLog && act == PersistListener.Act.STORE && !syncing.isEmpty()) {
                overlaps[0]++;
              }
            }
            ModelledDatabase database = opened.get();
            if (database != null) {
              database.awaitTurn();
            }
            synchronized (syncing) {
              syncing.remove(Thread.currentThread());
            }
          });
      try (ModelledDatabase database =
          new ModelledDatabase(
              () -> TransactionManager.open(medium, device, setting.options()),
              7,
              true,
              new ProcessDeath())) {
        opened.set(database);
        setting.workload().run(database, new Random(setting.seed()));
      }
    }
    assertThat(overlaps[0]).isPositive();
  }

  /**
   * One thread syncs the log between two acts of another one on the home file: where threads meet
   * is not the same in each run, so that several may be needed.
   */
  @ParameterizedTest
  @EnumSource(
      value = Workload.class,
      names = {"CHECKPOINTS_BESIDE", "GROWTH"})
  void commitsFallBetweenTheActsOfACheckpoint(Workload workload) {
    assertThat(LongStream.range(7, 17).anyMatch(seed -> commitsBetweenActs(workload, seed) > 0))
        .isTrue();
  }

  private static int commitsBetweenActs(Workload workload, long seed) {
    Setting setting = new Setting(Protocol.REDO, LogKind.HCL, CrashUnit.LINE, workload, seed);
    StateCheck check = new StateCheck(setting.options(), UnaryOperator.identity());
    WatchedMedium medium = WatchedMedium.of(CrashableDirectory.uncrashable(setting.unit()));
    AtomicReference<@Nullable Thread> writer = new AtomicReference<>();
    AtomicInteger synced = new AtomicInteger();
    AtomicInteger between = new AtomicInteger();
    new WatchedRun(setting, check, UnaryOperator.identity(), medium)
        .run(
            place -> {
              Thread own = Thread.currentThread();
              if (place.get().contains(" home.gpdb")) {
                boolean goesOn = own.equals(writer.getAndSet(own));
                between.addAndGet(goesOn ? synced.get() : 0);
                synced.set(0);
              } else if (place.get().startsWith("DRAIN wal-")) {
                synced.addAndGet(own.equals(writer.get()) ? 0 : 1);
              }
            });
    return between.get();
  }
}
