package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.statement.ParameterColumns;
import java.util.List;

/**
 * A planned change. What it did is undone by the caller when it throws, see {@link AtomicChange}.
 */
public interface Change {
  /** Carries the change out; returns how many rows it touched. */
  long apply(Execution x);

  /** Carries it out for each row of the batch, as if in order. */
  default long[] applyBatch(Execution x, ParameterColumns batch) {
    long[] counts = new long[batch.rows()];
    for (int row = 0; row < counts.length; row++) {
      counts[row] = apply(x.with(batch.row(row)));
    }
    return counts;
  }

  /** The plan, a line for each operator, deeper ones indented. */
  List<String> explain(Execution x);

  /** The kernels that the plan launches besides those that apply changes. */
  default List<Kernel> kernels() {
    return List.of();
  }
}
