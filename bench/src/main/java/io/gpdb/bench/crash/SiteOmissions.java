package io.gpdb.bench.crash;

import io.gpdb.storage.CrashUnit;
import io.gpdb.txn.LogKind;
import io.gpdb.txn.Protocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Leaves every place that flushes, drains or syncs names out, one at a time, and explores whether a
 * crash shows it. A site that nothing shows is redundant, or beyond what the workloads do.
 */
final class SiteOmissions {
  private static final List<Workload> WORKLOADS =
      List.of(
          Workload.STATEMENTS,
          Workload.LOG_FILES,
          Workload.ROLLBACKS,
          Workload.CHECKPOINTS,
          Workload.TABLES);

  private final Protocol protocol;
  private final long states;
  private final long seed;

  /** What leaving a site out did; {@code violation} is null where nothing showed it. */
  record Omission(String site, @Nullable Violation violation) {
    boolean isCaught() {
      return violation != null;
    }
  }

  /**
   * @param states explored in each workload that reaches the site, at most
   */
  SiteOmissions(Protocol protocol, long states, long seed) {
    this.protocol = protocol;
    this.states = states;
    this.seed = seed;
  }

  List<Omission> run(int threads) {
    Map<String, List<Setting>> sites = sites();
    Map<String, Future<Omission>> running = new LinkedHashMap<>();
    List<Omission> omissions = new ArrayList<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      sites.forEach(
          (site, settings) -> running.put(site, workers.submit(() -> leaveOut(site, settings))));
      running.values().forEach(omission -> omissions.add(Campaign.join(omission)));
    }
    return omissions;
  }

  /** Which settings reach which site, in recoveries too. */
  private Map<String, List<Setting>> sites() {
    Map<String, List<Setting>> sites = new TreeMap<>();
    for (Workload workload : WORKLOADS) {
      Setting setting = new Setting(protocol, LogKind.HCL, CrashUnit.LINE, workload, seed);
      PersistSites seen = new PersistSites(null);
      new Exploration(setting, directory -> new SiteDirectory(directory, seen)).run(60);
      for (String site : seen.seen()) {
        sites.computeIfAbsent(site, s -> new ArrayList<>()).add(setting);
      }
    }
    return sites;
  }

  private Omission leaveOut(String site, List<Setting> settings) {
    for (Setting setting : settings) {
      PersistSites without = new PersistSites(site);
      ExplorationReport report =
          new Exploration(setting, directory -> new SiteDirectory(directory, without))
              .untilFirstViolation(without::omissions)
              .run(states);
      if (!report.violations.isEmpty()) {
        return new Omission(site, report.violations.getFirst());
      }
    }
    return new Omission(site, null);
  }
}
