package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.query.ExtremeQuery;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A query: a key look-up where one suffices, else a tree of operators. For the least or greatest
 * value in an index both are planned, because an index that an older version made may lack the
 * order.
 */
final class QueryPlan implements Explainable {
  private final Analyzed.Query query;
  private final Executions executions;
  private final @Nullable PointQuery point;
  private final @Nullable ExtremeQuery extreme;
  private final @Nullable Source source;

  QueryPlan(
      Analyzed.Query query,
      Executions executions,
      @Nullable PointQuery point,
      @Nullable ExtremeQuery extreme,
      @Nullable Source source) {
    this.query = query;
    this.executions = executions;
    this.point = point;
    this.extreme = extreme;
    this.source = source;
  }

  @Override
  public StatementKind kind() {
    return StatementKind.QUERY;
  }

  @Override
  public List<OutputColumn> columns() {
    return query.output();
  }

  @Override
  public Analyzed analyzed() {
    return query;
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    if (point != null) {
      return new Result.Rows(point.run(tx, executions.values(parameters)));
    }
    ExtremeQuery end = extreme;
    if (end != null && end.isUsable(tx)) {
      return new Result.Rows(end.run(tx, executions.values(parameters)));
    }
    return run(executions.begin(tx, parameters));
  }

  @Override
  public Result run(Execution x) {
    return new Result.Rows(
        point == null
            ? new BatchRowSet(source().open(x), query.output())
            : point.run(x.transaction(), x.parameters()));
  }

  private Source source() {
    if (source == null) {
      throw new IllegalStateException("a key look-up has no operators");
    }
    return source;
  }

  @Override
  public List<String> explain(Execution x) {
    if (point != null) {
      return List.of(point.explain());
    }
    Outline outline = new Outline(x);
    source().explain(outline);
    return outline.lines();
  }

  @Override
  public List<Kernel> kernels() {
    List<Kernel> kernels = new ArrayList<>();
    if (source != null) {
      source.kernels(kernels);
    }
    return kernels;
  }
}
