package io.gpdb.exec.library.group;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.exec.library.reduce.GridReduce;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The least and the greatest value of each key among the rows that pass the filter: one grouped
 * launch over the tablets. Keys are whole numbers. Called by {@link GridGroupBy}. Thread-safe.
 */
final class KeyBounds {
  private final GridReduce extremes;
  private final int keys;

  /** Of key k: nothing where {@code least} is greater, because all are NULL. */
  record Bounds(long rows, List<Long> least, List<Long> greatest) {}

  KeyBounds(
      Device device, LaneInputs inputs, @Nullable LaneProgram filter, List<LaneProgram> keys) {
    List<Aggregate> aggregates = new ArrayList<>();
    for (LaneProgram key : keys) {
      aggregates.add(Aggregate.min(key));
      aggregates.add(Aggregate.max(key));
    }
    this.keys = keys.size();
    extremes = new GridReduce(device, "group_bounds", inputs, filter, aggregates);
  }

  Bounds of(int tablets, IntFunction<BoundRows> rowsOf) {
    GridReduce.Window window = extremes.start();
    for (int i = 0; i < tablets; i++) {
      BoundRows rows = rowsOf.apply(i);
      window.add(rows.bindings(), rows.rows(), rows.live());
    }
    GridReduce.Partial found = window.finish(null);
    List<Long> least = new ArrayList<>();
    List<Long> greatest = new ArrayList<>();
    for (int k = 0; k < keys; k++) {
      boolean none = found.isNull(2 * k);
      least.add(none ? Long.MAX_VALUE : found.raw(2 * k));
      greatest.add(none ? Long.MIN_VALUE : found.raw(2 * k + 1));
    }
    return new Bounds(found.rows(), least, greatest);
  }

  Kernel kernel() {
    return extremes.kernel();
  }
}
