package io.gpdb.planner.statement;

/** What a prepared statement does when it is executed. */
public enum StatementKind {
  /** Returns rows. */
  QUERY,
  /** INSERT, UPDATE, DELETE, TRUNCATE: returns a count. */
  CHANGE,
  /** CREATE and DROP: returns the count 0. */
  DEFINITION,
  /** BEGIN, COMMIT, SET, COPY, …: carried out by the session, from {@code Prepared.analyzed}. */
  SESSION
}
