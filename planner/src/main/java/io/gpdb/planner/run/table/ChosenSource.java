package io.gpdb.planner.run.table;

import io.gpdb.exec.library.join.KeyFilter;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import java.util.BitSet;
import java.util.List;

/** Several ways to the same rows, of which each execution takes one. */
public abstract class ChosenSource extends Source {
  protected ChosenSource(List<SourceColumn> columns) {
    super(columns);
  }

  /** The way that this execution takes. */
  protected abstract Source chosen(Execution x);

  @Override
  public final Batches start(Execution x, BitSet needed) {
    return chosen(x).open(x, needed);
  }

  @Override
  protected final Batches startAmong(Execution x, BitSet needed, int field, KeyFilter keys) {
    return chosen(x).openAmong(x, needed, field, keys);
  }

  @Override
  public final double estimatedRows(Execution x) {
    return chosen(x).estimatedRows(x);
  }

  @Override
  public final void explain(Outline outline) {
    chosen(outline.execution()).explain(outline);
  }
}
