package io.gpdb.bench.crash;

import io.gpdb.bench.crash.StateCheck.Found;
import io.gpdb.exec.Device;
import io.gpdb.simulation.medium.CrashChoice;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.Protocol;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Leaves one site out of a workload, or of a recovery, and looks for a crash that shows it: where
 * something else has just become durable or was acknowledged, and what was missed has not. Where
 * leaving out is pretended, one run is looked at for many sites: it is the same for all of them.
 */
final class OmissionHunt {
  private final Setting setting;
  private final Map<String, SiteWatch> watches = new TreeMap<>();
  private final StateCheck check;
  private final Map<Long, Found> known = new HashMap<>();

  private OmissionHunt(Setting setting, Map<String, Long> sites, long imagesMax, boolean pretends) {
    this.setting = setting;
    Map<String, Missed> missed = new TreeMap<>();
    sites.forEach(
        (site, omissions) -> {
          SiteWatch watch = new SiteWatch(omissions, imagesMax);
          watches.put(site, watch);
          missed.put(site, watch.missed);
        });
    PersistSites places = new PersistSites();
    this.check =
        new StateCheck(
            setting.options(), directory -> new SiteDirectory(directory, places, missed, pretends));
  }

  /**
   * @param omissions how often a workload reaches the site
   * @param imagesMax looked at, at most
   */
  static OmissionHunt of(Setting setting, String site, long omissions, long imagesMax) {
    return new OmissionHunt(setting, Map.of(site, omissions), imagesMax, false);
  }

  /**
   * What the sites do happens all the same: then nothing is to be found.
   *
   * @param sites and how often a workload reaches each
   */
  static OmissionHunt pretended(Setting setting, Map<String, Long> sites, long imagesMax) {
    return new OmissionHunt(setting, sites, imagesMax, true);
  }

  /** The workload without the site; violations by site. */
  Map<String, Violation> inWorkload() {
    WatchedRun run = new WatchedRun(setting, check, UnaryOperator.identity());
    run.run(
        act -> {
          String place = act.get();
          boolean ended = true;
          @Nullable CrashPoint point = null;
          for (SiteWatch watch : watches.values()) {
            if (!watch.hasEnded() && watch.isDue(place, run.acknowledged())) {
              point = point == null ? run.capture() : point;
              look(watch, point, place, run.acknowledged(), run.committing());
            }
            ended &= watch.hasEnded();
          }
          if (ended) {
            run.end();
          }
        });
    Map<String, Violation> violations = new TreeMap<>();
    watches.forEach(
        (site, watch) -> {
          Violation violation = watch.violation();
          if (violation != null) {
            violations.put(site, violation);
          }
        });
    return violations;
  }

  /**
   * A recovery without the site, and transactions after it.
   *
   * @param requested the protocol of these
   */
  @Nullable Violation inRecovery(RecoveryStart start, Protocol requested) {
    SiteWatch watch = watches.values().iterator().next();
    Expected expected = new Expected(start.contents(), start.possible());
    try (CrashableDirectory victim = start.medium().get()) {
      WatchedRun.Acts acts =
          act -> {
            String place = act.get();
            if (!watch.hasEnded() && watch.isDue(place, expected.acknowledged)) {
              look(watch, victim.capture(), place, expected.acknowledged, expected.committing);
            }
          };
      WatchedRun.listen(victim, acts);
      try (Device device = WatchedRun.device(setting, acts, StateCheck.MEMORY)) {
        TransactionManager manager = check.open(victim, device);
        expected.acknowledged(start.contents());
        if (!start.isAfterKill() || watch.missed.isPending(victim.capture())) {
          new FollowUp(start, requested).run(manager, expected);
        }
        acts.before(() -> "the end");
        manager.abandon();
      } finally {
        WatchedRun.listen(victim, null);
      }
    }
    return watch.violation();
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

  private void look(
      SiteWatch watch,
      CrashPoint point,
      String place,
      Contents acknowledged,
      List<Contents> committing) {
    if (!watch.missed.isPending(point)) {
      return; // other acts have made it durable
    }
    List<CrashChoice> choices = watch.missed.choices(setting.seed() * 31 + watch.acts());
    for (int i = 0; i < choices.size() && watch.violation() == null; i++) {
      CrashImage image = point.image(choices.get(i));
      long hash = image.hash();
      watch.looked(hash);
      Found found = known.computeIfAbsent(hash, h -> recover(image));
      boolean expected =
          found.contents().equals(acknowledged) || committing.contains(found.contents());
      if (!found.isWell() || !expected) {
        Violation.Fault fault = found.isWell() ? Violation.Fault.CONTENTS : found.fault();
        String problem =
            found.isWell() ? found.contents().differenceFrom(acknowledged) : found.problem();
        StatePath path = StatePath.START.then(watch.acts(), i);
        watch.violated(new Violation(setting, path, fault, place, problem));
      }
    }
  }

  /** With the site: an omission in there would be another one. */
  private Found recover(CrashImage image) {
    return check.seeing(UnaryOperator.identity()).recover(image);
  }
}
