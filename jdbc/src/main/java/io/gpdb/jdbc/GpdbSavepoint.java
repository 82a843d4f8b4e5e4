package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.session.SessionSavepoints;
import io.gpdb.storage.error.ErrorCode;
import java.sql.SQLException;
import java.sql.Savepoint;

/** A savepoint of a session as JDBC shows it. */
final class GpdbSavepoint implements Savepoint {
  private final SessionSavepoints.Entry entry;

  GpdbSavepoint(SessionSavepoints.Entry entry) {
    this.entry = entry;
  }

  SessionSavepoints.Entry entry() {
    return entry;
  }

  @Override
  public int getSavepointId() throws SQLException {
    if (entry.name() != null) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "savepoint " + entry.name() + " has a name, no id");
    }
    return entry.id();
  }

  @Override
  public String getSavepointName() throws SQLException {
    String name = entry.name();
    if (name == null) {
      throw SqlErrors.of(
          ErrorCode.INVALID_ARGUMENT, "savepoint " + entry.id() + " has an id, no name");
    }
    return name;
  }

  @Override
  public String toString() {
    return entry.toString();
  }
}
