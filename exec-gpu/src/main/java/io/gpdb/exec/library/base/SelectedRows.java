package io.gpdb.exec.library.base;

import io.gpdb.storage.memory.DeviceBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a {@code GridFilterProject} let through, in row order.
 *
 * @param count how many
 * @param rowIds i32 row in the launch, in memory that the host reads; null when not asked for
 * @param columns the outputs in their order
 */
public record SelectedRows(int count, @Nullable DeviceBuffer rowIds, List<DenseColumn> columns) {
  public SelectedRows {
    columns = List.copyOf(columns);
  }
}
