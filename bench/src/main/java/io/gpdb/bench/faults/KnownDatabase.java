package io.gpdb.bench.faults;

import io.gpdb.bench.faults.FaultWorkload.Step;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import java.util.List;
import java.util.Map;

/**
 * A database that was closed, or killed with its log in use, and then damaged: opening or a query
 * says that there is damage, and so does the verifier, or all answers are right.
 */
record KnownDatabase(
    FaultSetting setting,
    boolean killed,
    Map<Long, String> expected,
    Map<Long, String> beforeLast) {
  /** What is true of extents that an in-place protocol had open when it was killed. */
  private static final String IN_PLACE = "not found in an open in-place extent";

  /**
   * @param mayLackLast whether it may look as if the last write had not arrived
   * @param mayBeWrong whether what it hit may be without a checksum
   */
  record Damage(String what, boolean mayLackLast, boolean mayBeWrong) {}

  /** Runs the workload in a new database and leaves that in the directory. */
  static KnownDatabase leave(
      StorageDirectory directory, FaultSetting setting, FaultWorkload workload, boolean killed) {
    FaultyEngine engine = new FaultyEngine(directory, setting);
    List<Step> steps = workload.steps();
    steps.forEach(step -> step.run(engine));
    int last = steps.size() - 1;
    while (steps.get(last).isCheckpoint()) {
      last--;
    }
    if (killed) {
      engine.manager().abandon();
    } else {
      engine.close();
    }
    return new KnownDatabase(setting, killed, steps.get(last).after(), steps.get(last - 1).after());
  }

  /** For the report: when the damage came. */
  String when() {
    return killed ? "after a kill" : "after a close";
  }

  /**
   * What comes of it when the damaged database is opened and read.
   *
   * @param problems what the verifier has said of it before
   */
  String outcome(StorageDirectory damaged, Damage damage, List<String> problems) {
    String outcome = opened(damaged, damage);
    boolean found = outcome.startsWith("refused") || outcome.startsWith("found");
    if (found && problems.isEmpty()) {
      throw new Violation(damage.what + ": " + outcome + ", but the verifier finds nothing");
    }
    return found || problems.isEmpty() ? outcome : outcome + ", but named by check";
  }

  private String opened(StorageDirectory damaged, Damage damage) {
    FaultyEngine engine;
    try {
      engine = new FaultyEngine(damaged, setting);
    } catch (GpdbException e) {
      return said(e, "refused at opening", damage);
    }
    try {
      Map<Long, String> found = engine.rows();
      if (found.equals(expected)) {
        return "answered right";
      }
      if (damage.mayLackLast && found.equals(beforeLast)) {
        return "as a torn last write";
      }
      if (damage.mayBeWrong) {
        return IN_PLACE;
      }
      WriteFaults.expect(found, List.of(expected), damage.what);
      throw new AssertionError("one of them is what is expected");
    } catch (GpdbException e) {
      return said(e, "found by a query", damage);
    } finally {
      engine.manager().abandon();
    }
  }

  private static String said(GpdbException e, String outcome, Damage damage) {
    if (e.code() == ErrorCode.CORRUPTION
        || (e.code() == ErrorCode.NOT_SUPPORTED
            && String.valueOf(e.getMessage()).contains("version"))) {
      return outcome;
    }
    if (damage.mayBeWrong) {
      return IN_PLACE;
    }
    throw new Violation(damage.what, e);
  }
}
