package io.gpdb.planner.query;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Some columns of all rows of a table of few rows, copied. */
final class TableRows {
  private final TableReader reader;
  private final int[] columns;
  private final int first;
  private long[][] values = {};
  private boolean[][] nulls = {};
  private int count;

  private TableRows(TableReader reader, int[] columns, int first) {
    this.reader = reader;
    this.columns = columns;
    this.first = first;
  }

  /** The rows that the reader sees, whose first column is that field. */
  static TableRows of(TableReader reader, int[] columns, int first) {
    TableRows rows = new TableRows(reader, columns, first);
    for (int t = 0, n = reader.tabletCount(); t < n; t++) {
      try (TabletView view = reader.open(t, columns)) {
        rows.add(view);
      }
    }
    return rows;
  }

  private void add(TabletView view) {
    HostBuffer live = view.allLive() ? null : view.live().onHost();
    ColumnView[] read = new ColumnView[columns.length];
    for (int i = 0; i < read.length; i++) {
      read[i] = view.column(i).onHost();
    }
    for (int row = 0; row < view.rowCount(); row++) {
      if (live != null && !Bitmaps.test(live, row)) {
        continue;
      }
      if (count == values.length) {
        values = Arrays.copyOf(values, Math.max(16, count * 2));
        nulls = Arrays.copyOf(nulls, values.length);
      }
      values[count] = new long[read.length];
      nulls[count] = new boolean[read.length];
      for (int i = 0; i < read.length; i++) {
        nulls[count][i] = read[i].isNull(row);
        values[count][i] = nulls[count][i] ? 0 : read[i].raw(row);
      }
      count++;
    }
  }

  int count() {
    return count;
  }

  /** The field that is the first column of the table. */
  int first() {
    return first;
  }

  /** The place of a field among the columns that are copied, or -1. */
  int column(int field) {
    for (int i = 0; i < columns.length; i++) {
      if (first + columns[i] == field) {
        return i;
      }
    }
    return -1;
  }

  boolean isNull(int column, int row) {
    return nulls[row][column];
  }

  /** The value; 0 for NULL. */
  long value(int column, int row) {
    return values[row][column];
  }

  /** Makes the row one of those that the expressions' row is made of. */
  void set(WholeEvaluation fields, int row) {
    for (int i = 0; i < columns.length; i++) {
      fields.set(first + columns[i], values[row][i], nulls[row][i]);
    }
  }

  /** The strings of a column, by its field; null where it has none. */
  @Nullable CodedStrings strings(int field) {
    return reader.strings(field - first);
  }
}
