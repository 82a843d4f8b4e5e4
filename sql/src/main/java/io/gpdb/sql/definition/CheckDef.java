package io.gpdb.sql.definition;

/** A CHECK constraint: the text of a condition that no row of the table may make FALSE. */
public record CheckDef(String name, String condition) {
  public CheckDef withName(String other) {
    return new CheckDef(other, condition);
  }
}
