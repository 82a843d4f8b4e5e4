package io.gpdb.planner.statement;

/** What a prepared statement does when it is executed. */
public enum StatementKind {
  /** Gives rows. */
  QUERY,
  /** INSERT, UPDATE, DELETE, TRUNCATE: gives a count. */
  CHANGE,
  /** CREATE and DROP: gives the count 0. */
  DEFINITION,
  /** BEGIN, COMMIT, SET, COPY, …: carried out by the session, from {@code Prepared.analyzed}. */
  SESSION
}
