package io.gpdb.exec.emulated.interpreted;

import io.gpdb.exec.emulated.common.BlockState;
import io.gpdb.exec.emulated.common.LaneMask;

/** One operation of the interpreted executor, for the active lanes of a block. */
interface BlockStep {
  void run(BlockState state, LaneMask mask);
}
