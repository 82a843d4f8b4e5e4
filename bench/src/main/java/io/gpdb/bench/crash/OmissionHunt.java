package io.gpdb.bench.crash;

import io.gpdb.bench.crash.StateCheck.Found;
import io.gpdb.exec.Device;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.simulation.medium.PersistListener;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Leaves one site out of a workload, or of a recovery, and looks for a crash that shows it: where
 * something else has just become durable or was acknowledged, and what was missed has not.
 */
final class OmissionHunt {
  /** How many acts that were left out are followed, evenly over the workload. */
  private static final int WINDOWS = 10;

  private static final int LOOKS_MAX = 120;
  private static final int ACTS_AFTER = 2;

  private final Setting setting;
  private final PersistSites sites;
  private final Missed missed = new Missed();
  private final StateCheck check;
  private final Map<Long, Found> known = new HashMap<>();
  private final long imagesMax;
  private long images;
  private long acts;
  private long missedBefore;
  private long windowEvery = 1;
  private long nextWindow;
  private int looksOfWindow = LOOKS_MAX;
  private int looksLeft;
  private int looks;
  private long closeUntil;
  private boolean persisted;
  private Contents acknowledgedBefore = Contents.EMPTY;
  private @Nullable Violation violation;

  /**
   * @param imagesMax looked at, at most
   * @param pretends whether the site's acts happen all the same: then nothing is to be found
   */
  OmissionHunt(Setting setting, String site, long imagesMax, boolean pretends) {
    this.setting = setting;
    this.sites = new PersistSites(site);
    this.imagesMax = imagesMax;
    this.check =
        new StateCheck(
            setting.options(), directory -> new SiteDirectory(directory, sites, missed, pretends));
  }

  /**
   * The workload without the site.
   *
   * @param omissions how often it reaches the site
   */
  @Nullable Violation inWorkload(long omissions) {
    windowEvery = Math.max(1, omissions / WINDOWS);
    looksOfWindow = LOOKS_MAX / Math.clamp(omissions, 1, WINDOWS);
    WatchedRun run = new WatchedRun(setting, check, UnaryOperator.identity());
    run.run(
        act -> {
          String place = act.get();
          if (isDue(place, run.acknowledged())) {
            look(run.capture(), place, run.acknowledged(), run.committing());
          }
          if (violation != null || images >= imagesMax) {
            run.end();
          }
        });
    return violation;
  }

  /**
   * A recovery without the site, and transactions after it.
   *
   * @param requested the protocol of these
   */
  @Nullable Violation inRecovery(RecoveryStart start, Protocol requested) {
    Expected expected = new Expected(start.contents(), start.possible());
    try (CrashableDirectory victim = start.medium().get()) {
      WatchedRun.Acts acts =
          act -> {
            String place = act.get();
            if (images < imagesMax && violation == null && isDue(place, expected.acknowledged)) {
              look(victim.capture(), place, expected.acknowledged, expected.committing);
            }
          };
      WatchedRun.listen(victim, acts);
      try (Device device = WatchedRun.device(setting, acts)) {
        TransactionManager manager = check.open(victim, device);
        expected.acknowledged(start.contents());
        if (!start.isAfterKill() || missed.isPending(victim.capture())) {
          new FollowUp(start, requested).run(manager, expected);
        }
        acts.before(() -> "the end");
        manager.abandon();
      } finally {
        WatchedRun.listen(victim, null);
      }
    }
    return violation;
  }

  /** What a crash of a recovery, and of the transaction after it, may leave. */
  static final class Expected {
    private volatile Contents acknowledged;
    private volatile List<Contents> committing;

    /**
     * @param possible until one of them is acknowledged
     */
    Expected(Contents acknowledged, List<Contents> possible) {
      this.acknowledged = acknowledged;
      this.committing = possible;
    }

    void committing(Contents after) {
      committing = List.of(after);
    }

    void acknowledged(Contents after) {
      acknowledged = after;
      committing = List.of();
    }
  }

  /**
   * Right after an omission; before other things are drained, when all of them may be lost or not;
   * after that, when none of them is; when a commit was acknowledged.
   */
  @SuppressWarnings("ReferenceEquality") // each commit makes a new map
  private boolean isDue(String place, Contents acknowledged) {
    acts++;
    long count = missed.count();
    if (count > missedBefore) {
      missedBefore = count;
      if (count > nextWindow) {
        nextWindow += windowEvery;
        looksLeft = looksOfWindow;
        closeUntil = acts + ACTS_AFTER;
      }
    }
    boolean newCommit = acknowledged.tables() != acknowledgedBefore.tables();
    acknowledgedBefore = acknowledged;
    boolean persists =
        place.startsWith(PersistListener.Act.DRAIN.name())
            || place.startsWith(PersistListener.Act.NAMES.name());
    boolean due = acts < closeUntil || persists || persisted || newCommit;
    persisted = persists;
    return count > 0 && due && looksLeft-- > 0;
  }

  private void look(
      CrashPoint point, String place, Contents acknowledged, List<Contents> committing) {
    if (!missed.isPending(point)) {
      return; // other acts have made it durable
    }
    looks++;
    List<CrashChoice> choices = missed.choices(setting.seed() * 31 + acts);
    for (int i = 0; i < choices.size() && violation == null; i++) {
      CrashImage image = point.image(choices.get(i));
      Found found = known.computeIfAbsent(image.hash(), hash -> recover(image));
      boolean expected =
          found.contents().equals(acknowledged) || committing.contains(found.contents());
      if (!found.isWell() || !expected) {
        Violation.Fault fault = found.isWell() ? Violation.Fault.CONTENTS : found.fault();
        String problem =
            found.isWell() ? found.contents().differenceFrom(acknowledged) : found.problem();
        StatePath path = StatePath.START.then(acts, i);
        violation = new Violation(setting, path, fault, place, problem);
      }
    }
  }

  @Override
  public String toString() {
    return "looks=%d, images=%d, acts=%d".formatted(looks, images, acts);
  }

  /** With the site: an omission in there would be another one. */
  private Found recover(CrashImage image) {
    images++;
    return check.seeing(UnaryOperator.identity()).recover(image);
  }
}
