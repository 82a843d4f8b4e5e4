package io.gpdb.bench.crash;

import io.gpdb.simulation.medium.CrashImage;
import io.gpdb.simulation.medium.CrashPoint;
import io.gpdb.simulation.medium.CrashableDirectory;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A state from which a recovery begins.
 *
 * @param moment the sort of act before which a process was killed; empty after a loss of power
 * @param medium with the state on it, a new one each time
 * @param contents what is recovered
 * @param interrupted what the transaction would have left that was being committed
 * @param possible what may be recovered instead when the power fails before the recovery has ended:
 *     nobody has seen then what was not durable
 */
record RecoveryStart(
    Setting setting,
    String moment,
    Supplier<CrashableDirectory> medium,
    Contents contents,
    @Nullable Contents interrupted,
    List<Contents> possible) {

  /** What a loss of power left. */
  static RecoveryStart afterCrash(
      Setting setting, CrashImage image, Contents contents, @Nullable Contents interrupted) {
    return new RecoveryStart(setting, "", image::open, contents, interrupted, List.of());
  }

  /** What a process left that was killed; the power is still there. */
  static RecoveryStart afterKill(
      Setting setting,
      String moment,
      CrashPoint point,
      Contents contents,
      List<Contents> possible) {
    return new RecoveryStart(setting, moment, point::kill, contents, null, possible);
  }

  boolean isAfterKill() {
    return !possible.isEmpty();
  }
}
