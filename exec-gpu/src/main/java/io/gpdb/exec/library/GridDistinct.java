package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distinct rows: groups without aggregates. Called by the planner for DISTINCT, UNION and
 * COUNT(DISTINCT). The rows are the keys of the {@link Groups}, in the order of first appearance.
 * Thread-safe.
 */
public final class GridDistinct {
  private final GridGroupBy groups;

  public GridDistinct(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<LaneProgram> columns) {
    groups = new GridGroupBy(device, name, inputs, filter, columns, List.of());
  }

  /** As {@link GridGroupBy#start}. */
  public Grouping start(int... columnLimits) {
    return groups.start(columnLimits);
  }
}
