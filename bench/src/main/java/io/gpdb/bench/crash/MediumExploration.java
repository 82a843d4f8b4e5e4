package io.gpdb.bench.crash;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Explores workloads of one process on a medium of the caller's. */
public final class MediumExploration {
  private MediumExploration() {}

  /** What was found. */
  public record Outcome(long states, long acts, List<String> violations) {}

  /** Those in which nobody is killed and acts follow one another. */
  public static List<String> workloads() {
    return Arrays.stream(Workload.values())
        .filter(w -> !w.kills() && w.cost() == 1 && !w.isConcurrent())
        .map(Workload::name)
        .toList();
  }

  /** The device of every database, in place of the one that reports each effect of a kernel. */
  private static Device ordinary(Device exploring) {
    exploring.close();
    return new EmulatedDevice(new EmulatedOptions(EmulatedOptions.Mode.AUTO, 1, false));
  }

  /** Runs one, twice, on media of its own, and looks at about that number of states. */
  public static Outcome run(
      Protocol protocol,
      CrashUnit unit,
      String workload,
      long seed,
      long states,
      Supplier<WatchedMedium> media) {
    LogKind log = seed % 2 == 0 ? LogKind.CONVENTIONAL : LogKind.HCL;
    Setting setting = new Setting(protocol, log, unit, Workload.valueOf(workload), seed);
    ExplorationReport report =
        new Exploration(
                setting, UnaryOperator.identity(), MediumExploration::ordinary, media, media)
            .run(states);
    return new Outcome(
        report.states, report.acts, report.violations.stream().map(Violation::toString).toList());
  }
}
