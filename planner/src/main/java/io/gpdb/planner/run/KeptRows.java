package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.LentBatch;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import java.util.BitSet;
import java.util.List;

/** The rows of a source that an operator above has read already ({@link Execution#held}). */
public final class KeptRows extends Source {
  private static final double ROWS_UNKNOWN = 1000;

  public KeptRows(List<SourceColumn> columns) {
    super(columns);
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    Batch rows = x.held().get(this);
    if (rows == null) {
      throw new IllegalStateException("no rows are kept");
    }
    return Batches.of(new LentBatch(rows));
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    Batch rows = x.held().get(this);
    return rows == null ? ROWS_UNKNOWN : rows.rows();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("the outer rows", "in place", this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {}
}
