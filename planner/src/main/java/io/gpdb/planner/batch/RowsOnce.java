package io.gpdb.planner.batch;

import java.util.BitSet;

/** Rows that several operators of one execution read, and that are found once where that can be. */
public interface RowsOnce {
  /** The rows with these fields, for one more of the operators. */
  Batches open(BitSet needed);

  /** How many there are, negative where that is not known yet. */
  long rows();
}
