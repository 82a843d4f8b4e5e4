package io.gpdb.bench.harness;

import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis from a little below the least to a little above the greatest value. */
final class LogAxis {
  private static final double ROOM = 1.15;
  private static final int TICKS_MAX = 8;

  private final double least;
  private final double greatest;
  private final double width;

  /** Values that are not above 0 are taken as the smallest that is drawn. */
  LogAxis(List<Double> values, double width) {
    double smallest = Double.POSITIVE_INFINITY;
    double largest = 0;
    for (double value : values) {
      if (value > 0) {
        smallest = Math.min(smallest, value);
        largest = Math.max(largest, value);
      }
    }
    boolean empty = largest == 0;
    this.least = empty ? 1 : smallest / ROOM;
    this.greatest = empty ? 10 : largest * ROOM;
    this.width = width;
  }

  /** From 0 to the width. */
  double place(double value) {
    double inside = Math.clamp(value, least, greatest);
    return width * Math.log(inside / least) / Math.log(greatest / least);
  }

  /** Round numbers inside the axis, with even distances. */
  List<Double> ticks() {
    List<Double> all = ticks(new double[] {1, 2, 5});
    return all.size() <= TICKS_MAX ? all : ticks(new double[] {1});
  }

  private List<Double> ticks(double[] digits) {
    List<Double> ticks = new ArrayList<>();
    for (int power = (int) Math.floor(Math.log10(least)); power <= Math.log10(greatest); power++) {
      for (double digit : digits) {
        double tick = digit * Math.pow(10, power);
        if (tick >= least && tick <= greatest) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }
}
