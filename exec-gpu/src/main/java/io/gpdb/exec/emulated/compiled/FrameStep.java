package io.gpdb.exec.emulated.compiled;

import io.gpdb.exec.emulated.common.LaneMask;

/** One step of a block in the compiled executor, for the lanes of the frame's mask. */
interface FrameStep {
  void run(BlockFrame frame);

  /** Runs the steps until no lane is left. */
  static void runAll(FrameStep[] steps, BlockFrame frame) {
    for (FrameStep step : steps) {
      if (frame.mask.count == 0) {
        return;
      }
      step.run(frame);
    }
  }

  /** Runs the steps for the lanes of another mask. */
  static void runIn(LaneMask mask, FrameStep[] steps, BlockFrame frame) {
    LaneMask outer = frame.mask;
    frame.mask = mask;
    frame.open(mask);
    runAll(steps, frame);
    frame.closeMask();
    frame.mask = outer;
  }
}
