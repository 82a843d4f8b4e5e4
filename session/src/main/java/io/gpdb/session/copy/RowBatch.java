package io.gpdb.session.copy;

import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.HeldBlocks;

/** Rows parsed and not yet inserted: every column of the table, and the line of each row. */
final class RowBatch implements GeneratedColumns.NewValues {
  static final int ROWS = 65_536;

  private final ColumnBuffer[] columns;
  private final long[] lines = new long[ROWS];
  private int rows;
  private boolean last;

  RowBatch(TableDef table, HeldBlocks memory) {
    columns = new ColumnBuffer[table.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new ColumnBuffer(memory, table.column(i).type().element(), ROWS);
    }
  }

  ColumnBuffer column(int index) {
    return columns[index];
  }

  @Override
  public void set(int column, int row, long raw) {
    columns[column].setRaw(row, raw);
  }

  @Override
  public void setNull(int column, int row) {
    columns[column].setNull(row);
  }

  int rows() {
    return rows;
  }

  boolean isFull() {
    return rows == ROWS;
  }

  /** Whether the file has no more rows than these. */
  boolean isLast() {
    return last;
  }

  void endRow(long line) {
    lines[rows++] = line;
  }

  void markLast() {
    last = true;
  }

  long line(int row) {
    return lines[row];
  }

  ColumnView[] data() {
    ColumnView[] data = new ColumnView[columns.length];
    for (int i = 0; i < data.length; i++) {
      data[i] = new ColumnView(columns[i].type(), columns[i].values(), columns[i].validity());
    }
    return data;
  }

  /** Empties the batch; columns that the file lacks keep their default. */
  void clear(int[] targets) {
    rows = 0;
    for (int column : targets) {
      columns[column].clear();
    }
  }
}
