package io.gpdb.sql;

/**
 * A {@code ?} of a statement.
 *
 * @param certain false when the place of the parameter did not tell its type, which is a guess:
 *     analyse again with the types of the bound values
 * @param exact whether a value that the type does not hold is refused and not rounded
 */
public record ParameterDef(SqlTypeSpec type, boolean certain, boolean exact) {
  /** One whose value is stored. */
  public ParameterDef(SqlTypeSpec type) {
    this(type, true, false);
  }
}
