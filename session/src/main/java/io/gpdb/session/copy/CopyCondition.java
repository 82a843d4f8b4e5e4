package io.gpdb.session.copy;

import io.gpdb.storage.error.ErrorCondition;

/** What is wrong with the text of a file that is imported. */
enum CopyCondition implements ErrorCondition {
  BAD_CSV("22P04");

  private final String sqlState;

  CopyCondition(String sqlState) {
    this.sqlState = sqlState;
  }

  @Override
  public String sqlState() {
    return sqlState;
  }
}
