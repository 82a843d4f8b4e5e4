package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.QueryEngine;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.txn.Transaction;
import org.jspecify.annotations.Nullable;

/** Provides the one plan of a batch and its rows. */
public interface BatchBinding {
  /** Null where the rows need more than one plan. */
  @Nullable Bound bind(QueryEngine engine, String sql, Transaction transaction);

  /** A plan and rows of its parameters' types. */
  record Bound(Prepared plan, ParameterColumns rows) {}

  /** Rows bound by the types that the statement had when it was prepared. */
  static BatchBinding of(ParameterColumns rows) {
    return (engine, sql, transaction) -> {
      Prepared plan = engine.prepare(sql, transaction);
      Binding.requireSame(plan, rows, sql);
      return new Bound(plan, rows);
    };
  }
}
