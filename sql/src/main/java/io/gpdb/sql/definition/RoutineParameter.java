package io.gpdb.sql.definition;

import io.gpdb.sql.type.SqlTypeSpec;

/** A parameter of a routine. */
public record RoutineParameter(String name, Mode mode, SqlTypeSpec type) {
  /** Whether it takes a value, returns one, or both. */
  public enum Mode {
    IN,
    OUT,
    INOUT
  }

  public boolean takesValue() {
    return mode != Mode.OUT;
  }

  public boolean returnsValue() {
    return mode != Mode.IN;
  }
}
