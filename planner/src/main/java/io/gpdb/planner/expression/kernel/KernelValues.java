package io.gpdb.planner.expression.kernel;

import io.gpdb.exec.KernelTrap;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.storage.error.GpdbException;

/** Values that one kernel computes from the columns of one input, and what they need bound. */
public interface KernelValues {
  /** What they read and need bound. */
  KernelInputs reads();

  /** The user's error for a trap of a kernel that computes these values. */
  GpdbException failure(KernelTrap trap);

  default LaneInputs inputs() {
    return reads().lane();
  }

  /** The input columns that are read, ascending. */
  default int[] columnsRead() {
    return reads().columnsRead();
  }

  /** How an input column that is read is known to the kernel. */
  default Column laneColumn(int column) {
    return reads().readColumn(column);
  }

  /** Binds parameters and look-up tables; the columns are bound for each launch. */
  default void bind(LaneBindings lane, RunInputs run) {
    reads().bind(lane, run);
  }
}
