package io.gpdb.exec.emulated;

/** One operation of the interpreted executor, for the active lanes of a block. */
interface BlockStep {
  void run(BlockState state, LaneMask mask);
}
