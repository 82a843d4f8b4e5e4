package io.gpdb.bench.crash;

import io.gpdb.txn.api.Protocol;
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
  /** One of this number of recoveries is looked at where nothing is left out. */
  private static final int PRETENDED_EVERY = 20;

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
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      Map<String, List<Future<Map<String, Violation>>>> running = new TreeMap<>();
      if (pretends) {
        pretend(workers, running);
      } else {
        leaveOut(workers, running);
      }
      List<Omission> omissions = new ArrayList<>();
      running.forEach((site, hunts) -> omissions.add(new Omission(site, violation(site, hunts))));
      return omissions;
    }
  }

  private static @Nullable Violation violation(
      String site, List<Future<Map<String, Violation>>> hunts) {
    for (Future<Map<String, Violation>> hunt : hunts) {
      Violation violation = Campaign.join(hunt).get(site);
      if (violation != null) {
        return violation;
      }
    }
    return null;
  }

  /** One task for each site, the long ones first. */
  private void leaveOut(
      ExecutorService workers, Map<String, List<Future<Map<String, Violation>>>> running) {
    for (boolean longOnes : new boolean[] {true, false}) {
      sites.forEach(
          (site, where) -> {
            if (chosen.test(site) && where.isInRecoveries() == longOnes) {
              running.put(site, List.of(workers.submit(() -> bySite(site, leaveOut(site, where)))));
            }
          });
    }
  }

  private static Map<String, Violation> bySite(String site, @Nullable Violation violation) {
    return violation == null ? Map.of() : Map.of(site, violation);
  }

  /** One run of each workload, looked at for all of the sites that it reaches. */
  private void pretend(
      ExecutorService workers, Map<String, List<Future<Map<String, Violation>>>> running) {
    Map<Setting, Map<String, Long>> workloads = new LinkedHashMap<>();
    sites.forEach(
        (site, where) -> {
          if (chosen.test(site)) {
            where
                .workloads()
                .forEach(
                    (setting, n) ->
                        workloads.computeIfAbsent(setting, s -> new TreeMap<>()).put(site, n));
            Future<Map<String, Violation>> recoveries =
                workers.submit(() -> bySite(site, inRecoveries(site, where)));
            at(running, site).add(recoveries);
          }
        });
    workloads.forEach(
        (setting, reached) -> {
          Future<Map<String, Violation>> hunt =
              workers.submit(() -> OmissionHunt.pretended(setting, reached, states).inWorkload());
          reached.keySet().forEach(site -> at(running, site).add(hunt));
        });
  }

  private static <T> List<T> at(Map<String, List<T>> lists, String site) {
    return lists.computeIfAbsent(site, s -> new ArrayList<>());
  }

  /** First where hints say, when there are some; then everywhere. */
  private @Nullable Violation leaveOut(String site, ProtocolSites.Occurrences where) {
    Violation violation = hunt(site, where.at(OmissionHint.of(sites.protocol(), site)));
    return violation == null ? hunt(site, where) : violation;
  }

  private @Nullable Violation hunt(String site, ProtocolSites.Occurrences where) {
    for (Map.Entry<Setting, Long> workload : where.workloads().entrySet()) {
      Violation violation =
          OmissionHunt.of(workload.getKey(), site, workload.getValue(), states)
              .inWorkload()
              .get(site);
      if (violation != null) {
        return violation;
      }
    }
    return inRecoveries(site, where);
  }

  private @Nullable Violation inRecoveries(String site, ProtocolSites.Occurrences where) {
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
        OmissionHunt hunt =
            pretends
                ? OmissionHunt.pretended(start.setting(), Map.of(site, 1L), states)
                : OmissionHunt.of(start.setting(), site, 1, states);
        Violation violation = hunt.inRecovery(start, requested);
        if (violation != null) {
          return violation;
        }
      }
    }
    return null;
  }
}
