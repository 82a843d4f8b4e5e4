package io.gpdb.bench.crash;

import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
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
  /** One of this number of recoveries is looked at where nothing is left out. */
  private static final int PRETENDED_EVERY = 50;

  private final ProtocolSites sites;
  private final long states;
  private final boolean pretends;
  private Predicate<String> chosen = site -> true;

  /** What leaving a site out did; {@code violation} is null where nothing showed it. */
  record Omission(String site, @Nullable Violation violation) {
    boolean isCaught() {
      return violation != null;
    }
  }

  /** How what follows a recovery persists, where the database chooses by cost. */
  private static final List<Protocol> REQUESTS_OF_AUTO =
      List.of(Protocol.AUTO, Protocol.VERSIONED, Protocol.UNDO, Protocol.REDO);

  /**
   * @param states explored in each workload and recovery that reaches the site, at most
   */
  SiteOmissions(ProtocolSites sites, long states) {
    this(sites, states, false);
  }

  private SiteOmissions(ProtocolSites sites, long states, boolean pretends) {
    this.sites = sites;
    this.states = states;
    this.pretends = pretends;
  }

  /** The same explorations without a mistake: nothing is left out. */
  SiteOmissions pretended() {
    return new SiteOmissions(sites, states, true);
  }

  /** Leaves out only some of the sites. */
  SiteOmissions of(Predicate<String> sites) {
    chosen = sites;
    return this;
  }

  List<Omission> run(int threads) {
    List<Omission> omissions = new ArrayList<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      Map<String, Future<Omission>> running = new TreeMap<>();
      for (boolean longOnes : new boolean[] {true, false}) {
        sites.forEach(
            (site, where) -> {
              if (chosen.test(site) && where.isInRecoveries() == longOnes) {
                running.put(site, workers.submit(() -> leaveOut(site, where)));
              }
            });
      }
      running.values().forEach(omission -> omissions.add(Campaign.join(omission)));
    }
    return omissions;
  }

  /** First where hints say, when there are some; then everywhere. */
  private Omission leaveOut(String site, ProtocolSites.Occurrences where) {
    List<OmissionHint> hints = OmissionHint.of(sites.protocol(), site);
    Violation violation = pretends ? null : hunt(site, where.at(hints));
    return new Omission(site, violation == null ? hunt(site, where) : violation);
  }

  private @Nullable Violation hunt(String site, ProtocolSites.Occurrences where) {
    for (Map.Entry<Setting, Long> workload : where.workloads().entrySet()) {
      OmissionHunt hunt = new OmissionHunt(workload.getKey(), site, states, pretends);
      Violation violation = hunt.inWorkload(workload.getValue());
      if (violation != null) {
        return violation;
      }
    }
    Violation violation = inRecoveries(site, where.kills());
    return violation == null ? inRecoveries(site, where.crashes()) : violation;
  }

  private @Nullable Violation inRecoveries(String site, List<RecoveryStart> starts) {
    Protocol protocol = sites.protocol();
    List<Protocol> requests = protocol == Protocol.AUTO ? REQUESTS_OF_AUTO : List.of(protocol);
    int step = pretends ? PRETENDED_EVERY : 1; // nothing ends the hunt
    for (int i = 0; i < starts.size(); i += step) {
      RecoveryStart start = starts.get(i);
      for (Protocol requested : requests) {
        OmissionHunt hunt = new OmissionHunt(start.setting(), site, states, pretends);
        Violation violation = hunt.inRecovery(start, requested);
        if (violation != null) {
          return violation;
        }
      }
    }
    return null;
  }
}
