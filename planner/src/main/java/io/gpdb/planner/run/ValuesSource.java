package io.gpdb.planner.run;

import com.google.common.collect.ImmutableList;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowBatches;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rex.RexLiteral;
import org.jspecify.annotations.Nullable;

/** Rows of constants. */
public final class ValuesSource extends Source {
  private final List<@Nullable Object[]> rows;

  public ValuesSource(List<SourceColumn> columns, ImmutableList<ImmutableList<RexLiteral>> tuples)
      throws NotCovered {
    super(columns);
    rows = new ArrayList<>();
    for (ImmutableList<RexLiteral> tuple : tuples) {
      @Nullable Object[] row = new Object[tuple.size()];
      for (int i = 0; i < row.length; i++) {
        row[i] = RexValues.literal(tuple.get(i));
      }
      rows.add(row);
    }
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return new RowBatches(types(), rows.iterator());
  }

  @Override
  public boolean isOneRow() {
    return rows.size() <= 1;
  }

  @Override
  public double estimatedRows(Execution x) {
    return rows.size();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("values", "host", this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {}
}
