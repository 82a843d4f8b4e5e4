package io.gpdb.planner.run.join;

/** Pairs of a batch's rows and of those of a block that is held, by the batch's row first. */
interface RowPairs {
  /**
   * Goes to the next pairs.
   *
   * @return whether there are any
   */
  boolean advance();

  /** How many there are. */
  int count();

  /** Their rows of the batch. */
  int[] streamed();

  /** Their rows of the block. */
  int[] held();
}
