package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.change.AtomicChange;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.run.LockedRows;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * SELECT … FOR UPDATE: a query that locks rows, atomic as a change is. A row that the key names is
 * looked up and locked without kernels.
 */
record LockingPlan(
    Analyzed.LockingQuery analyzed,
    Executions executions,
    @Nullable PointQuery point,
    @Nullable LockedRows rows)
    implements Explainable {
  @Override
  public StatementKind kind() {
    return StatementKind.QUERY;
  }

  @Override
  public List<OutputColumn> columns() {
    return analyzed.query().output();
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    return run(executions.begin(tx, parameters));
  }

  @Override
  public Result run(Execution x) {
    return new Result.Rows(
        AtomicChange.run(x.transaction(), x::catalog, () -> locked(x), analyzed.waitMillis()));
  }

  private RowSet locked(Execution x) {
    LockedRows all = rows;
    if (all != null) {
      return new BatchRowSet(all.open(x), columns());
    }
    TableWriter writer = x.transaction().writer(analyzed.tables().getFirst().tableId());
    return java.util.Objects.requireNonNull(point)
        .run(
            x.transaction(),
            x.parameters(),
            row -> {
              if (analyzed.skips()) {
                return writer.tryLock(row);
              }
              writer.lock(new long[] {row}, 1);
              return true;
            });
  }

  @Override
  public List<String> explain(Execution x) {
    Outline outline = new Outline(x);
    if (point != null) {
      outline.line("lock " + point.explain());
    }
    if (rows != null) {
      rows.explain(outline);
    }
    return outline.lines();
  }

  @Override
  public List<Kernel> kernels() {
    List<Kernel> kernels = new ArrayList<>();
    if (rows != null) {
      rows.kernels(kernels);
    }
    return kernels;
  }
}
