package io.gpdb.planner.change;

import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.TableReader;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a batch names at some of its places, visited in that order: many are read together.
 * They are as of then: whoever visits a row has not changed it before.
 */
public final class RowsAhead {
  private static final int ROWS_MIN = 1 << 10;
  private static final int ROWS_MAX = 1 << 16;

  private final TableReader reader;
  private final int[] columns;
  private final long[] rows;
  private final int[] places;
  private final int n;
  private final long[] wanted;
  private final boolean together;
  private @Nullable RowBlock read;
  private int from;
  private int to;

  /**
   * @param columns that the visited {@link RowValues} have
   * @param rows by place
   * @param places the first n count
   * @param evenOfHost whether rows are read together, too, where the host reads the table's memory:
   *     faster for few of the rows that were looked up, slower for all of them, which are in its
   *     caches
   */
  public RowsAhead(
      TableReader reader, int[] columns, long[] rows, int[] places, int n, boolean evenOfHost) {
    this.reader = reader;
    this.columns = columns;
    this.rows = rows;
    this.places = places;
    this.n = n;
    long share = HeldRows.rowsOfShare(Long.BYTES + RowBlock.rowBytes(columns.length));
    together = evenOfHost || !MemoryAccount.current().memory().isHosts();
    wanted = new long[Math.min(n, Math.clamp(share, ROWS_MIN, ROWS_MAX))];
  }

  /**
   * Goes to the row at the k-th of the places, which is not before one visited; false when the
   * reader does not see it. Places before it are not looked at any more.
   */
  public boolean move(RowValues row, int k) {
    if (!together) {
      return row.moveTo(reader, rows[places[k]]);
    }
    RowBlock block = read;
    if (block == null || k >= to) {
      from = k;
      to = Math.min(n, k + wanted.length);
      for (int at = from; at < to; at++) {
        wanted[at - from] = rows[places[at]];
      }
      block = reader.read(wanted, to - from, columns);
      read = block;
    }
    return row.moveTo(block, k - from, wanted[k - from]);
  }
}
