package io.gpdb.exec.library;

import io.gpdb.exec.Device;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The distinct rows: groups without aggregates. */
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
  public GridGroupBy.Grouping start(int... limits) {
    return groups.start(limits);
  }
}
