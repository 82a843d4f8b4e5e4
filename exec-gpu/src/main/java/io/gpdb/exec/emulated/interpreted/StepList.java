package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;

/** Steps that run one after the other, for the lanes that are active. */
final class StepList {
  private final BlockStep[] steps;
  private final int[] numbers; // in cold
  private final ColdSteps cold;

  StepList(BlockStep[] steps, int[] numbers, ColdSteps cold) {
    this.steps = steps;
    this.numbers = numbers;
    this.cold = cold;
  }

  boolean isEmpty() {
    return steps.length == 0;
  }

  void run(BlockState state, LaneMask mask) {
    if (cold.isWarm() || state.counters != null) {
      runWarm(state, mask);
    } else {
      runCold(state, mask);
    }
  }

  // Loops of their own: what HotSpot has compiled while cold has to serve until it is warm only

  private void runWarm(BlockState state, LaneMask mask) {
    for (int i = 0; i < steps.length && mask.count > 0; i++) {
      steps[i].run(state, mask);
    }
  }

  private void runCold(BlockState state, LaneMask mask) {
    for (int i = 0; i < steps.length && mask.count > 0; i++) {
      cold.run(steps[i], numbers[i], state, mask);
    }
  }

  /** Runs the steps with the mask as the innermost one. */
  void runIn(BlockState state, LaneMask mask) {
    state.open(mask);
    run(state, mask);
    state.closeMask();
  }
}
