package io.gpdb.planner.run.table;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.RowBatches;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.sql.definition.HostTable;
import io.gpdb.sql.information.InformationSchema;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a table of INFORMATION_SCHEMA. */
public final class HostTableSource extends Source {
  private final HostTable table;

  public HostTableSource(HostTable table) {
    super(
        table.columns().stream()
            .map(c -> new SourceColumn(c.name(), c.type(), c.nullable()))
            .toList());
    this.table = table;
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (@Nullable Object[] row : InformationSchema.rows(table, x.catalog(), x.settings())) {
      @Nullable Object[] values = row.clone();
      for (int i = 0; i < values.length; i++) {
        if (values[i] instanceof Integer number) {
          values[i] = (long) number;
        }
      }
      rows.add(values);
    }
    return new RowBatches(types(), rows.iterator());
  }

  @Override
  public double estimatedRows(Execution x) {
    return InformationSchema.rows(table, x.catalog(), x.settings()).size();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("table " + table.schema() + "." + table.name(), "host", this);
  }

  @Override
  public void kernels(List<Kernel> kernels) {}
}
