package io.gpdb.bench.faults;

import io.gpdb.simulation.medium.FaultyDirectory.Fault;
import io.gpdb.txn.api.LogKind;
import io.gpdb.txn.api.Protocol;
import java.io.IOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A campaign: a number of faults, the same ones for the same seed. They are shared among the
 * protocols, the sorts (bits and files after a close and after a kill), and the two logs.
 */
final class FaultsRun {
  private static final int STEPS = 10;
  private static final long TIMEOUT_SECONDS = 60;
  private static final Set<Fault> GROWTH = Set.of(Fault.GROW);
  private static final Set<Fault> WRITES = Set.of(Fault.STORE, Fault.DRAIN);

  /** Of a database that was closed, or killed: bits, cuts, deletions; and three of one at work. */
  static final int ROWS_PER_PROTOCOL = 3 + 2 * 3;

  private final long seed;
  private final Map<String, FaultTally> tallies = new LinkedHashMap<>();
  private final Map<FaultSort, Integer> totals = new EnumMap<>(FaultSort.class);

  FaultsRun(long seed) {
    this.seed = seed;
  }

  /** By protocol and sort. */
  Map<String, FaultTally> tallies() {
    return tallies;
  }

  /** How many of each sort were injected. */
  Map<FaultSort, Integer> totals() {
    return totals;
  }

  /** Injects about that number of faults; more where each file of a database is deleted once. */
  void run(int count) throws IOException {
    int rows = ROWS_PER_PROTOCOL * FaultSetting.protocols().size() * LogKind.values().length;
    int each = Math.max(1, count / rows);
    try (ExecutorService watched =
        Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory())) {
      for (Protocol protocol : FaultSetting.protocols()) {
        for (LogKind log : LogKind.values()) {
          new Injections(new FaultSetting(protocol, log), watched).run(each);
        }
      }
    }
  }

  /** One fault, the i-th of its sort; returns what came of it. */
  private interface Injection {
    String inject(int i) throws IOException;
  }

  /** The faults of one setting. */
  private final class Injections {
    private final FaultSetting setting;
    private final ExecutorService watched;
    private final FaultWorkload workload = new FaultWorkload(seed, STEPS);
    private final Random random;

    Injections(FaultSetting setting, ExecutorService watched) {
      this.setting = setting;
      this.watched = watched;
      random = new Random(seed + setting.toString().hashCode());
    }

    void run(int each) throws IOException {
      WriteFaults faults = new WriteFaults(setting, workload);
      int growths = faults.acts(GROWTH);
      inject(
          FaultSort.DISK_FULL,
          "",
          each,
          i -> faults.diskFull(i % growths, i / growths % 3 == 0 ? 0 : i / growths));
      int writes = faults.acts(WRITES);
      int step = Math.max(1, writes / each);
      inject(
          FaultSort.FAILED_WRITE,
          "",
          each,
          i -> faults.ioError((i * step + i * step / writes) % writes, i % 3));
      try (ShortWriteFaults parts = new ShortWriteFaults(setting, workload, faults)) {
        inject(
            FaultSort.SHORT_WRITE,
            "",
            each,
            i -> i % 2 == 0 ? parts.takesNothingMore(random) : parts.goneOnWith(random));
      }
      damage(false, each);
      damage(true, each);
    }

    private void damage(boolean killed, int each) throws IOException {
      String when = killed ? " after a kill" : " after a close";
      try (BitFlips flips = new BitFlips(setting, workload, killed);
          FileDamage damage = new FileDamage(setting, workload, killed)) {
        inject(FaultSort.FLIPPED_BIT, when, each, i -> flips.flip(random));
        inject(FaultSort.CUT_FILE, when, each, i -> damage.cut(random));
        int files = damage.files().size();
        inject(FaultSort.DELETED_FILE, when, files, i -> damage.delete(damage.files().get(i)));
      }
    }

    private void inject(FaultSort sort, String when, int count, Injection injection) {
      String row = "%s, %s%s".formatted(setting.protocol().word(), sort.text(), when);
      FaultTally tally = tallies.computeIfAbsent(row, n -> new FaultTally());
      for (int i = 0; i < count; i++) {
        int number = i;
        tally.count(inTime(() -> injection.inject(number), setting + ", " + sort.text() + when));
        totals.merge(sort, 1, Integer::sum);
      }
    }

    private String inTime(Callable<String> fault, String what) {
      try {
        return watched.submit(fault).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Violation v ? v : new Violation(what, e.getCause());
      } catch (TimeoutException e) {
        throw new Violation(what + " does not end", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new Violation(what, e);
      }
    }
  }
}
