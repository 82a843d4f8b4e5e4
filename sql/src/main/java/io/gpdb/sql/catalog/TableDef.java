package io.gpdb.sql.catalog;

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
}
