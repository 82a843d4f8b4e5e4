package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.txn.TransactionManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What processes leave that are killed right before they make something durable: some of each sort
 * of place, evenly over a workload. A sort is the act and the one before it.
 */
final class KilledProcesses {
  /** Places up to there are distinguished when they begin a sector: headers and superblocks. */
  private static final int LAST_HEADER_AT = 4096;

  private static final int HEADER_STEP = 512;

  private final Setting setting;
  private final int ofSortMax;
  private final Random random;
  private final Map<String, Kills> sorts = new TreeMap<>();
  private String before = "";

  /** A moment, and what is there then. */
  private record Kill(
      String place, CrashPoint point, Contents acknowledged, List<Contents> committing) {
    private List<Contents> possible() {
      List<Contents> possible = new ArrayList<>(committing);
      possible.add(acknowledged);
      return possible;
    }

    private boolean isOf(PersistListener.Act act) {
      return place.startsWith(act.name());
    }

    /** Whether what the site does may be what was not done any more. */
    private boolean concerns(String site) {
      return isOf(PersistListener.Act.NAMES) == site.endsWith(SiteDirectory.SYNC_OF_NAMES);
    }
  }

  /** Of one sort: each as likely as the others. */
  private static final class Kills {
    private final List<Kill> kept = new ArrayList<>();
    private int n;

    /** Where the next one is to be kept; beyond what is kept when it is not. */
    private int place(Random random, int keptMax) {
      n++;
      return n <= keptMax ? n - 1 : random.nextInt(n);
    }
  }

  /**
   * @param ofSortMax kept of each sort, at most
   */
  KilledProcesses(Setting setting, int ofSortMax) {
    this.setting = setting;
    this.ofSortMax = ofSortMax;
    this.random = new Random(setting.seed());
  }

  /** Before an act of the workload. */
  void before(String place, WatchedRun run) {
    String sort = sort(place);
    if (persists(place)) {
      Kills kills = sorts.computeIfAbsent(before + ", " + sort, s -> new Kills());
      int at = kills.place(random, ofSortMax);
      if (at < ofSortMax) {
        Kill kill = new Kill(place, run.capture(), run.acknowledged(), run.committing());
        if (at < kills.kept.size()) {
          kills.kept.set(at, kill);
        } else {
          kills.kept.add(kill);
        }
      }
    }
    before = sort;
  }

  private static boolean persists(String place) {
    return place.startsWith(PersistListener.Act.FLUSH.name())
        || place.startsWith(PersistListener.Act.DRAIN.name())
        || place.startsWith(PersistListener.Act.NAMES.name());
  }

  /** The act, the sort of file, and where among its headers it is. */
  private static String sort(String place) {
    int colon = place.lastIndexOf(':');
    String act = place.substring(0, Math.max(0, colon)).replaceAll("\\d+", "");
    long offset = colon < 0 ? 0 : Long.parseLong(place, colon + 1, place.length(), 10);
    boolean header = offset <= LAST_HEADER_AT && offset % HEADER_STEP == 0;
    return header ? act + ":" + offset : act;
  }

  /** The same moments, for crashes: each with what was being committed. */
  void forEach(BiConsumer<CrashPoint, List<Contents>> crash) {
    sorts.values().forEach(k -> k.kept.forEach(kill -> crash.accept(kill.point, kill.committing)));
  }

  /** States to open, by the sites that their opening reaches and that may concern them. */
  Map<String, List<RecoveryStart>> bySite() {
    Map<String, List<RecoveryStart>> bySite = new TreeMap<>();
    sorts.forEach(
        (moment, kills) -> {
          for (Kill kill : kills.kept) {
            PersistSites seen = new PersistSites();
            RecoveryStart start = opened(moment, kill, seen);
            seen.seen().keySet().stream()
                .filter(kill::concerns)
                .forEach(site -> bySite.computeIfAbsent(site, s -> new ArrayList<>()).add(start));
          }
        });
    return bySite;
  }

  private RecoveryStart opened(String moment, Kill kill, PersistSites seen) {
    StateCheck check =
        new StateCheck(setting.options(), directory -> new SiteDirectory(directory, seen));
    try (CrashableDirectory medium = kill.point.kill()) {
      TransactionManager manager = check.open(medium);
      Contents contents = Contents.of(manager);
      manager.abandon();
      return RecoveryStart.afterKill(setting, moment, kill.point, contents, kill.possible());
    }
  }
}
