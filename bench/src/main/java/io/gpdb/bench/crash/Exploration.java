package io.gpdb.bench.crash;

import io.gpdb.bench.crash.StateCheck.Found;
import io.gpdb.exec.Device;
import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashStates;
import io.gpdb.simulation.medium.CrashableDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Runs one workload and lets the power fail before its acts: every store, flush, drain, growth and
 * change of names, and every persistent effect of a kernel. What is left is recovered, read,
 * verified and compared with the model; and while it is recovered the power fails again.
 */
final class Exploration {
  /** The number of images of one point that are looked at. */
  private static final int SAMPLED = 62;

  /** One of this number of states is written to, and one is crashed in its recovery. */
  private static final int GOES_ON_EVERY = 16;

  private static final int RECOVERY_EVERY = 8;
  private static final int RECOVERY_EVERY_THOROUGH = 3;
  private static final int RECOVERY_DEPTH_MAX = 3;
  private static final int RECOVERY_STATES_MAX = 24;
  private static final int VIOLATIONS_MAX = 20;

  private final Setting setting;
  private final UnaryOperator<Device> deviceWrapper;
  private final Supplier<WatchedMedium> mediaToCount;
  private final StateCheck check;
  private final ExplorationReport report;
  private final Map<Long, Long> known = new HashMap<>();
  private final WatchedRun run;
  private double statesPerAct;
  private double credit;
  private long acts;
  private int recoveryEvery = RECOVERY_EVERY;
  private boolean stopAtFirst;

  /**
   * @param wrapper what the database sees of the medium
   */
  Exploration(Setting setting, UnaryOperator<StorageDirectory> wrapper) {
    this(setting, wrapper, UnaryOperator.identity());
  }

  /**
   * @param deviceWrapper what the database sees of the device while it is crashed
   */
  Exploration(
      Setting setting,
      UnaryOperator<StorageDirectory> wrapper,
      UnaryOperator<Device> deviceWrapper) {
    this(
        setting,
        wrapper,
        deviceWrapper,
        () -> WatchedMedium.of(new CrashableDirectory(setting.unit())),
        () -> WatchedMedium.of(CrashableDirectory.uncrashable(setting.unit())));
  }

  /**
   * @param media one for each run of the workload
   * @param mediaToCount one for each run in which its acts are counted and none of them crashed
   */
  Exploration(
      Setting setting,
      UnaryOperator<StorageDirectory> wrapper,
      UnaryOperator<Device> deviceWrapper,
      Supplier<WatchedMedium> media,
      Supplier<WatchedMedium> mediaToCount) {
    this.setting = setting;
    this.deviceWrapper = deviceWrapper;
    this.mediaToCount = mediaToCount;
    this.check = new StateCheck(setting.options(), wrapper);
    this.report = new ExplorationReport(setting);
    this.run = new WatchedRun(setting, check, deviceWrapper, media.get());
  }

  /** Ends at the first violation; more states are crashed in their recovery. */
  Exploration untilFirstViolation() {
    stopAtFirst = true;
    recoveryEvery = RECOVERY_EVERY_THOROUGH;
    return this;
  }

  /** Explores about that number of different states. */
  ExplorationReport run(long states) {
    return run(states, countActs());
  }

  /**
   * @param expectedActs over which the states are spread
   */
  ExplorationReport run(long states, long expectedActs) {
    long start = System.nanoTime();
    statesPerAct = (double) states / Math.max(1, expectedActs);
    run.run(this::before);
    report.acts = acts;
    report.nanos = System.nanoTime() - start;
    return report;
  }

  /** Runs the workload for its acts alone. */
  long countActs() {
    long[] count = {0};
    new WatchedRun(setting, check, deviceWrapper, mediaToCount.get()).run(place -> count[0]++);
    return count[0];
  }

  private void before(Supplier<String> place) {
    acts++;
    credit += statesPerAct;
    if (credit < 1) {
      return;
    }
    explore(run.capture(), StatePath.START, acts, place.get(), expectation());
    if (report.violations.size() >= (stopAtFirst ? 1 : VIOLATIONS_MAX)) {
      run.end();
    }
  }

  /** What a state may hold: what is acknowledged, or others; in recovery, exactly one. */
  private record Expectation(Contents acknowledged, Set<Long> digests) {
    static Expectation of(Contents acknowledged, List<Contents> committing) {
      Set<Long> digests = new HashSet<>();
      digests.add(acknowledged.digest());
      committing.forEach(other -> digests.add(other.digest()));
      return new Expectation(acknowledged, digests);
    }

    boolean isMetBy(long contentsDigest) {
      return digests.contains(contentsDigest);
    }
  }

  private Expectation expectation() {
    return Expectation.of(run.acknowledged(), run.committing());
  }

  private void explore(
      CrashPoint point, StatePath from, long act, String place, Expectation expected) {
    List<int[]> images = images(point, act);
    for (int i = 0; i < images.size() && credit >= 1; i++) {
      StatePath path = from.then(act, i);
      if (state(point.image(images.get(i)), path, place, expected)) {
        credit--;
      }
    }
    credit = Math.min(credit, statesPerAct + SAMPLED);
  }

