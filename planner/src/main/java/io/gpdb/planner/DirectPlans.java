package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.AtomicChange;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.change.InsertValues;
import io.gpdb.planner.keyed.KeyedChange;
import io.gpdb.planner.query.FewRowsQuery;
import io.gpdb.planner.query.KeyCondition;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.TotalsQuery;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.IsolationLevel;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes {@link DirectPlan}s. */
final class DirectPlans {
  /** Number of rows whose reading takes as long as loading the planner. */
  private static final long FRESH_ROWS_MAX = 1L << 22;

  private final Device device;
  private final Executions executions;
  private final int rowsMax;
  private final BooleanSupplier isFresh;

  /**
   * @param rowsMax up to how many rows the host adds up one by one, always
   * @param isFresh whether the planner's classes are not there yet
   */
  DirectPlans(Device device, Executions executions, int rowsMax, BooleanSupplier isFresh) {
    this.device = device;
    this.executions = executions;
    this.rowsMax = rowsMax;
    this.isFresh = isFresh;
  }

  /** The plan, or null where the statement needs operators. */
  @Nullable DirectPlan of(
      DirectStatement statement, CatalogSnapshot catalog, Supplier<Prepared> planner) {
    return switch (statement) {
      case DirectStatement.Rows rows -> {
        KeyCondition key = KeyCondition.of(rows.table(), rows.conditions());
        yield key == null
            ? null
            : plan(StatementKind.QUERY, rows, lookUp(PointQuery.of(rows, key)), planner);
      }
      case DirectStatement.Totals totals ->
          rowsMax == 0
              ? null
              : plan(StatementKind.QUERY, totals, totals(new TotalsQuery(totals)), planner);
      case DirectStatement.Query query ->
          rowsMax == 0
              ? null
              : plan(StatementKind.QUERY, query, fewRows(FewRowsQuery.of(query)), planner);
      case DirectStatement.Insert insert ->
          plan(StatementKind.CHANGE, insert, new Changing(new InsertValues(insert)), planner);
      case DirectStatement.Change change -> {
        KeyedChange keyed = KeyedChange.of(device, change);
        yield keyed == null
            ? null
            : plan(StatementKind.CHANGE, change, new Changing(keyed), planner);
      }
      case DirectStatement.CreateTable create ->
          catalog.views().isEmpty()
              ? plan(StatementKind.DEFINITION, create, creation(create), planner)
              : null;
    };
  }

  private static DirectPlan plan(
      StatementKind kind,
      DirectStatement statement,
      DirectPlan.Work work,
      Supplier<Prepared> planner) {
    return new DirectPlan(kind, statement, work, planner);
  }

  private DirectPlan.Work lookUp(PointQuery point) {
    return (tx, parameters) -> new Result.Rows(point.run(tx, executions.values(parameters)));
  }

  private DirectPlan.Work totals(TotalsQuery totals) {
    return (tx, parameters) -> {
      RowSet row = allows(totals, tx) ? totals.run(tx, executions.values(parameters)) : null;
      return row == null ? null : new Result.Rows(row);
    };
  }

  /**
   * Whether the host adds the rows up. In a serializable transaction other rows than those of the
   * answer are not read where an index may find these: what it reads may conflict.
   */
  private boolean allows(TotalsQuery totals, Transaction tx) {
    if (totals.mayUseIndex() && tx.isolation() == IsolationLevel.SERIALIZABLE) {
      return false;
    }
    long rows = tx.reader(totals.table().tableId()).rowLimit();
    return rows <= rowsMax
        || (isFresh.getAsBoolean()
            && (totals.countsTablets() || (rows <= FRESH_ROWS_MAX && !totals.mayUseIndex())));
  }

  /** As {@link #allows}, of a query over few rows. */
  private DirectPlan.Work fewRows(FewRowsQuery query) {
    return (tx, parameters) -> {
      boolean fits =
          query.fits(tx, rowsMax)
              && !(tx.isolation() == IsolationLevel.SERIALIZABLE && query.mayUseIndex());
      RowSet rows = fits ? query.run(tx, executions.values(parameters)) : null;
      return rows == null ? null : new Result.Rows(rows);
    };
  }

  /**
   * A change of a table without constraints. Where others of the transaction wait for its end, it
   * is left to the planner's plan.
   */
  private final class Changing implements DirectPlan.Work {
    private final Change change;

    Changing(Change change) {
      this.change = change;
    }

    @Override
    public @Nullable Result run(Transaction tx, ParameterValues parameters) {
      if (tx.watch() != null) {
        return null;
      }
      Execution x = executions.begin(tx, parameters);
      return new Result.UpdateCount(AtomicChange.run(tx, x::catalog, () -> change.apply(x)));
    }

    @Override
    public long @Nullable [] run(Transaction tx, ParameterColumns batch) {
      if (tx.watch() != null) {
        return null;
      }
      return batch.rows() == 0
          ? new long[0]
          : AtomicChange.run(
              tx,
              () -> executions.catalog(tx),
              () -> change.applyBatch(executions.begin(tx, batch), batch));
    }
  }

  /** CREATE TABLE where no view reads a table of that name. */
  private DirectPlan.Work creation(DirectStatement.CreateTable create) {
    return (tx, parameters) -> {
      if (tx.watch() != null) {
        return null;
      }
      Execution x = executions.begin(tx, parameters);
      return new Result.UpdateCount(AtomicChange.run(tx, x::catalog, () -> created(x, create)));
    };
  }

  private static long created(Execution x, DirectStatement.CreateTable create) {
    if (!create.ifNotExists() || x.catalog().table(create.table().fullName()) == null) {
      x.catalogs().createTable(x.transaction(), create.table());
    }
    return 0;
  }
}
