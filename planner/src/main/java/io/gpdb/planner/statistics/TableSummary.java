package io.gpdb.planner.statistics;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.run.table.TableSource;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ColumnStatistics;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a table as a transaction sees it and says what its values are like. One column after the
 * other, so that a tablet's writers wait for one column of it at most.
 */
public final class TableSummary {
  private TableSummary() {}

  /** The table with statistics of all its columns. */
  public static TableDef of(TableDef table, Execution x) {
    TableSource rows = new TableSource(table, false);
    List<ColumnDef> columns = new ArrayList<>();
    for (int c = 0; c < table.columns().size(); c++) {
      columns.add(table.column(c).withStatistics(ofColumn(rows, c, x)));
    }
    return table.withColumns(columns);
  }

  private static ColumnStatistics ofColumn(TableSource rows, int column, Execution x) {
    ElementType type = rows.types().get(column).element();
    ColumnSummary summary = new ColumnSummary(type, (long) rows.estimatedRows(x));
    BitSet needed = new BitSet();
    needed.set(column);
    try (Batches batches = rows.open(x, needed)) {
      while (add(batches, column, type, summary)) {
        // the batch is closed before the next is asked for
      }
    }
    return summary.statistics();
  }

  private static boolean add(Batches batches, int column, ElementType type, ColumnSummary summary) {
    try (Batch batch = batches.next()) {
      if (batch == null) {
        return false;
      }
      HostBuffer values = batch.hostValues(column);
      HostBuffer present = batch.hostValidity(column);
      DeviceBuffer live = batch.live();
      @Nullable HostBuffer exists = live == null ? null : live.onHost();
      for (int row = 0, n = batch.rows(); row < n; row++) {
        if (exists != null && !Bitmaps.test(exists, row)) {
          continue;
        }
        if (present == null || Bitmaps.test(present, row)) {
          summary.add(type.rawAt(values, row));
        } else {
          summary.addNull();
        }
      }
      return true;
    }
  }
}
