package io.gpdb.sql.plain;

/** Says that a query is more than plain, so that Calcite's validator and converter take it. */
final class NotPlain extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Thrown often and caught by one method, so it has no stack. */
  private NotPlain() {
    super(null, null, false, false);
  }

  static NotPlain here() {
    return new NotPlain();
  }
}
