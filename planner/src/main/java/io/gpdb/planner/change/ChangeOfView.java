package io.gpdb.planner.change;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.ChangedRows;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.constraint.CheckedViews;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.sql.definition.TableDef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change through views WITH CHECK OPTION: the change of the table, whose new and changed rows are
 * then looked at.
 */
public final class ChangeOfView implements Change {
  private final TableDef table;
  private final Change change;
  private final CheckedViews views;

  public ChangeOfView(TableDef table, Change change, CheckedViews views) {
    this.table = table;
    this.change = change;
    this.views = views;
  }

  @Override
  public long apply(Execution x) {
    StoredRows stored = new StoredRows(table, x.changed());
    long count = change.apply(x.reporting(stored));
    views.judge(x, stored.rows);
    return count;
  }

  @Override
  public long[] applyBatch(Execution x, ParameterColumns batch) {
    StoredRows stored = new StoredRows(table, x.changed());
    long[] counts = change.applyBatch(x.reporting(stored), batch);
    views.judge(x, stored.rows);
    return counts;
  }

  @Override
  public List<String> explain(Execution x) {
    return change.explain(x);
  }

  @Override
  public List<Kernel> kernels() {
    return change.kernels();
  }

  /** Keeps which rows were stored, and tells whoever else asks. */
  private static final class StoredRows implements ChangedRows {
    private final ChosenRows rows;
    private final @Nullable ChangedRows others;

    StoredRows(TableDef table, @Nullable ChangedRows others) {
      this.rows = new ChosenRows(table.tableId());
      this.others = others;
    }

    @Override
    public void stored(long first, int n) {
      rows.addNew(first, n);
      if (others != null) {
        others.stored(first, n);
      }
    }

    @Override
    public void replacing(long row) {
      if (others != null) {
        others.replacing(row);
      }
    }

    @Override
    public void deleting(long row) {
      if (others != null) {
        others.deleting(row);
      }
    }
  }
}
