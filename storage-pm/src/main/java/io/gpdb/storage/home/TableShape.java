package io.gpdb.storage.home;

import io.gpdb.storage.column.ColumnShape;
import io.gpdb.storage.column.IndexShape;
import java.util.List;

/** The columns and indexes of a table as storage sees them. */
public record TableShape(List<ColumnShape> columns, List<IndexShape> indexes) {
  public TableShape {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
  }

  public byte[] encode() {
    return RootCodec.encodeShape(this);
  }

  public static TableShape decode(byte[] encoded) {
    return RootCodec.decodeShape(encoded);
  }
}
