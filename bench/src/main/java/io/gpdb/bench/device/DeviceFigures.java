package io.gpdb.bench.device;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Spread;
import java.util.ArrayList;
import java.util.List;

/** Single figures, told as they come in: some of them take minutes. */
final class DeviceFigures {
  /**
   * One figure.
   *
   * @param unit of the spread: ms, of which less is better, or something each second
   */
  record Figure(String name, String unit, Spread spread) {}

  private final List<Figure> all = new ArrayList<>();

  void add(String name, String unit, List<Double> values) {
    Figure figure = new Figure(name, unit, Spread.of(values));
    all.add(figure);
    System.out.printf(
        "%s: %s %s (%s to %s)%n",
        name,
        AlignedTable.scaled(figure.spread().median()),
        unit,
        AlignedTable.scaled(figure.spread().min()),
        AlignedTable.scaled(figure.spread().max()));
  }

  void add(String name, String unit, double value) {
    add(name, unit, List.of(value));
  }

  List<Figure> all() {
    return List.copyOf(all);
  }

  static double millisSince(long start) {
    return (System.nanoTime() - start) / 1e6;
  }

  /** How many come in a second, of which {@code n} took so long. */
  static double rate(long n, double millis) {
    return n / (millis / 1e3);
  }
}
