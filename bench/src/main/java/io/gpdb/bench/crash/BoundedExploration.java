package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/** Explorations of a given number of states, by name, for developers of the engine. */
public final class BoundedExploration {
  private BoundedExploration() {}

  /**
   * The settings to explore: each workload under each protocol that promises atomicity, the logs
   * and media in turn.
   */
  public static List<String> settings(long seed) {
    List<Protocol> atomic =
        Arrays.stream(Protocol.values()).filter(protocol -> !protocol.isBaseline()).toList();
    List<Workload> workloads = List.of(Workload.values());
    List<LogKind> logs = List.of(LogKind.values());
    List<String> settings = new ArrayList<>();
    for (int w = 0; w < workloads.size(); w++) {
      for (int p = 0; p < atomic.size(); p++) {
        int turn = w + p;
        LogKind log = logs.get(turn % logs.size());
        CrashUnit unit = (turn / 2) % 2 == 0 ? CrashUnit.LINE : CrashUnit.SECTOR;
        Setting setting = new Setting(atomic.get(p), log, unit, workloads.get(w), seed);
        settings.add(setting.toString());
      }
    }
    return settings;
  }

  /** Looks at about that number of states; the first violation, or an empty text. */
  public static String violation(String setting, long states) {
    Setting chosen = Setting.parse(setting);
    ExplorationReport report =
        new Exploration(chosen, UnaryOperator.identity())
            .untilFirstViolation()
            .run(Math.ceilDiv(states, chosen.workload().cost()));
    return report.violations.isEmpty() ? "" : report.violations.getFirst().toString();
  }
}
