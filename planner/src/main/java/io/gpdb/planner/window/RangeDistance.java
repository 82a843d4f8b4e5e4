package io.gpdb.planner.window;

import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;

/**
 * Finds where a frame begins or ends whose bounds are distances from the row's key: by binary
 * search among the keys of the partition that are not NULL. The frame of a row whose key is NULL
 * has its peers.
 */
final class RangeDistance {
  private final SortedRows rows;
  private final WindowColumn key;
  private final boolean descending;
  private final boolean isFloat;
  private int from;
  private int to;

  RangeDistance(SortedRows rows, boolean descending) {
    this.rows = rows;
    this.key = rows.key();
    this.descending = descending;
    SqlTypeSpec.Kind kind = key.type().kind();
    isFloat = kind == SqlTypeSpec.Kind.REAL || kind == SqlTypeSpec.Kind.DOUBLE;
  }

  /** Begins a partition: NULLs are at one of its ends. */
  void begin(int partitionFrom, int partitionTo) {
    from = key.isNull(rows.row(partitionFrom)) ? rows.peerEnd(partitionFrom) : partitionFrom;
    to =
        from < partitionTo && key.isNull(rows.row(partitionTo - 1))
            ? rows.peerStart(partitionTo - 1)
            : partitionTo;
  }

  /**
   * The first place at the distance or beyond, or strictly beyond where a frame ends.
   *
   * @param direction -1 before the row, 1 behind it
   */
  int bound(int place, Amounts distances, int direction, boolean isLower) {
    int row = rows.row(place);
    if (key.isNull(row)) {
      return isLower ? rows.peerStart(place) : rows.peerEnd(place);
    }
    int sign = descending ? -direction : direction;
    BigDecimal distance = distances.exact(row);
    return isFloat
        ? search(key.number(row) + sign * distance.doubleValue(), isLower)
        : search(key.decimal(row).add(sign < 0 ? distance.negate() : distance), isLower);
  }

  private int search(double bound, boolean isLower) {
    long wanted = NumberFunctions.floatOrder(bound);
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      long found = NumberFunctions.floatOrder(key.number(rows.row(middle)));
      if (isBefore(Long.compare(found, wanted), isLower)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int search(BigDecimal bound, boolean isLower) {
    int low = from;
    int high = to;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (isBefore(key.decimal(rows.row(middle)).compareTo(bound), isLower)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private boolean isBefore(int order, boolean isLower) {
    int inOrder = descending ? -order : order;
    return inOrder < 0 || (inOrder == 0 && !isLower);
  }
}
