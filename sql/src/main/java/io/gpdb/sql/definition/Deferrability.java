package io.gpdb.sql.definition;

/** Whether a transaction may put the check of a constraint off until its end. */
public enum Deferrability {
  NOT_DEFERRABLE,
  /** It may, and does so by SET CONSTRAINTS. */
  INITIALLY_IMMEDIATE,
  /** It does so unless SET CONSTRAINTS says otherwise. */
  INITIALLY_DEFERRED;

  public static Deferrability of(boolean deferrable, boolean deferred) {
    return deferred ? INITIALLY_DEFERRED : deferrable ? INITIALLY_IMMEDIATE : NOT_DEFERRABLE;
  }

  public boolean isDeferrable() {
    return this != NOT_DEFERRABLE;
  }

  public boolean isDeferred() {
    return this == INITIALLY_DEFERRED;
  }
}
