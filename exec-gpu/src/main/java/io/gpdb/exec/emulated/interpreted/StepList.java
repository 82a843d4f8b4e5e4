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
    boolean isCold = !cold.isWarm() && state.counters == null;
    for (int i = 0; i < steps.length && mask.count > 0; i++) {
      if (isCold) {
        cold.run(steps[i], numbers[i], state, mask);
      } else {
        steps[i].run(state, mask);
      }
    }
  }

  /** Runs the steps with the mask as the innermost one. */
  void runIn(BlockState state, LaneMask mask) {
    state.open(mask);
    run(state, mask);
    state.closeMask();
  }
}
