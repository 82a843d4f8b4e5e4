package io.gpdb.sql.plain;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.TableDef;
import org.apache.calcite.rel.RelNode;

/**
 * A table in FROM.
 *
 * @param name by which columns are qualified
 * @param hasRowIds whether the row id is a field behind the columns
 * @param first the field of the joined row that is its first column
 */
record PlainTable(String name, TableDef table, boolean hasRowIds, RelNode scan, int first) {
  int fieldCount() {
    return table.columns().size() + (hasRowIds ? 1 : 0);
  }

  /** The field of the joined row that is a column of the table, or the row id; or -1. */
  int field(String column) {
    int index =
        hasRowIds && column.equals(GpTable.ROW_ID) ? table.columns().size() : table.indexOf(column);
    return index < 0 ? -1 : first + index;
  }
}
