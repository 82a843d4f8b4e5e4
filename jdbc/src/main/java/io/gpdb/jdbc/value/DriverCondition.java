package io.gpdb.jdbc.value;

import io.gpdb.storage.error.ErrorCondition;

/** What a caller of JDBC does out of its turn. */
public enum DriverCondition implements ErrorCondition {
  CURSOR_STATE("24000"),
  ROW_GONE("02000"),
  STATEMENT_CLOSED("HY010");

  private final String sqlState;

  DriverCondition(String sqlState) {
    this.sqlState = sqlState;
  }

  @Override
  public String sqlState() {
    return sqlState;
  }
}
