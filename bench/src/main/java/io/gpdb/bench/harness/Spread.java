package io.gpdb.bench.harness;

import java.util.Arrays;
import java.util.List;

/** Minimum, median and maximum of one figure over the rounds of a run. */
public record Spread(double min, double median, double max, int rounds) {
  public static Spread of(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (sorted.length == 0) {
      return new Spread(Double.NaN, Double.NaN, Double.NaN, 0);
    }
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(sorted[0], median, sorted[sorted.length - 1], sorted.length);
  }

  public static Spread of(double... values) {
    return of(Arrays.stream(values).boxed().toList());
  }
}