  private List<int[]> images(CrashPoint point, long act) {
    return CrashStates.of(point, CrashStates.ENUMERATED_MAX, SAMPLED, setting.seed() * 31 + act);
  }

  /** Looks at one state; false when an equal one was recovered before. */
  private boolean state(CrashImage image, StatePath path, String place, Expectation expected) {
    long hash = image.hash();
    Long before = known.get(hash);
    if (before != null) {
      report.duplicates++;
      if (!expected.isMetBy(before)) {
        Found again = check.recover(image);
        judge(again, again.contents().digest(), path, place, expected);
      }
      return false;
    }
    Found found = check.recover(image);
    long digest = found.contents().digest();
    report.states++;
    known.put(hash, digest);
    if (judge(found, digest, path, place, expected)) {
      if (report.states % GOES_ON_EVERY == 0) {
        String problem = check.goesOn(image);
        if (!problem.isEmpty()) {
          violation(path, Violation.Fault.GOES_ON, place, problem);
        }
      }
      if (report.states % recoveryEvery == 0 && path.depth() < RECOVERY_DEPTH_MAX) {
        crashInRecovery(image, path, place, Expectation.of(found.contents(), List.of()));
      }
    }
    return true;
  }

  private boolean judge(
      Found found, long contentsDigest, StatePath path, String place, Expectation expected) {
    if (!found.isWell()) {
      violation(path, found.fault(), place, found.problem());
      return false;
    }
    if (!expected.isMetBy(contentsDigest)) {
      Violation.Fault fault =
          path.depth() == 1 ? Violation.Fault.CONTENTS : Violation.Fault.RECOVERY;
      violation(path, fault, place, found.contents().differenceFrom(expected.acknowledged));
      return false;
    }
    return true;
  }

  private void violation(StatePath path, Violation.Fault fault, String place, String message) {
    report.violations.add(new Violation(setting, path, fault, place, message));
  }

  /** Recovers once more, and lets the power fail before some acts of that. */
  private void crashInRecovery(
      CrashImage image, StatePath path, String place, Expectation expected) {
    Random random = new Random(setting.seed() * 31 + report.states);
    List<Runnable> later = new ArrayList<>();
    recovering(
        image,
        (victim, act, inner) -> {
          if (later.size() < RECOVERY_STATES_MAX) {
            CrashPoint point = victim.capture();
            List<int[]> images = images(point, act);
            String where = place + ", in recovery before " + inner.get();
            int index = random.nextInt(images.size());
            later.add(() -> recovered(point, images, index, path, act, where, expected));
          }
        });
    later.forEach(Runnable::run);
  }

  /** Called with the acts of a recovery. */
  private interface RecoveryActs {
    void before(CrashableDirectory victim, long act, Supplier<String> place);
  }

  private void recovering(CrashImage image, RecoveryActs listener) {
    try (CrashableDirectory victim = image.open()) {
      long[] act = {0};
      WatchedRun.Acts acts = place -> listener.before(victim, ++act[0], place);
      WatchedRun.listen(victim, acts);
      try (Device device =
          deviceWrapper.apply(WatchedRun.device(setting, acts, StateCheck.MEMORY))) {
        check.open(victim, device).abandon();
      }
      WatchedRun.listen(victim, null);
    }
  }

  private void recovered(
      CrashPoint point,
      List<int[]> images,
      int index,
      StatePath path,
      long act,
      String where,
      Expectation expected) {
    if (state(point.image(images.get(index)), path.then(act, index), where, expected)) {
      report.recoveryCrashes++;
    }
  }

  /** Looks at the one state of that path. */
  ExplorationReport replay(StatePath path) {
    StatePath.Step first = path.steps().getFirst();
    run.run(
        place -> {
          if (++acts == first.act()) {
            replay(run.capture(), path, 0, place.get(), expectation());
            run.end();
          }
        });
    return report;
  }

  private void replay(
      CrashPoint point, StatePath path, int depth, String place, Expectation expected) {
    StatePath.Step step = path.steps().get(depth);
    CrashImage image = point.image(images(point, step.act()).get(step.image()));
    Found found = check.recover(image);
    report.states++;
    if (depth + 1 == path.depth()) {
      if (judge(found, found.contents().digest(), path, place, expected)) {
        String problem = check.goesOn(image);
        if (!problem.isEmpty()) {
          violation(path, Violation.Fault.GOES_ON, place, problem);
        }
      }
      return;
    }
    Expectation inner = Expectation.of(found.contents(), List.of());
    long wanted = path.steps().get(depth + 1).act();
    recovering(
        image,
        (victim, act, where) -> {
          if (act == wanted) {
            String inside = place + ", in recovery before " + where.get();
            replay(victim.capture(), path, depth + 1, inside, inner);
          }
        });
  }
}
