package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.mapping.QueryMapper;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ViewCheck;
import io.gpdb.storage.error.GpdbException;
import java.util.List;

/** The conditions of views WITH CHECK OPTION, which rows written through these must meet. */
public final class CheckedViews {
  private final TableDef table;
  private final List<Checked> views;

  private record Checked(ObjectName view, CheckPlan plan) {}

  private CheckedViews(TableDef table, List<Checked> views) {
    this.table = table;
    this.views = views;
  }

  public static CheckedViews of(TableDef table, List<ViewCheck> checks, QueryMapper mapper) {
    return new CheckedViews(
        table,
        checks.stream()
            .map(
                check -> new Checked(check.view(), CheckPlan.of(table, check.violations(), mapper)))
            .toList());
  }

  /** Throws 44000 where one of the rows would not be a row of a view. */
  public void judge(Execution x, ChosenRows rows) {
    if (rows.count() == 0) {
      return;
    }
    for (Checked checked : views) {
      long row = checked.plan.firstViolation(x, rows);
      if (row >= 0) {
        throw new GpdbException(
            SqlCondition.CHECK_OPTION_VIOLATION,
            "the check option of view "
                + checked.view
                + " is violated by the row "
                + RowText.of(table, x.transaction().reader(table.tableId()), row));
      }
    }
  }
}
