package io.gpdb.storage.column;

import java.util.Arrays;

/** An index as storage sees it: over which columns, and whether its keys are unique. */
@SuppressWarnings("ArrayRecordComponent") // cloned in and out, compared by content
public record IndexShape(int indexId, int[] columns, boolean unique) {
  public IndexShape {
    columns = columns.clone();
  }

  @Override
  public int[] columns() {
    return columns.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexShape that
        && indexId == that.indexId
        && unique == that.unique
        && Arrays.equals(columns, that.columns);
  }

  @Override
  public int hashCode() {
    return 31 * indexId + Arrays.hashCode(columns);
  }

  @Override
  public String toString() {
    return "IndexShape[" + indexId + ", " + Arrays.toString(columns) + ", unique=" + unique + "]";
  }
}
