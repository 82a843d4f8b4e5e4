package io.gpdb.planner.change;

import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableReader;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** New rows are appended; a key that exists is an error. */
public final class AppendedRows implements NewRows {
  private final TableDef table;

  public AppendedRows(TableDef table) {
    this.table = table;
  }

  @Override
  public long add(Execution x, ColumnView[] data, int n, long first, long @Nullable [] counts) {
    append(x, data, n, first);
    if (counts != null) {
      Arrays.fill(counts, (int) first, (int) first + n, 1);
    }
    return n;
  }

  /** Returns the number of the first row. */
  long append(Execution x, ColumnView[] data, int n, long first) {
    try {
      long stored = x.transaction().writer(table.tableId()).insert(data, n);
      ChangedRows changed = x.changed();
      if (changed != null) {
        changed.stored(stored, n);
      }
      return stored;
    } catch (KeyViolation violation) {
      TableReader reader = x.transaction().reader(table.tableId());
      throw KeyMessages.translate(
          new KeyViolation(violation.indexOrdinal(), violation.batchRow() + first),
          table,
          (column, row) ->
              StoredColumns.text(table, reader, data[column], column, (int) (row - first)));
    }
  }

  @Override
  public boolean readsValues() {
    return false;
  }

  @Override
  public String text() {
    return "insert " + table.name();
  }
}
