package io.gpdb.sql.error;

import io.gpdb.storage.error.ErrorCondition;

/** What is wrong with a statement, its names, types and values. */
public enum SqlCondition implements ErrorCondition {
  SYNTAX("42601"),
  COLUMN_NOT_FOUND("42S22"),
  COLUMN_EXISTS("42S21"),
  INDEX_EXISTS("42S11"),
  INDEX_NOT_FOUND("42S12"),
  OBJECT_NOT_FOUND("42704"),
  CONSTRAINT_EXISTS("42710"),
  INVALID_STATEMENT("42000"),
  WRONG_KIND_OF_OBJECT("42809"),
  NO_SUCH_KEY("42P10"),
  OBJECT_IN_USE("2BP01"),
  TYPE_MISMATCH("42804"),
  INVALID_FOREIGN_KEY("42830"),
  PARAMETER_COUNT("07001"),
  CARDINALITY("21000"),
  GENERATED_ALWAYS("428C9"),
  SEQUENCE_NOT_USED("55000"),
  SEQUENCE_EXHAUSTED("2200H"),
  STRING_TOO_LONG("22001"),
  INVALID_DATETIME("22007"),
  DATETIME_OVERFLOW("22008"),
  DIVISION_BY_ZERO("22012"),
  INVALID_CAST("22018"),
  NOT_A_CHARACTER("22021"),
  INVALID_ESCAPE("22025"),
  NOT_NULL_VIOLATION("23502"),
  FOREIGN_KEY_VIOLATION("23503"),
  DUPLICATE_KEY("23505"),
  CHECK_VIOLATION("23514"),
  SCHEMA_NOT_FOUND("3F000"),
  SCHEMA_EXISTS("42P06"),
  CHECK_OPTION_VIOLATION("44000");

  private final String sqlState;

  SqlCondition(String sqlState) {
    this.sqlState = sqlState;
  }

  @Override
  public String sqlState() {
    return sqlState;
  }
}
