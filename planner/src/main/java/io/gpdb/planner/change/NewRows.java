package io.gpdb.planner.change;

import io.gpdb.planner.batch.Execution;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/** What becomes of new rows whose values fit their columns. */
interface NewRows {
  /**
   * Takes n rows.
   *
   * @param data by column of the table, n rows
   * @param first how many rows of the statement or batch came before
   * @param counts takes, from {@code first} on, how many rows each of them touched; null where
   *     their sum is enough
   * @return how many rows they touched
   */
  long add(Execution x, ColumnView[] data, int n, long first, long @Nullable [] counts);

  /** Whether the host reads their values one by one, which none but a {@link HostBuffer} allows. */
  default boolean readsValues() {
    return true;
  }

  /** What is done with them, for EXPLAIN. */
  String text();
}
