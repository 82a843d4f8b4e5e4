package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;

/** The sites that the workloads of a protocol and their recoveries reach, and where. */
final class ProtocolSites {
  private final Protocol protocol;
  private final Map<String, Occurrences> sites = new TreeMap<>();

  /**
   * Where a site is reached.
   *
   * @param workloads how often by each
   * @param kills what a killed process left and whose opening reaches the site
   * @param crashes states whose recovery reaches the site
   */
  record Occurrences(
      Map<Setting, Long> workloads, List<RecoveryStart> kills, List<RecoveryStart> crashes) {
    boolean isInRecoveries() {
      return !kills.isEmpty() || !crashes.isEmpty();
    }

    /** Those that one of the hints names. */
    Occurrences at(List<OmissionHint> hints) {
      Map<Setting, Long> hinted = new LinkedHashMap<>(workloads);
      hinted.keySet().removeIf(setting -> hints.stream().noneMatch(h -> h.names(setting, "")));
      List<RecoveryStart> starts =
          kills.stream()
              .filter(k -> hints.stream().anyMatch(h -> h.names(k.setting(), k.moment())))
              .toList();
      return new Occurrences(hinted, starts, List.of());
    }

    private boolean isEmpty() {
      return workloads.isEmpty() && !isInRecoveries();
    }

    private static Occurrences none() {
      return new Occurrences(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  private ProtocolSites(Protocol protocol) {
    this.protocol = protocol;
  }

  static ProtocolSites of(Protocol protocol, long seed, SiteCensus.Sample sample, int threads) {
    ProtocolSites sites = new ProtocolSites(protocol);
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      List<Future<SiteCensus>> running = new ArrayList<>();
      for (Setting setting : settings(protocol, seed)) {
        running.add(workers.submit(() -> SiteCensus.of(setting, sample)));
      }
      running.forEach(census -> sites.add(Campaign.join(census)));
    }
    return sites;
  }

  private static List<Setting> settings(Protocol protocol, long seed) {
    List<Setting> settings = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      if (workload.isConcurrent()) {
        continue; // its threads reach the sites in no order that an omission can be counted by
      }
      if (workload == Workload.GROWTH) {
        continue; // it reaches no other sites, in ten times the time
      }
      settings.add(new Setting(protocol, LogKind.HCL, CrashUnit.LINE, workload, seed));
    }
    for (Workload workload : List.of(Workload.STATEMENTS, Workload.ROLLBACKS)) {
      settings.add(new Setting(protocol, LogKind.CONVENTIONAL, CrashUnit.LINE, workload, seed));
    }
    return settings;
  }

  private void add(SiteCensus census) {
    census.inWorkload().forEach((site, n) -> at(site).workloads.put(census.setting(), n));
    census.inRecoveries().forEach((site, starts) -> at(site).crashes.addAll(starts));
    census.afterKills().forEach((site, starts) -> at(site).kills.addAll(starts));
  }

  private Occurrences at(String site) {
    return sites.computeIfAbsent(site, s -> Occurrences.none());
  }

  Protocol protocol() {
    return protocol;
  }

  /** Hints that name nothing that is there: they are out of date. */
  List<OmissionHint> idleHints() {
    List<OmissionHint> idle = new ArrayList<>(OmissionHint.of(protocol));
    sites.forEach(
        (site, where) ->
            idle.removeIf(hint -> hint.isOf(site) && !where.at(List.of(hint)).isEmpty()));
    return idle;
  }

  /** In the order of their names. */
  void forEach(BiConsumer<String, Occurrences> seen) {
    sites.forEach(seen);
  }
}
