package io.gpdb.sql.statement;

/** What GRANT and REVOKE do. */
public enum GrantKind {
  GRANT,
  /** WITH GRANT OPTION, or WITH ADMIN OPTION. */
  GRANT_WITH_OPTION,
  REVOKE,
  /** REVOKE GRANT OPTION FOR, or ADMIN OPTION FOR. */
  REVOKE_OPTION;

  /** Whether something is granted. */
  public boolean grants() {
    return this == GRANT || this == GRANT_WITH_OPTION;
  }
}
