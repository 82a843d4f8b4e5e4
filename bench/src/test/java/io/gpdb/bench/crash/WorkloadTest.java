package io.gpdb.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.storage.CrashUnit;
import io.gpdb.storage.CrashableDirectory;
import io.gpdb.storage.PersistListener;
import io.gpdb.txn.LogKind;
import io.gpdb.txn.Protocol;
import io.gpdb.txn.TransactionManager;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the workloads bring about is what is explored. */
class WorkloadTest {
  private static Map<PersistListener.Act, Integer> acts(Setting setting) {
    Map<PersistListener.Act, Integer> acts = new EnumMap<>(PersistListener.Act.class);
    EmulatedOptions options = new EmulatedOptions(EmulatedOptions.Mode.AUTO, 1, false);
    try (CrashableDirectory medium = new CrashableDirectory(setting.unit());
        Device device = Device.emulated(options)) {
      medium.listener((act, memory, offset, bytes) -> acts.merge(act, 1, Integer::sum));
      try (ModelledDatabase database =
          new ModelledDatabase(
              () -> TransactionManager.open(medium, device, setting.options()), 7)) {
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
}
