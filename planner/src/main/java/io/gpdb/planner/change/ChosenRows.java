package io.gpdb.planner.change;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.ColumnView;

/** Some rows of a batch of new rows, in a buffer of their own. */
final class ChosenRows {
  private ChosenRows() {}

  /** The rows at the first n of the positions. */
  static RowBuffer of(TableDef table, ColumnView[] data, int[] positions, int n) {
    RowBuffer chosen = new RowBuffer(StoredColumns.elements(table), n);
    for (int c = 0; c < data.length; c++) {
      ColumnView values = data[c].onHost();
      for (int i = 0; i < n; i++) {
        if (values.isNull(positions[i])) {
          chosen.setNull(c, i);
        } else {
          chosen.set(c, i, values.raw(positions[i]));
        }
      }
    }
    return chosen;
  }
}
