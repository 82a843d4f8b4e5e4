package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.Change;
import io.gpdb.planner.constraint.Constraints;
import io.gpdb.sql.statement.Analyzed;
import java.util.List;

/** SET CONSTRAINTS: when the foreign keys of the transaction are checked from now on. */
public final class SetConstraints implements Change {
  private final Analyzed.SetConstraints statement;
  private final Constraints constraints;

  public SetConstraints(Analyzed.SetConstraints statement, Constraints constraints) {
    this.statement = statement;
    this.constraints = constraints;
  }

  @Override
  public long apply(Execution x) {
    constraints.set(x.transaction(), statement.names(), statement.deferred());
    return 0;
  }

  @Override
  public List<String> explain(Execution x) {
    return List.of("set constraints [transaction]");
  }
}
