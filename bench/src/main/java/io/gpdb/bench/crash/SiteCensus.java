package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashStates;
import io.gpdb.storage.column.KeyHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Which sites a workload reaches, and which the recoveries from its crashes and kills. */
final class SiteCensus {
  private static final int SAMPLED = 6;
  private static final int STARTS_OF_SITE_MAX = 8;

  private final Setting setting;
  private final Sample sample;
  private final Random random;
  private final PersistSites workload = new PersistSites();
  private final Map<String, List<RecoveryStart>> recoveries = new TreeMap<>();
  private final Map<String, Integer> count = new TreeMap<>();
  private final Set<Long> known = new HashSet<>();
  private final KilledProcesses killed;
  private Map<String, List<RecoveryStart>> afterKills = Map.of();

  /**
   * How many recoveries a census opens.
   *
   * @param crashedEvery one of this number of acts is crashed
   * @param killsOfSortMax right before each sort of act that makes something durable, at most
   */
  record Sample(int crashedEvery, int killsOfSortMax) {
    static final Sample LARGE = new Sample(20, 5);
    static final Sample SMALL = new Sample(60, 2);
  }

  private SiteCensus(Setting setting, Sample sample) {
    this.setting = setting;
    this.sample = sample;
    this.random = new Random(setting.seed());
    this.killed = new KilledProcesses(setting, sample.killsOfSortMax);
  }

  static SiteCensus of(Setting setting, Sample sample) {
    SiteCensus census = new SiteCensus(setting, sample);
    census.run();
    return census;
  }

  Setting setting() {
    return setting;
  }

  /** How often the workload reaches each site. */
  Map<String, Long> inWorkload() {
    return workload.seen();
  }

  /** States whose recovery reaches the site. */
  Map<String, List<RecoveryStart>> inRecoveries() {
    return recoveries;
  }

  /** What a process left that was killed, and whose opening reaches the site. */
  Map<String, List<RecoveryStart>> afterKills() {
    return afterKills;
  }

  private void run() {
    StateCheck check =
        new StateCheck(setting.options(), directory -> new SiteDirectory(directory, workload));
    WatchedRun run = new WatchedRun(setting, check, UnaryOperator.identity());
    run.run(
        place -> {
          killed.before(place.get(), run);
          if (random.nextInt(sample.crashedEvery) == 0) {
            crash(run.capture(), run.committing());
          }
        });
    killed.forEach(this::crash);
    afterKills = killed.bySite();
  }

  /** One image of the sample, and one of which each memory survives as a whole or not at all. */
  private void crash(CrashPoint point, List<Contents> committing) {
    Contents interrupted = committing.isEmpty() ? null : committing.getLast();
    List<int[]> images =
        CrashStates.of(point, CrashStates.ENUMERATED_MAX, SAMPLED, random.nextLong());
    note(point.image(images.get(random.nextInt(images.size()))), interrupted);
    long coins = random.nextLong();
    note(
        point.image(
            (memory, offset, candidates) ->
                KeyHash.combine(coins, memory.hashCode()) % 2 == 0 ? 0 : candidates - 1),
        interrupted);
  }

  private void note(CrashImage image, @Nullable Contents committing) {
    if (!known.add(image.hash())) {
      return;
    }
    PersistSites seen = new PersistSites();
    Contents contents =
        new StateCheck(setting.options(), directory -> new SiteDirectory(directory, seen))
            .contents(image);
    RecoveryStart start = RecoveryStart.afterCrash(setting, image, contents, committing);
    for (String site : seen.seen().keySet()) {
      List<RecoveryStart> starts = recoveries.computeIfAbsent(site, s -> new ArrayList<>());
      int n = count.merge(site, 1, Integer::sum);
      if (starts.size() < STARTS_OF_SITE_MAX) {
        starts.add(start);
      } else {
        int replaced = random.nextInt(n); // each of them as likely as the others
        if (replaced < STARTS_OF_SITE_MAX) {
          starts.set(replaced, start);
        }
      }
    }
  }
}
