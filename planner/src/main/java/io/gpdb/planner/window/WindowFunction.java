package io.gpdb.planner.window;

/** What computes a call for the rows of a window, partition after partition. */
interface WindowFunction {
  /** Computes the results for the rows of a partition, given by its places. */
  void compute(int from, int to);
}
