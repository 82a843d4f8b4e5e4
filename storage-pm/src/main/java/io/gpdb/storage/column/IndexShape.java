package io.gpdb.storage.column;

import java.util.Arrays;

/** An index as storage sees it: of which kind, over which columns, and whether keys are unique. */
@SuppressWarnings("ArrayRecordComponent") // cloned in and out, compared by content
public record IndexShape(int indexId, IndexKind kind, int[] columns, boolean unique) {
  public IndexShape {
    columns = columns.clone();
  }

  /** A hash index. */
  public IndexShape(int indexId, int[] columns, boolean unique) {
    this(indexId, IndexKind.HASH, columns, unique);
  }

  @Override
  public int[] columns() {
    return columns.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexShape that
        && indexId == that.indexId
        && kind == that.kind
        && unique == that.unique
        && Arrays.equals(columns, that.columns);
  }

  @Override
  public int hashCode() {
    return 31 * indexId + Arrays.hashCode(columns);
  }

  @Override
  public String toString() {
    return "IndexShape[%d, %s, %s, unique=%s]"
        .formatted(indexId, kind, Arrays.toString(columns), unique);
  }
}
