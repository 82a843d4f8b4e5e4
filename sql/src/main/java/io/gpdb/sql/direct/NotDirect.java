package io.gpdb.sql.direct;

/** Says that words say more than a direct plan knows, so that the parser reads them. */
final class NotDirect extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Thrown often and caught by one method, so it has no stack. */
  private NotDirect() {
    super(null, null, false, false);
  }

  static NotDirect here() {
    return new NotDirect();
  }
}
