package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashUnit;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Explores every workload with every log and on both sorts of medium for some protocols, round
 * after round with new seeds, until that number of different states were seen. Each exploration is
 * one task.
 */
final class Campaign {
  /** States wanted of one exploration; its workload runs twice for them. */
  private static final long STATES_OF_ONE_MAX = 2000;

  /** Explorations that find nothing new any more end a protocol. */
  private static final int ROUNDS_MAX = 10_000;

  private final List<Protocol> protocols;
  private final long states;
  private final long seed;
  private final int threads;

  Campaign(List<Protocol> protocols, long states, long seed, int threads) {
    this.protocols = protocols;
    this.states = states;
    this.seed = seed;
    this.threads = threads;
  }

  List<ProtocolReport> run() {
    return run(report -> {});
  }

  /**
   * @param explored takes each report when it is complete
   */
  List<ProtocolReport> run(Consumer<ProtocolReport> explored) {
    List<ProtocolReport> reports = new ArrayList<>();
    try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
      for (Protocol protocol : protocols) {
        ProtocolReport report = explore(protocol, workers);
        reports.add(report);
        explored.accept(report);
      }
    }
    return reports;
  }

  private ProtocolReport explore(Protocol protocol, ExecutorService workers) {
    ProtocolReport report = new ProtocolReport(protocol);
    long wanted = Math.max(1, states / protocols.size());
    for (int round = 0; round < ROUNDS_MAX && report.states() < wanted; round++) {
      List<Setting> settings = settings(protocol, seed + round);
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < settings.size(); i++) {
        Setting setting = settings.get(i);
        int left = settings.size() - i;
        running.add(
            workers.submit(
                () -> {
                  long missing = (wanted - report.states()) / left + 1;
                  if (missing > 1) {
                    long share = Math.min(missing, STATES_OF_ONE_MAX);
                    report.add(explore(setting, Math.ceilDiv(share, setting.workload().cost())));
                  }
                }));
      }
      running.forEach(Campaign::join);
    }
    return report;
  }

  private ExplorationReport explore(Setting setting, long share) {
    try {
      return new Exploration(setting, UnaryOperator.identity()).run(share);
    } catch (RuntimeException | Error e) {
      throw new IllegalStateException(
          "failed, once more by --replay %s --states %d".formatted(setting, share), e);
    }
  }

  static <T> T join(Future<T> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while exploring", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /**
   * All of one round; the fixed workloads have other values in each. Any three of protocol, log,
   * unit and workload meet in it, and all four in two rounds. Those with fewer states come first:
   * what they leave of their share goes to the others.
   */
  static List<Setting> settings(Protocol protocol, long seed) {
    List<Setting> settings = new ArrayList<>();
    List<CrashUnit> units = List.of(CrashUnit.SECTOR, CrashUnit.LINE);
    List<Workload> workloads = List.of(Workload.values());
    LogKind[] logs = LogKind.values();
    long turn = seed + List.of(Protocol.values()).indexOf(protocol);
    for (int u = 0; u < units.size(); u++) {
      for (int w = 0; w < workloads.size(); w++) {
        Workload workload = workloads.get(w);
        if (workload.kills() && protocol.isBaseline()) {
          continue; // what a kill leaves of a baseline is no state to go on from
        }
        LogKind log = logs[Math.floorMod(turn + w + u, logs.length)];
        settings.add(new Setting(protocol, log, units.get(u), workload, seed));
      }
    }
    return settings;
  }
}
