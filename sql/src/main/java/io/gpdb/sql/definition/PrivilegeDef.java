package io.gpdb.sql.definition;

import org.jspecify.annotations.Nullable;

/**
 * What a role, or everybody, was granted on a table, view, routine or domain.
 *
 * @param column null where it is on the whole table
 * @param grantable whether it was granted WITH GRANT OPTION
 */
public record PrivilegeDef(
    String grantee, Action action, @Nullable String column, boolean grantable) {
  /** What may be done to a table, or with a routine or domain. */
  public enum Action {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    REFERENCES,
    TRIGGER,
    EXECUTE,
    USAGE;

    /** What it is granted on. */
    public Target target() {
      return switch (this) {
        case EXECUTE -> Target.ROUTINE;
        case USAGE -> Target.DOMAIN;
        default -> Target.TABLE;
      };
    }

    /** Whether it may be granted on single columns. */
    public boolean isOfColumns() {
      return target() == Target.TABLE && this != DELETE && this != TRIGGER;
    }
  }

  /** What privileges are on; a view is a table here. */
  public enum Target {
    TABLE,
    ROUTINE,
    DOMAIN
  }

  public PrivilegeDef withColumn(@Nullable String other) {
    return new PrivilegeDef(grantee, action, other, grantable);
  }

  public PrivilegeDef withGrantable(boolean other) {
    return new PrivilegeDef(grantee, action, column, other);
  }

  /** Whether this is on the table and the other one, on a column, says nothing more. */
  public boolean includes(PrivilegeDef other) {
    return column == null
        && other.column != null
        && isOfSame(other.withColumn(null))
        && (grantable || !other.grantable);
  }

  /** Whether the other one differs at most in its GRANT OPTION. */
  public boolean isOfSame(PrivilegeDef other) {
    return withGrantable(other.grantable).equals(other);
  }
}
