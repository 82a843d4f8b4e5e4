package io.gpdb.planner.window;

import io.gpdb.planner.function.NumberFunctions;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import java.math.BigDecimal;
import java.time.LocalDate;

/**
 * Finds where a frame begins or ends whose bounds are distances from the row's key: by binary
 * search among the keys of the partition that are not NULL. The frame of a row whose key is NULL
 * has its peers.
 */
final class RangeDistance {
  /** More than the years from 1 to 9999 have. */
  private static final long MONTHS_MAX = 200_000;

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
    if (isFloat) {
      return search(key.number(row) + sign * distance.doubleValue(), isLower);
    }
    if (distances.isMonths() && !key.type().kind().isInterval()) {
      long months = distance.min(BigDecimal.valueOf(MONTHS_MAX)).longValue();
      return search(moved(exact(row).longValue(), sign * months), isLower);
    }
    return search(exact(row).add(sign < 0 ? distance.negate() : distance), isLower);
  }

  /** A key as a number in the unit of distances: dates are microseconds. */
  private BigDecimal exact(int row) {
    return switch (key.type().kind()) {
      case DATE -> BigDecimal.valueOf(key.raw(row) * TemporalText.MICROS_PER_DAY);
      case TIME, TIMESTAMP, INTERVAL_MONTHS, INTERVAL_MICROS -> BigDecimal.valueOf(key.raw(row));
      default -> key.decimal(row);
    };
  }

  /** The timestamp that is that number of months later. */
  private static BigDecimal moved(long micros, long months) {
    long day = Math.floorDiv(micros, TemporalText.MICROS_PER_DAY);
    long moved = LocalDate.ofEpochDay(day).plusMonths(months).toEpochDay();
    return BigDecimal.valueOf(
        moved * TemporalText.MICROS_PER_DAY + Math.floorMod(micros, TemporalText.MICROS_PER_DAY));
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
      if (isBefore(exact(rows.row(middle)).compareTo(bound), isLower)) {
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
