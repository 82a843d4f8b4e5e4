package io.gpdb.planner;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.List;

/** A statement that the session carries out itself. */
record SessionPlan(Analyzed analyzed) implements Prepared {
  @Override
  public StatementKind kind() {
    return StatementKind.SESSION;
  }

  @Override
  public List<OutputColumn> columns() {
    return analyzed instanceof Analyzed.Call call ? call.returned() : List.of();
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    throw new GpdbException(
        SqlCondition.INVALID_STATEMENT,
        "this statement belongs to a session and not to the engine");
  }
}
