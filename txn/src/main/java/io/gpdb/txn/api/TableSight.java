package io.gpdb.txn.api;

import io.gpdb.storage.tablet.ChangeMark;

/**
 * What a reader saw of a table, for later readers to know whether they see the same: the same bytes
 * in the same buffers.
 *
 * @param table which table, if another took its place
 * @param sequence the commits that the reader saw
 */
public record TableSight(Object table, ChangeMark mark, long sequence, int tablets) {
  /**
   * Whether the table is as it was. Asked after kernels have read it without its latches, it says
   * whether they read what was seen.
   */
  public boolean isCurrent() {
    return mark.isCurrent();
  }

  /**
   * Whether readers of that sequence see what was seen of these tablets, if that was their newest
   * state.
   */
  public boolean isSeenFrom(long readerSequence) {
    return mark.isCurrent() && sequence <= readerSequence;
  }
}
