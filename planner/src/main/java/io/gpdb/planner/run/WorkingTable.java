package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowsOnce;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import java.util.BitSet;
import java.util.List;

/** The rows that the step of a recursion reads: those of the iteration before. */
public final class WorkingTable extends Source {
  private final String name;

  public WorkingTable(String name, List<SourceColumn> columns) {
    super(columns);
    this.name = name;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    RowsOnce rows = x.once().get(this);
    if (rows == null) {
      throw new IllegalStateException("no rows of " + name + " are held");
    }
    return rows.open(needed);
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    RowsOnce rows = x.once().get(this);
    return rows == null ? 1 : rows.rows();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("rows of " + name + " of the iteration before", "in place", this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {}
}
