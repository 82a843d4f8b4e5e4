package io.gpdb.bench.powerloss;

import io.gpdb.bench.crash.MediumExploration;
import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.List;

/** Every workload of one process on recorded files, torn at sectors and at pages. */
public final class PowerLossRun {
  private static final int VIOLATIONS_MAX = 20;

  private final Protocol protocol;
  private final long seed;
  private final List<String> violations = new ArrayList<>();
  private long states;
  private long acts;

  public PowerLossRun(Protocol protocol, long seed) {
    this.protocol = protocol;
    this.seed = seed;
  }

  /** Explores about that number of states, an equal share of each workload and unit. */
  public PowerLossRun run(long wanted) {
    List<String> workloads = MediumExploration.workloads();
    CrashUnit[] units = {CrashUnit.SECTOR, CrashUnit.PAGE};
    long share = Math.max(1, wanted / units.length / workloads.size());
    for (String workload : workloads) {
      for (CrashUnit unit : units) {
        if (violations.size() < VIOLATIONS_MAX) {
          explore(workload, unit, share);
        }
      }
    }
    return this;
  }

  /** Explores about that number of states of one workload. */
  public PowerLossRun run(String workload, long wanted) {
    explore(workload, CrashUnit.SECTOR, wanted);
    return this;
  }

  private void explore(String workload, CrashUnit unit, long share) {
    MediumExploration.Outcome outcome =
        MediumExploration.run(
            protocol, unit, workload, seed, share, () -> new RecordedMedium(unit));
    states += outcome.states();
    acts += outcome.acts();
    violations.addAll(outcome.violations());
  }

  public long states() {
    return states;
  }

  public long acts() {
    return acts;
  }

  public List<String> violations() {
    return violations;
  }

  /** For loaders of classes that were changed: how many violations a run finds. */
  public static int violationsOf(String protocol, String workload, long seed, long states) {
    return new PowerLossRun(Protocol.valueOf(protocol), seed)
        .run(workload, states)
        .violations
        .size();
  }
}
