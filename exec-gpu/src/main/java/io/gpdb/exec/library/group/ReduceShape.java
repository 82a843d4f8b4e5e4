package io.gpdb.exec.library.group;

/**
 * How a block of {@link GridReduce}'s kernel takes its rows. Sums of floats have a stated order,
 * and so the same lanes on every device; nothing shows by how many lanes other aggregates are made.
 *
 * @param lanes of a block that sums no floats; a divisor of its rows
 * @param rowsOfATurn rows that a lane takes in a turn, without a branch between them, so that their
 *     loads are under way together; a divisor of the rows of a lane
 */
record ReduceShape(int lanes, int rowsOfATurn) {
  /** Of a block that sums floats: each lane adds every 1024th row. */
  static final int FLOAT_LANES = 1024;

  /** On the host's threads. */
  static final ReduceShape HOST = new ReduceShape(FLOAT_LANES, 1);

  /**
   * A processor of a GPU has room for eight such blocks: while some add up what their lanes have,
   * or begin, others load.
   */
  static final ReduceShape GPU = new ReduceShape(256, 4);
}
