package io.gpdb.bench.faults;

import io.gpdb.bench.faults.FaultWorkload.Step;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.FaultyDirectory;
import io.gpdb.simulation.medium.FaultyDirectory.Fault;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A disk that is full at the k-th growth, and writes and syncs that fail at the k-th: a full disk
 * fails a statement or a commit, and with space the database goes on; an I/O error poisons it until
 * it is opened anew, and then every acknowledged transaction is there, and the one in doubt whole
 * or not at all.
 */
final class WriteFaults {
  private static final int REPAIRS_MAX = 100;

  private final FaultSetting setting;
  private final FaultWorkload workload;

  WriteFaults(FaultSetting setting, FaultWorkload workload) {
    this.setting = setting;
    this.workload = workload;
  }

  /** How many acts of these sorts the workload has when nothing fails. */
  int acts(Set<Fault> faults) {
    int[] seen = {0};
    FaultyDirectory directory = new FaultyDirectory(new CrashableDirectory());
    try (directory) {
      directory.failWhen(
          act -> {
            seen[0] += faults.contains(act.fault()) ? 1 : 0;
            return false;
          });
      try (FaultyEngine engine = new FaultyEngine(directory, setting)) {
        for (Step step : workload.steps()) {
          step.run(engine);
        }
        expect(engine.rows(), List.of(workload.steps().getLast().after()), "without a fault");
      }
    }
    return seen[0];
  }

  /** The predicate that fails the k-th act of these sorts, and {@code more} after it. */
  private static Predicate<FaultyDirectory.Act> failing(Set<Fault> faults, int k, int more) {
    int[] seen = {0};
    return act -> {
      if (!faults.contains(act.fault())) {
        return false;
      }
      int number = seen[0]++;
      return number >= k && number <= k + more;
    };
  }

  /** The disk is full at the k-th growth and for some growths after it, then has space again. */
  String diskFull(int k, int more) {
    String place = "%s, full at growth %d to %d".formatted(setting, k, k + more);
    FaultyDirectory directory = new FaultyDirectory(new CrashableDirectory());
    int failures = 0;
    try (directory) {
      directory.failWhen(failing(Set.of(Fault.GROW), k, more));
      FaultyEngine engine = null;
      while (engine == null) {
        try {
          engine = new FaultyEngine(directory, setting);
        } catch (GpdbException e) {
          failures = fullOnly(e, failures, place);
        }
      }
      Map<Long, String> before = Map.of();
      for (Step step : workload.steps()) {
        for (boolean done = false; !done; ) {
          try {
            step.run(engine);
            done = true;
          } catch (GpdbException e) {
            failures = fullOnly(e, failures, place);
            expect(engine.rows(), List.of(before), place + ", after a failed statement");
          }
        }
        before = step.after();
      }
      expect(engine.rows(), List.of(before), place);
      try {
        engine.close();
      } catch (GpdbException e) {
        failures = fullOnly(e, failures, place);
      }
      directory.failWhen(act -> false);
      verify(directory.inner(), List.of(before), place + ", reopened");
      return failures == 0 ? "did without" : "failed and went on";
    }
  }

  private static int fullOnly(GpdbException e, int failures, String place) {
    if (e.code() != ErrorCode.DISK_FULL || failures > REPAIRS_MAX) {
      throw new Violation(place, e);
    }
    return failures + 1;
  }

  /** The k-th write or sync fails; that number of halves of a failed write arrive. */
  String ioError(int k, int halves) {
    String[] failed = {""};
    CrashableDirectory medium = new CrashableDirectory();
    FaultyDirectory directory = new FaultyDirectory(medium);
    try (directory) {
      directory.failedStoresLeave(halves);
      Predicate<FaultyDirectory.Act> chosen = failing(Set.of(Fault.STORE, Fault.DRAIN), k, 0);
      directory.failWhen(
          act -> {
            boolean fails = chosen.test(act);
            failed[0] = fails ? act.toString() : failed[0];
            return fails;
          });
      List<Map<Long, String>> allowed = failing(directory, "%s, act %d".formatted(setting, k));
      String place = "%s, act %d fails: %s, halves=%d".formatted(setting, k, failed[0], halves);
      directory.failWhen(act -> false);
      List<CrashChoice> choices =
          List.of(CrashChoice.keepAll(), CrashChoice.keepNothing(), CrashChoice.random(k));
      for (CrashChoice choice : choices) {
        try (CrashableDirectory left = medium.crash(choice)) {
          verify(left, allowed, place + ", crash choice " + choices.indexOf(choice));
        }
      }
      return poisoned(allowed);
    }
  }

  static String poisoned(List<Map<Long, String>> allowed) {
    return allowed.size() == 1 ? "poisoned, nothing in doubt" : "poisoned, one in doubt";
  }

  /** Runs until the failure shows; the states that a reopened database may have. */
  List<Map<Long, String>> failing(StorageDirectory directory, String place) {
    Map<Long, String> before = Map.of();
    List<Map<Long, String>> allowed = new ArrayList<>();
    FaultyEngine engine;
    try {
      engine = new FaultyEngine(directory, setting);
    } catch (GpdbException e) {
      failedOnly(e, place);
      return List.of(before);
    }
    try {
      for (Step step : workload.steps()) {
        allowed.clear();
        allowed.add(before);
        allowed.add(step.after());
        step.run(engine);
        before = step.after();
      }
      allowed = List.of(before);
      engine.close();
      return allowed;
    } catch (GpdbException e) {
      failedOnly(e, place);
    }
    try {
      engine.run(List.of("INSERT INTO t VALUES (-1, 0, 'after')"));
      throw new Violation(place + ": the database goes on after a failed write or sync");
    } catch (GpdbException e) {
      failedOnly(e, place);
    }
    engine.manager().abandon();
    return allowed.stream().distinct().toList();
  }

  private static void failedOnly(GpdbException e, String place) {
    if (!List.of(ErrorCode.IO_ERROR, ErrorCode.POISONED, ErrorCode.CLOSED).contains(e.code())) {
      throw new Violation(place, e);
    }
  }

  /** Opens what the fault has left, which must work and hold one of these states. */
  void verify(StorageDirectory directory, List<Map<Long, String>> allowed, String place) {
    try (FaultyEngine engine = new FaultyEngine(directory, setting)) {
      expect(engine.rows(), allowed, place);
      List<String> problems = engine.manager().space().check();
      if (!problems.isEmpty()) {
        throw new Violation(place + ": check says " + problems);
      }
    } catch (GpdbException e) {
      throw new Violation(place + ", reopened", e);
    }
  }

  static void expect(Map<Long, String> found, List<Map<Long, String>> allowed, String place) {
    if (!allowed.contains(found)) {
      StringBuilder differences = new StringBuilder();
      allowed.forEach(state -> differences.append("; ").append(difference(found, state)));
      throw new Violation(
          "%s: %d rows found, none of the %d states allowed%s"
              .formatted(place, found.size(), allowed.size(), differences));
    }
  }

  private static String difference(Map<Long, String> found, Map<Long, String> state) {
    Set<Long> ids = new TreeSet<>(found.keySet());
    ids.addAll(state.keySet());
    ids.removeIf(id -> Objects.equals(found.get(id), state.get(id)));
    long first = ids.isEmpty() ? -1 : ids.iterator().next();
    return "%d of %d rows differ, id=%d is %s, not %s"
        .formatted(ids.size(), state.size(), first, found.get(first), state.get(first));
  }
}
