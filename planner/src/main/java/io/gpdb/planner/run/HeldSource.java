package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.LentBatch;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The rows of a source that an operator above holds ({@link Execution#held}), with their numbers as
 * a field more, the last.
 */
public final class HeldSource extends Source {
  private final Source input;

  public HeldSource(Source input) {
    super(columns(input));
    this.input = input;
    expectAllOf(List.of(input));
  }

  private static List<SourceColumn> columns(Source input) {
    List<SourceColumn> columns = new ArrayList<>(input.columns());
    columns.add(new SourceColumn("row", SqlTypeSpec.INTEGER, false));
    return columns;
  }

  /** Whose rows are held. */
  public Source input() {
    return input;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    Batch rows = x.held().get(this);
    if (rows == null) {
      throw new IllegalStateException("no rows are held");
    }
    return Batches.of(rows.rows() == 0 ? null : new LentBatch(rows));
  }

  @Override
  public boolean hasSettledStrings() {
    return true;
  }

  @Override
  public double estimatedRows(Execution x) {
    Batch rows = x.held().get(this);
    return rows == null ? input.estimatedRows(x) : rows.rows();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("held rows", "in place", this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
