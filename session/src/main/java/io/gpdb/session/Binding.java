package io.gpdb.session;

import io.gpdb.planner.LastPlan;
import io.gpdb.planner.Prepared;
import io.gpdb.planner.QueryEngine;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.List;

/** Provides the plan of one execution and the values for its parameters. */
public interface Binding {
  Bound bind(QueryEngine engine, String sql, Transaction transaction);

  /** A plan and values of its parameters' types. */
  record Bound(Prepared plan, ParameterValues values) {}

  ParameterValues EMPTY = new ParameterColumns(List.of()).current();

  /** Of a statement without parameters. */
  Binding NONE =
      (engine, sql, transaction) -> {
        Prepared plan = engine.prepare(sql, transaction);
        if (!plan.parameters().isEmpty()) {
          throw new GpdbException(
              SqlCondition.PARAMETER_COUNT,
              "the statement has parameters, of which none has a value: "
                  + plan.parameters().size());
        }
        return new Bound(plan, EMPTY);
      };

  /**
   * As {@link #NONE}; refuses, before it runs, a statement that changes data and returns no rows.
   */
  Binding OF_ROWS =
      (engine, sql, transaction) -> {
        Bound bound = NONE.bind(engine, sql, transaction);
        if (bound.plan().changesOnly()) {
          throw new GpdbException(
              SqlCondition.INVALID_STATEMENT, "the statement returns no rows: " + sql);
        }
        return bound;
      };

  /** As {@link #NONE}; refuses, before it runs, a statement that returns rows. */
  Binding OF_COUNT =
      (engine, sql, transaction) -> {
        Bound bound = NONE.bind(engine, sql, transaction);
        if (bound.plan().returnsRows()) {
          throw new GpdbException(
              SqlCondition.INVALID_STATEMENT, "the statement returns rows and no count: " + sql);
        }
        return bound;
      };

  /**
   * The values of the row being bound, by the types that the statement had when it was prepared.
   */
  static Binding of(ParameterColumns columns, LastPlan last) {
    return (engine, sql, transaction) -> {
      columns.take();
      return bound(engine, sql, transaction, columns, columns.rows(), last);
    };
  }

  /** As above, of one row of the batch. */
  static Binding of(ParameterColumns columns, int row, LastPlan last) {
    return (engine, sql, transaction) -> bound(engine, sql, transaction, columns, row, last);
  }

  private static Bound bound(
      QueryEngine engine,
      String sql,
      Transaction transaction,
      ParameterColumns columns,
      int row,
      LastPlan last) {
    List<ParameterFit> fits = columns.fits(row);
    List<SqlTypeSpec> wide = columns.wideTypes(row);
    if (wide != null) {
      Prepared own = engine.prepare(sql, transaction, wide, fits);
      return new Bound(own, columns.widened(row, own.parameters()).current());
    }
    Prepared plan =
        fits.isEmpty()
            ? engine.prepare(sql, transaction, last)
            : engine.prepare(sql, transaction, null, fits);
    requireSame(plan, columns, sql);
    return new Bound(plan, columns.row(row));
  }

  /** A table may have changed since the statement was prepared. */
  static void requireSame(Prepared plan, ParameterColumns columns, String sql) {
    List<ParameterDef> parameters = plan.parameters();
    boolean same = parameters.size() == columns.count();
    for (int i = 0; same && i < columns.count(); i++) {
      same = parameters.get(i).type().equals(columns.type(i));
    }
    if (!same) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "the types of the parameters have changed; prepare the statement again: " + sql);
    }
  }
}
