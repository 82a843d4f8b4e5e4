package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Explorations of a given number of states, by name, for those who change the engine. */
public final class BoundedExploration {
  private BoundedExploration() {}

  /**
   * The settings to explore: each workload under each protocol that promises atomicity, the logs
   * and media in turn.
   */
  public static List<String> settings(long seed) {
    List<Protocol> atomic =
        Arrays.stream(Protocol.values()).filter(protocol -> !protocol.isBaseline()).toList();
    List<String> settings = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      for (Protocol protocol : atomic) {
        int turn = workload.ordinal() + protocol.ordinal();
        LogKind log = LogKind.values()[turn % LogKind.values().length];
        CrashUnit unit = (turn / 2) % 2 == 0 ? CrashUnit.LINE : CrashUnit.SECTOR;
        settings.add(new Setting(protocol, log, unit, workload, seed).toString());
      }
    }
    return settings;
  }

  /** Looks at about so many states; the first violation, or an empty text. */
  public static String violation(String setting, long states) {
    Setting chosen = Setting.parse(setting);
    ExplorationReport report =
        new Exploration(chosen, UnaryOperator.identity())
            .untilFirstViolation()
            .run(Math.ceilDiv(states, chosen.workload().cost()));
    return report.violations.isEmpty() ? "" : report.violations.getFirst().toString();
  }
}
