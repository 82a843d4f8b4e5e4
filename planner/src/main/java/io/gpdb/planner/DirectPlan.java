package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.statement.BatchResult;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.txn.Transaction;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A statement that was planned from its words, without the planner's classes. What it cannot say or
 * do it leaves to the plan that the planner makes, then and once.
 */
final class DirectPlan implements Explainable {
  private final StatementKind kind;
  private final DirectStatement statement;
  private final Work work;
  private final Supplier<Prepared> planner;
  private volatile @Nullable Prepared planned;

  /** What it does itself; null for what is left to the planner's plan. */
  interface Work {
    @Nullable Result run(Transaction tx, ParameterValues parameters);

    default long @Nullable [] run(Transaction tx, ParameterColumns batch) {
      return null;
    }
  }

  DirectPlan(StatementKind kind, DirectStatement statement, Work work, Supplier<Prepared> planner) {
    this.kind = kind;
    this.statement = statement;
    this.work = work;
    this.planner = planner;
  }

  @Override
  public StatementKind kind() {
    return kind;
  }

  @Override
  public List<ParameterDef> parameters() {
    return statement.params();
  }

  @Override
  public List<OutputColumn> columns() {
    return statement.output();
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    Result done = work.run(tx, parameters);
    return done == null ? planned().execute(tx, parameters) : done;
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters, KeyRequest keys) {
    return kind == StatementKind.CHANGE
        ? planned().execute(tx, parameters, keys)
        : execute(tx, parameters);
  }

  @Override
  public long[] executeBatch(Transaction tx, ParameterColumns batch) {
    long[] done = work.run(tx, batch);
    return done == null ? planned().executeBatch(tx, batch) : done;
  }

  @Override
  public BatchResult executeBatch(Transaction tx, ParameterColumns batch, KeyRequest keys) {
    return planned().executeBatch(tx, batch, keys);
  }

  /** Whether the planner was asked for its plan; for tests. */
  boolean isPlanned() {
    return planned != null;
  }

  private Prepared planned() {
    Prepared known = planned;
    return known != null ? known : plan();
  }

  private synchronized Prepared plan() {
    Prepared known = planned;
    if (known == null) {
      known = planner.get();
      planned = known;
    }
    return known;
  }

  @Override
  public Analyzed analyzed() {
    return statement instanceof DirectStatement.CreateTable create
        ? new Analyzed.CreateTable(create.table(), List.of(), create.ifNotExists(), null, null)
        : planned().analyzed();
  }

  @Override
  public Result run(Execution x) {
    return ((Explainable) planned()).run(x);
  }

  @Override
  public List<String> explain(Execution x) {
    return ((Explainable) planned()).explain(x);
  }

  @Override
  public List<Kernel> kernels() {
    return ((Explainable) planned()).kernels();
  }
}
