package io.gpdb.sql.catalog;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/**
 * A table as the catalog knows it. Keys are listed primary first, and the ordinal of a key is the
 * ordinal of its index in the store.
 */
public record TableDef(int tableId, String name, List<ColumnDef> columns, List<KeyDef> keys) {
  public TableDef {
    columns = List.copyOf(columns);
    keys = List.copyOf(keys);
  }

  /** Position of a column, or -1. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }

  public ColumnDef column(int index) {
    return columns.get(index);
  }

  public TableDef withTableId(int id) {
    return new TableDef(id, name, columns, keys);
  }

  /** Throws unless the column exists. */
  public int requireColumn(String column) {
    int index = indexOf(column);
    if (index < 0) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND, "table " + name + " has no column " + column);
    }
    return index;
  }
}
