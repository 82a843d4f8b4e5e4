package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.query.KeyCondition;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.TotalsQuery;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.txn.Transaction;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A query that was planned from its words, without the planner's classes. What it cannot say or do
 * it leaves to the plan that the planner makes, then and once.
 */
final class DirectPlan implements Explainable {
  private final DirectStatement statement;
  private final Executions executions;
  private final @Nullable PointQuery point;
  private final @Nullable TotalsQuery totals;
  private final Limits limits;
  private final Supplier<Prepared> planner;
  private volatile @Nullable Prepared planned;

  /**
   * Up to how many rows the host adds up one by one.
   *
   * @param rowsMax always
   * @param isFresh whether the planner's classes are not there yet
   */
  record Limits(int rowsMax, BooleanSupplier isFresh) {
    /** Reading so many takes as long as loading the planner. */
    private static final long FRESH_ROWS_MAX = 1L << 22;

    private boolean allow(TotalsQuery totals, Transaction tx) {
      long rows = tx.reader(totals.table().tableId()).rowLimit();
      return rows <= rowsMax
          || (isFresh.getAsBoolean()
              && (totals.countsTablets() || (rows <= FRESH_ROWS_MAX && !totals.mayUseIndex())));
    }
  }

  private DirectPlan(
      DirectStatement statement,
      Executions executions,
      @Nullable PointQuery point,
      @Nullable TotalsQuery totals,
      Limits limits,
      Supplier<Prepared> planner) {
    this.statement = statement;
    this.executions = executions;
    this.point = point;
    this.totals = totals;
    this.limits = limits;
    this.planner = planner;
  }

  /** The plan, or null where the statement needs operators. */
  static @Nullable DirectPlan of(
      DirectStatement statement, Executions executions, Limits limits, Supplier<Prepared> planner) {
    return switch (statement) {
      case DirectStatement.Rows rows -> {
        KeyCondition key = KeyCondition.of(rows);
        yield key == null
            ? null
            : new DirectPlan(rows, executions, PointQuery.of(rows, key), null, limits, planner);
      }
      case DirectStatement.Totals totals ->
          limits.rowsMax() == 0
              ? null
              : new DirectPlan(totals, executions, null, new TotalsQuery(totals), limits, planner);
    };
  }

  @Override
  public StatementKind kind() {
    return StatementKind.QUERY;
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
    if (point != null) {
      return new Result.Rows(point.run(tx, executions.values(parameters)));
    }
    RowSet row =
        totals != null && limits.allow(totals, tx)
            ? totals.run(tx, executions.values(parameters))
            : null;
    return row == null ? planned().execute(tx, parameters) : new Result.Rows(row);
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
    return planned().analyzed();
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
