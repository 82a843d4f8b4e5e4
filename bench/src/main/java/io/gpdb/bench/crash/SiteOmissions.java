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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Leaves every place that flushes, drains or syncs names out, one at a time, and explores whether a
 * crash shows it. A site that nothing shows is redundant, or beyond what the workloads do.
 */
final class SiteOmissions {
  /** So many of the recoveries are looked at where nothing is left out. */
  private static final int PRETENDED_EVERY = 50;

  private final Protocol protocol;
  private final long states;
  private final long seed;
  private final boolean pretends;
  private Predicate<String> chosen = site -> true;

  /** What leaving a site out did; {@code violation} is null where nothing showed it. */
  record Omission(String site, @Nullable Violation violation) {
    boolean isCaught() {
      return violation != null;
    }
  }

  /** Where a site is come to: how often by which workloads, and in which recoveries. */
  private static final class Occurrences {
    private final Map<Setting, Long> workloads = new LinkedHashMap<>();
    private final List<RecoveryStart> kills = new ArrayList<>();
    private final List<RecoveryStart> crashes = new ArrayList<>();
  }

  /** How what follows a recovery persists, where the database chooses by cost. */
  private static final List<Protocol> WISHES_OF_AUTO =
      List.of(Protocol.AUTO, Protocol.VERSIONED, Protocol.UNDO, Protocol.REDO);

  /**
   * @param states explored in each workload and recovery that reaches the site, at most
   */
  SiteOmissions(Protocol protocol, long states, long seed) {
    this(protocol, states, seed, false);
  }

  private SiteOmissions(Protocol protocol, long states, long seed, boolean pretends) {
    this.protocol = protocol;
    this.states = states;
    this.seed = seed;
    this.pretends = pretends;
  }

  /** The same explorations without a mistake: nothing is left out. */
  SiteOmissions pretended() {
    return new SiteOmissions(protocol, states, seed, true);
  }

  /** Leaves out only some of the sites. */
  SiteOmissions of(Predicate<String> sites) {
    chosen = sites;
    return this;
  }

  List<Omission> run(int threads) {
    List<Omission> omissions = new ArrayList<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      Map<String, Occurrences> sites = sites(workers);
      sites.keySet().removeIf(chosen.negate());
      Map<String, Future<Omission>> running = new LinkedHashMap<>();
      sites.forEach(
          (site, where) -> running.put(site, workers.submit(() -> leaveOut(site, where))));
      running.values().forEach(omission -> omissions.add(Campaign.join(omission)));
    }
    return omissions;
  }

  private List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      if (workload == Workload.COMMITS_TOGETHER) {
        continue; // its threads come to the sites in no order that an omission can be counted by
      }
      if (workload == Workload.GROWTH) {
        continue; // it comes to no other sites, in ten times the time
      }
      settings.add(new Setting(protocol, LogKind.HCL, CrashUnit.LINE, workload, seed));
    }
    for (Workload workload : List.of(Workload.STATEMENTS, Workload.ROLLBACKS)) {
      settings.add(new Setting(protocol, LogKind.CONVENTIONAL, CrashUnit.LINE, workload, seed));
    }
    return settings;
  }

  private Map<String, Occurrences> sites(ExecutorService workers) {
    List<Future<SiteCensus>> running = new ArrayList<>();
    for (Setting setting : settings()) {
      running.add(workers.submit(() -> SiteCensus.of(setting)));
    }
    Map<String, Occurrences> sites = new TreeMap<>();
    for (Future<SiteCensus> task : running) {
      SiteCensus census = Campaign.join(task);
      census.inWorkload().forEach((site, n) -> at(sites, site).workloads.put(census.setting(), n));
      census.inRecoveries().forEach((site, starts) -> at(sites, site).crashes.addAll(starts));
      census.afterKills().forEach((site, starts) -> at(sites, site).kills.addAll(starts));
    }
    return sites;
  }

  private static Occurrences at(Map<String, Occurrences> sites, String site) {
    return sites.computeIfAbsent(site, s -> new Occurrences());
  }

  private Omission leaveOut(String site, Occurrences where) {
    for (Map.Entry<Setting, Long> workload : where.workloads.entrySet()) {
      OmissionHunt hunt = new OmissionHunt(workload.getKey(), site, states, pretends);
      Violation violation = hunt.inWorkload(workload.getValue());
      if (violation != null) {
        return new Omission(site, violation);
      }
    }
    Violation violation = inRecoveries(site, where.kills);
    return new Omission(site, violation == null ? inRecoveries(site, where.crashes) : violation);
  }

  private @Nullable Violation inRecoveries(String site, List<RecoveryStart> starts) {
    int step = pretends ? PRETENDED_EVERY : 1; // nothing ends the hunt
    for (int i = 0; i < starts.size(); i += step) {
      RecoveryStart start = starts.get(i);
      for (Protocol wish : protocol == Protocol.AUTO ? WISHES_OF_AUTO : List.of(protocol)) {
        OmissionHunt hunt = new OmissionHunt(start.setting(), site, states, pretends);
        Violation violation = hunt.inRecovery(start, wish);
        if (violation != null) {
          return violation;
        }
      }
    }
    return null;
  }
}
