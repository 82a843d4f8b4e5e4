package io.gpdb.bench.peers;

import io.gpdb.bench.harness.Spread;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one database, as its process found it.
 *
 * @param section what figures are shown together
 * @param unit of the values
 * @param higherIsBetter whether more is better, as of rows per second
 * @param values the first run and those after it, or a single value
 * @param refusal why there is no value, null where there is one
 */
record Measured(
    String section,
    String name,
    String unit,
    boolean higherIsBetter,
    List<Double> values,
    @Nullable String refusal) {

  static Measured refused(
      String section, String name, String unit, boolean higherIsBetter, String refusal) {
    return new Measured(section, name, unit, higherIsBetter, List.of(), refusal);
  }

  /** The first run of that text in its process. */
  double first() {
    return values.isEmpty() ? Double.NaN : values.getFirst();
  }

  /** The later half of the runs. */
  double warm() {
    return Spread.of(values.subList(values.size() / 2, values.size())).median();
  }

  /** What tells figures apart. */
  String key() {
    return section + "/" + name;
  }
}
