package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.change.AtomicChange;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.run.Execution;
import io.gpdb.sql.Analyzed;
import io.gpdb.txn.Transaction;
import java.util.List;

/** INSERT, UPDATE, DELETE or TRUNCATE, atomic as a statement and as a batch. */
final class ChangePlan implements Explainable {
  private final Analyzed analyzed;
  private final Change change;
  private final Executions executions;

  ChangePlan(Analyzed analyzed, Change change, Executions executions) {
    this.analyzed = analyzed;
    this.change = change;
    this.executions = executions;
  }

  @Override
  public StatementKind kind() {
    return StatementKind.CHANGE;
  }

  @Override
  public Analyzed analyzed() {
    return analyzed;
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    return run(executions.begin(tx, parameters));
  }

  @Override
  public Result run(Execution x) {
    return new Result.UpdateCount(AtomicChange.run(x.transaction(), () -> change.apply(x)));
  }

  @Override
  public long[] executeBatch(Transaction tx, ParameterColumns batch) {
    if (batch.rows() == 0) {
      return new long[0];
    }
    return AtomicChange.run(tx, () -> change.applyBatch(executions.begin(tx, batch), batch));
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
