package io.gpdb.sql.statement;

/** One statement of a procedure. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public sealed interface ProcedureStep {
  /** The statement to run; variables of the procedure are parameters in it. */
  String sql();

  /** The variables that its parameters have the values of, in the order of these. */
  int[] variables();

  /** A statement that changes something. */
  record Run(String sql, int[] variables) implements ProcedureStep {}

  /**
   * SET or SELECT … INTO: a query whose columns have the types of variables, which get the values
   * of its row.
   */
  record Assign(String sql, int[] variables, int[] targets) implements ProcedureStep {}
}
