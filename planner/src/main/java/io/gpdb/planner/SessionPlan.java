package io.gpdb.planner;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;

/** A statement that the session carries out itself. */
record SessionPlan(Analyzed analyzed) implements Prepared {
  @Override
  public StatementKind kind() {
    return StatementKind.SESSION;
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    throw new GpdbException(
        SqlCondition.INVALID_STATEMENT,
        "this statement belongs to a session and not to the engine");
  }
}
