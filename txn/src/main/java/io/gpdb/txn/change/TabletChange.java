package io.gpdb.txn.change;

import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.ColumnData;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.version.TableVersions;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;

/**
 * New values for columns of one tablet at n distinct rows, all inside of it; the tablet's latch is
 * held exclusively.
 */
public final class TabletChange {
  private final TableVersions table;
  private final int[] columns;
  private final ColumnData[] values;
  private BatchChange.Part part;

  /**
   * @param values by column, n of each
   */
  public TabletChange(
      TableVersions table,
      Tablet tablet,
      MemorySegment rows,
      int n,
      int[] columns,
      ColumnData[] values) {
    this.table = table;
    this.columns = columns;
    this.values = new ColumnData[values.length];
    for (int c = 0; c < values.length; c++) {
      this.values[c] = values[c].withoutBitmapOfOnes(n);
    }
    // Column by column, nobody asks for positions.
    part = new BatchChange.Part(tablet, rows, MemorySegment.NULL, n, columns.length);
  }

  public TableVersions table() {
    return table;
  }

  public int[] columns() {
    return columns;
  }

  public BatchChange.Part part() {
    return part;
  }

  public void applyByColumn(TransactionWrites writes, Function<ColumnChange, Protocol> update) {
    for (int c = 0; c < columns.length; c++) {
      part.apply(c, part.change(writes, table, columns[c], c, values[c]), update);
    }
  }

  /** The same as a batch, which changes all columns by one launch. */
  public BatchChange asBatch(SuppliedValues kernels) {
    MemorySegment positions = SuppliedValues.positionsInOrder();
    part = new BatchChange.Part(part.tablet(), part.rows(), positions, part.n(), columns.length);
    BatchChange batch = kernels.change(table, columns, values);
    batch.add(part);
    return batch;
  }
}
