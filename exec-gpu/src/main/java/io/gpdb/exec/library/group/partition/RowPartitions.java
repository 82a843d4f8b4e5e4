package io.gpdb.exec.library.group.partition;

import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Puts the rows of a block into partitions of their places, in the block's own memory: a row's
 * place becomes a word, and its columns move with it.
 *
 * <pre>
 *   | row of the block, 15 | place in the partition, 17 or less |
 * </pre>
 *
 * <p>Rows of a partition stay in their order. Loops are over arrays of the heap, which HotSpot
 * compiles soonest, some rows at a call. Used by one thread at a time, which keeps it for its next
 * block.
 */
public final class RowPartitions {
  static final int BLOCK_ROWS = 1 << 15;
  static final int SHIFT_MAX = Integer.SIZE - 15;

  /** Rows that a loop takes at a call. */
  public static final int CALL_ROWS = HostLoop.CALL_TURNS;

  private final int partitions;
  private final int shift;
  private final int[] places = new int[BLOCK_ROWS];
  private final int[] targets = new int[BLOCK_ROWS];
  private final int[] moved = new int[BLOCK_ROWS];
  private final long[] wide = new long[BLOCK_ROWS];
  private final long[] wideMoved = new long[BLOCK_ROWS];

  /**
   * @param partitions of 2^shift places each; rows without a place have one beyond these
   */
  RowPartitions(int partitions, int shift) {
    this.partitions = partitions;
    this.shift = shift;
  }

  /** A block of rows, and where its partitions are once it is divided. */
  static final class Block {
    private final int offset;
    private final int count;
    private final long firstRow;
    private int[] starts = {};

    /**
     * @param offset of its first row among the staged ones
     * @param count of rows, at most {@link #BLOCK_ROWS}
     * @param firstRow the number of its first row
     */
    Block(int offset, int count, long firstRow) {
      this.offset = offset;
      this.count = count;
      this.firstRow = firstRow;
    }

    int offset() {
      return offset;
    }

    long firstRow() {
      return firstRow;
    }

    /** Where a partition begins in the block; the one after the last has no place's rows. */
    int start(int partition) {
      return starts[partition];
    }
  }

  void divide(StagedRows rows, Block block) {
    int first = block.offset;
    int count = block.count;
    rows.places().read(first, places, 0, count);
    int[] starts = new int[partitions + 2];
    for (int i = 0; i < count; i += CALL_ROWS) {
      count(places, i, Math.min(count, i + CALL_ROWS), shift, starts);
    }
    for (int p = 1; p < starts.length; p++) {
      starts[p] += starts[p - 1];
    }
    int[] next = starts.clone();
    for (int i = 0; i < count; i += CALL_ROWS) {
      findTargets(places, i, Math.min(count, i + CALL_ROWS), shift, next, targets);
    }
    for (int i = 0; i < count; i += CALL_ROWS) {
      makeWords(places, targets, i, Math.min(count, i + CALL_ROWS), shift, moved);
    }
    rows.places().write(first, moved, 0, count);
    for (StagedRows.Column column : rows.columns()) {
      move(column, first, count);
    }
    block.starts = starts;
  }

  private void move(StagedRows.Column column, int first, int count) {
    HostBuffer values = column.values();
    if (column.isWide()) {
      values.read(first, wide, 0, count);
      for (int i = 0; i < count; i += CALL_ROWS) {
        move(wide, targets, i, Math.min(count, i + CALL_ROWS), wideMoved);
      }
      values.write(first, wideMoved, 0, count);
    } else {
      values.read(first, places, 0, count);
      for (int i = 0; i < count; i += CALL_ROWS) {
        move(places, targets, i, Math.min(count, i + CALL_ROWS), moved);
      }
      values.write(first, moved, 0, count);
    }
  }

  /** {@code counts[p + 1]} = rows of partition p. */
  private static void count(int[] places, int from, int end, int shift, int[] counts) {
    for (int i = from; i < end; i++) {
      counts[(places[i] >> shift) + 1]++;
    }
  }

  private static void findTargets(
      int[] places, int from, int end, int shift, int[] next, int[] targets) {
    for (int i = from; i < end; i++) {
      targets[i] = next[places[i] >> shift]++;
    }
  }

  private static void makeWords(
      int[] places, int[] targets, int from, int end, int shift, int[] words) {
    int mask = (1 << shift) - 1;
    for (int i = from; i < end; i++) {
      words[targets[i]] = (i << shift) | (places[i] & mask);
    }
  }

  private static void move(int[] values, int[] targets, int from, int end, int[] to) {
    for (int i = from; i < end; i++) {
      to[targets[i]] = values[i];
    }
  }

  private static void move(long[] values, int[] targets, int from, int end, long[] to) {
    for (int i = from; i < end; i++) {
      to[targets[i]] = values[i];
    }
  }
}
