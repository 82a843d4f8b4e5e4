package io.gpdb.storage.column;

import java.util.List;

/** The columns and indexes of a table as storage sees them. */
public record TableShape(List<ColumnShape> columns, List<IndexShape> indexes) {
  public TableShape {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
  }
}
