package io.gpdb.storage;

import java.util.List;

/** The columns and indexes of a table as storage sees them. */
@SuppressWarnings("DoNotCallSuggester")
public record TableShape(List<ColumnShape> columns, List<IndexShape> indexes) {
  public TableShape {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
  }

  public byte[] encode() {
    throw Skeleton.absent();
  }

  public static TableShape decode(byte[] encoded) {
    throw Skeleton.absent();
  }
}
