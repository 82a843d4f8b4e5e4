package io.gpdb.storage.column;

import java.util.Arrays;

/**
 * An index as storage sees it: of which kind, over which columns, and whether keys are unique.
 *
 * @param descending for each column; all false where the kind has no order
 */
@SuppressWarnings("ArrayRecordComponent") // cloned in and out, compared by content
public record IndexShape(
    int indexId, IndexKind kind, int[] columns, boolean[] descending, boolean unique) {
  public IndexShape {
    columns = columns.clone();
    descending = kind.isOrdered() ? descending.clone() : new boolean[columns.length];
    if (descending.length != columns.length) {
      throw new IllegalArgumentException(
          "index over %d columns, %d of them in order"
              .formatted(columns.length, descending.length));
    }
  }

  /** One whose columns all ascend, if they have an order. */
  public IndexShape(int indexId, IndexKind kind, int[] columns, boolean unique) {
    this(indexId, kind, columns, new boolean[columns.length], unique);
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
  public boolean[] descending() {
    return descending.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof IndexShape that
        && indexId == that.indexId
        && kind == that.kind
        && unique == that.unique
        && Arrays.equals(columns, that.columns)
        && Arrays.equals(descending, that.descending);
  }

  @Override
  public int hashCode() {
    return 31 * indexId + Arrays.hashCode(columns);
  }

  @Override
  public String toString() {
    return "IndexShape[%d, %s, %s, descending=%s, unique=%s]"
        .formatted(indexId, kind, Arrays.toString(columns), Arrays.toString(descending), unique);
  }
}
