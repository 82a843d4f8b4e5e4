package io.gpdb.planner.window;

import io.gpdb.sql.type.IntervalType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * MEDIAN and PERCENTILE: the value at a share of the way through the values that are not NULL, in
 * the order in which they are added where that is descending, else ascending. One that falls
 * between two values is one of them, or a number between them.
 */
final class Percentile extends Accumulator {
  private static final double HALF = 0.5;

  private static final int ROWS_BEGIN = 16;

  private final @Nullable WindowColumn share;
  private final WindowColumn value;
  private final boolean isBetween;
  private int[] rows = new int[ROWS_BEGIN];
  private int count;
  private boolean isAscending;
  private boolean isDescending;
  private boolean hasShare;
  private double at;

  private Percentile(List<WindowColumn> arguments, boolean isBetween) {
    this.share = arguments.size() > 1 ? arguments.getFirst() : null;
    this.value = arguments.getLast();
    this.isBetween = isBetween;
    clear();
  }

  /**
   * MEDIAN or PERCENTILE_CONT.
   *
   * @param arguments the share, where it is not a half, and the value
   */
  static Percentile between(List<WindowColumn> arguments) {
    return new Percentile(arguments, true);
  }

  /** PERCENTILE_DISC, of the share and the value. */
  static Percentile among(List<WindowColumn> arguments) {
    return new Percentile(arguments, false);
  }

  @Override
  void clear() {
    count = 0;
    isAscending = true;
    isDescending = true;
    hasShare = share == null;
    at = HALF;
  }

  @Override
  void add(int row) {
    WindowColumn shares = share;
    if (shares != null && !shares.isNull(row)) {
      at = shares.number(row);
      hasShare = true;
    }
    if (value.isNull(row)) {
      return;
    }
    if (count == rows.length) {
      rows = Arrays.copyOf(rows, 2 * count);
    }
    if (count > 0) {
      int order = value.compare(rows[count - 1], row);
      isAscending &= order <= 0;
      isDescending &= order >= 0;
    }
    rows[count++] = row;
  }

  @Override
  void write(WindowOutput output, int row) {
    if (!(at >= 0 && at <= 1)) {
      throw new GpdbException(
          ErrorCode.NUMERIC_OUT_OF_RANGE, "the share of a percentile is not from 0 to 1: " + at);
    }
    if (count == 0 || !hasShare) {
      output.setNull(row);
      return;
    }
    if (!isAscending && !isDescending) {
      sort();
    }
    if (isBetween) {
      double place = at * (count - 1);
      int before = (int) Math.floor(place);
      int behind = (int) Math.ceil(place);
      writeBetween(output, row, rows[before], rows[behind], place - before);
    } else {
      BigDecimal end = BigDecimal.valueOf(at).multiply(BigDecimal.valueOf(count));
      int place = Math.max(0, end.setScale(0, RoundingMode.CEILING).intValue() - 1);
      output.copy(value, rows[place], row);
    }
  }

  private void writeBetween(WindowOutput output, int row, int before, int behind, double share) {
    if (output.type().kind().isInterval()) {
      long from = value.raw(before);
      double distance = (double) value.raw(behind) - from;
      long result = from + Math.round(distance * share);
      output.set(row, result - result % IntervalType.of(output.type()).unit());
      return;
    }
    double from = value.number(before);
    double to = value.number(behind);
    double result = from == to ? from : from + (to - from) * share;
    output.set(row, Double.doubleToRawLongBits(result));
  }

  private void sort() {
    Integer[] sorted = new Integer[count];
    Arrays.setAll(sorted, i -> rows[i]);
    Arrays.sort(sorted, value::compare);
    for (int i = 0; i < count; i++) {
      rows[i] = sorted[i];
    }
    isAscending = true;
  }
}
