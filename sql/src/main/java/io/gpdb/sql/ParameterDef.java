package io.gpdb.sql;

/**
 * A {@code ?} of a statement. When the place of the parameter did not tell its type, {@code
 * certain} is false and the type is a guess: analyse again with the types of the bound values.
 */
public record ParameterDef(SqlTypeSpec type, boolean certain) {
  public ParameterDef(SqlTypeSpec type) {
    this(type, true);
  }
}
