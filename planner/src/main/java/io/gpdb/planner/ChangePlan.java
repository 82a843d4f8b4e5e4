package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.AtomicChange;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.change.ReturnedRows;
import io.gpdb.planner.statement.BatchResult;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.txn.Transaction;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What changes rows or tables, atomic as a statement and as a batch. A definition counts no rows
 * unless it creates a table from a query, and is not for batches.
 */
record ChangePlan(
    StatementKind kind,
    Analyzed analyzed,
    Change change,
    Executions executions,
    Constraining constraining,
    @Nullable ReturnedRows returned,
    @Nullable Long waitMillis)
    implements Explainable {
  @Override
  public List<OutputColumn> columns() {
    return returned == null ? List.of() : returned.output();
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    return run(executions.begin(tx, parameters));
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters, KeyRequest keys) {
    ReturnedRows asked = returned == null ? GeneratedKeys.of(analyzed, keys) : null;
    return asked == null
        ? execute(tx, parameters)
        : returning(executions.begin(tx, parameters), asked);
  }

  @Override
  public Result run(Execution x) {
    if (returned != null) {
      Result.Keyed changed = returning(x, returned);
      return new Result.Rows(changed.keys());
    }
    return new Result.UpdateCount(
        AtomicChange.run(
            x.transaction(),
            x::catalog,
            () -> constraining.keeping(x.transaction(), x::catalog, () -> change.apply(x)),
            waitMillis));
  }

  private Result.Keyed returning(Execution x, ReturnedRows asked) {
    return AtomicChange.run(
        x.transaction(),
        x::catalog,
        () -> {
          try (ReturnedRows.Taken rows = asked.take(x)) {
            long count =
                constraining.keeping(
                    x.transaction(), x::catalog, () -> change.apply(x.reporting(rows)));
            return keyed(count, asked, rows);
          }
        });
  }

  private static Result.Keyed keyed(long count, ReturnedRows asked, ReturnedRows.Taken rows) {
    return new Result.Keyed(count, asked.output(), new BatchRowSet(rows.batches(), asked.output()));
  }

  @Override
  public BatchResult executeBatch(Transaction tx, ParameterColumns batch, KeyRequest keys) {
    ReturnedRows asked =
        kind == StatementKind.CHANGE && batch.rows() > 0 ? GeneratedKeys.of(analyzed, keys) : null;
    if (asked == null) {
      return new BatchResult(executeBatch(tx, batch), null);
    }
    return AtomicChange.run(
        tx,
        () -> executions.catalog(tx),
        () -> {
          Execution x = executions.begin(tx, batch);
          try (ReturnedRows.Taken rows = asked.take(x)) {
            long[] counts =
                constraining.keeping(
                    tx,
                    () -> executions.catalog(tx),
                    () -> change.applyBatch(x.reporting(rows), batch));
            return new BatchResult(counts, keyed(LongStream.of(counts).sum(), asked, rows));
          }
        });
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
        () ->
            constraining.keeping(
                tx,
                () -> executions.catalog(tx),
                () -> change.applyBatch(executions.begin(tx, batch), batch)));
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
