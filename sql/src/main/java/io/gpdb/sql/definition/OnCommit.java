package io.gpdb.sql.definition;

/**
 * What becomes of the rows of a temporary table, or of the table itself, at the end of a
 * transaction.
 */
public enum OnCommit {
  PRESERVE_ROWS,
  DELETE_ROWS,
  DROP;

  /** As ON COMMIT says it. */
  public String words() {
    return name().replace('_', ' ').replace(" ROWS", "");
  }
}
