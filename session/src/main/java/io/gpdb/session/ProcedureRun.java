package io.gpdb.session;

import io.gpdb.planner.Prepared;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ProcedureStep;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** One CALL of a procedure: its statements one after the other. */
final class ProcedureRun {
  private final Analyzed.Call call;
  private final SessionSchema schema;
  private final Statements statements;
  private final List<RoutineParameter> parameters;
  private final ProcedureVariables variables;

  /** What it needs of the session. */
  interface Statements {
    Outcome execute(String sql, Binding binding);

    /** The transaction, for the next statement in it. */
    Transaction transaction();

    Prepared prepare(String query, Transaction transaction);

    Prepared prepare(Analyzed.Query query, Transaction transaction);

    /** Rows that are in memory. */
    Outcome rows(List<OutputColumn> columns, RowSet rows);
  }

  /**
   * A call.
   *
   * @param schema the session's, which is the procedure's while it runs
   */
  ProcedureRun(Analyzed.Call call, SessionSchema schema, Statements statements) {
    this.call = call;
    this.schema = schema;
    this.statements = statements;
    this.parameters = call.procedure().parameters();
    this.variables = new ProcedureVariables(parameters);
  }

  /** A row of what the parameters return, or where none does a count of 0. */
  Outcome run(ParameterValues given) {
    takeArguments(given);
    String before = schema.name();
    schema.set(call.procedure().namesFrom());
    try {
      call.steps().forEach(this::run);
    } finally {
      schema.set(before);
    }
    return outcome();
  }

  private int[] having(Predicate<RoutineParameter> wanted) {
    return IntStream.range(0, parameters.size())
        .filter(i -> wanted.test(parameters.get(i)))
        .toArray();
  }

  private void takeArguments(ParameterValues given) {
    Analyzed.Query arguments = call.arguments();
    if (arguments != null) {
      Transaction transaction = statements.transaction();
      Prepared query = statements.prepare(arguments, transaction);
      assign(query, transaction, given, having(RoutineParameter::takesValue));
    }
  }

  private void run(ProcedureStep step) {
    ParameterValues values = variables.values(step.variables());
    switch (step) {
      case ProcedureStep.Run run -> {
        Binding binding =
            (engine, sql, transaction) ->
                new Binding.Bound(engine.prepare(sql, transaction), values);
        var _ = statements.execute(run.sql(), binding);
      }
      case ProcedureStep.Assign assign -> {
        Transaction transaction = statements.transaction();
        Prepared query = statements.prepare(assign.sql(), transaction);
        assign(query, transaction, values, assign.targets());
      }
    }
  }

  /** Without a row the variables stay as they are. */
  private void assign(
      Prepared query, Transaction transaction, ParameterValues values, int[] targets) {
    try (RowSet rows = Outcome.rows(query.execute(transaction, values))) {
      if (rows.next()) {
        variables.set(targets, rows);
        if (rows.next()) {
          throw new GpdbException(
              SqlCondition.CARDINALITY,
              "SELECT INTO in procedure " + call.procedure().fullName() + " finds several rows");
        }
      }
    }
  }

  private Outcome outcome() {
    int[] returned = having(RoutineParameter::returnsValue);
    return returned.length == 0
        ? new Outcome.Count(0)
        : statements.rows(call.returned(), variables.row(returned));
  }
}
