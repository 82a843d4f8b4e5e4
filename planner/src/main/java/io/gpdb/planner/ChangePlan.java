package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.change.AtomicChange;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.run.Execution;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.txn.Transaction;
import java.util.List;

/**
 * What changes rows or tables, atomic as a statement and as a batch. A definition counts no rows
 * unless it creates a table from a query, and is not for batches.
 */
record ChangePlan(StatementKind kind, Analyzed analyzed, Change change, Executions executions)
    implements Explainable {
  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    return run(executions.begin(tx, parameters));
  }

  @Override
  public Result run(Execution x) {
    return new Result.UpdateCount(
        AtomicChange.run(x.transaction(), x::catalog, () -> change.apply(x)));
  }

  @Override
  public long[] executeBatch(Transaction tx, ParameterColumns batch) {
    if (kind != StatementKind.CHANGE) {
      return Explainable.super.executeBatch(tx, batch);
    }
    if (batch.rows() == 0) {
      return new long[0];
    }
    return AtomicChange.run(
        tx,
        () -> executions.catalog(tx),
        () -> change.applyBatch(executions.begin(tx, batch), batch));
  }

  @Override
  public List<String> explain(Execution x) {
    return change.explain(x);
  }

  @Override
  public List<Kernel> kernels() {
    return change.kernels();
  }
}
