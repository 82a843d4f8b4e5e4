package io.gpdb.exec.library.reduce;

/**
 * How a block of {@link GridReduce}'s kernel takes its rows. Sums of floats have a stated order,
 * and so the same lanes on every device; nothing shows by how many lanes other aggregates are made.
 *
 * @param lanes of a block that sums no floats; a divisor of its rows
 * @param rowsOfATurn rows that a lane takes in a turn, without a branch between them, so that their
 *     loads are under way together; a divisor of the rows of a lane
 * @param blockRowsMax up to how many rows a block takes that sums no floats; {@link #BLOCK_ROWS}
 *     times a power of two
 * @param blocksMin how many blocks there are to be left, where blocks take more rows
 */
record ReduceShape(int lanes, int rowsOfATurn, int blockRowsMax, int blocksMin) {
  /** Rows of a block, but for those that take more. */
  static final int BLOCK_ROWS = 16 * 1024;

  /** Of a block that sums floats: each lane adds every 1024th row. */
  static final int FLOAT_LANES = 1024;

  /** On the host's threads. */
  static final ReduceShape HOST = new ReduceShape(FLOAT_LANES, 1, BLOCK_ROWS, 1);

  /**
   * A processor of a GPU has room for eight such blocks: while some add up what their lanes have,
   * or begin, others load. The more rows a block has, the less of its time is for that, as long as
   * there are enough of them.
   */
  static final ReduceShape GPU = new ReduceShape(256, 4, 64 * 1024, 4096);

  /** How many rows a block takes, where {@link #BLOCK_ROWS} would make so many blocks. */
  int blockRows(int blocks) {
    int rows = BLOCK_ROWS;
    int left = blocks;
    while (rows < blockRowsMax && left / 2 >= blocksMin) {
      rows *= 2;
      left /= 2;
    }
    return rows;
  }
}
