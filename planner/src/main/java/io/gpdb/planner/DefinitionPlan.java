package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.change.AtomicChange;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.run.Execution;
import io.gpdb.sql.Analyzed;
import io.gpdb.txn.Transaction;
import java.util.Arrays;
import java.util.List;

/** CREATE or DROP; counts no rows unless it creates a table from a query. */
record DefinitionPlan(Analyzed analyzed, Change change, Executions executions)
    implements Explainable {
  @Override
  public StatementKind kind() {
    return StatementKind.DEFINITION;
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
    long[] counts = new long[batch.rows()];
    Arrays.setAll(counts, row -> ((Result.UpdateCount) execute(tx, batch.row(row))).rows());
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
}
