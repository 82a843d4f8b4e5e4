package io.gpdb.sql.definition;

/** A CHECK constraint: the text of a condition that no row of the table may make FALSE. */
public record CheckDef(String name, String condition, Deferrability deferrability) {
  /** One that every statement keeps. */
  public CheckDef(String name, String condition) {
    this(name, condition, Deferrability.NOT_DEFERRABLE);
  }

  public CheckDef withName(String other) {
    return new CheckDef(other, condition, deferrability);
  }
}
