package io.gpdb.shell;

import java.sql.SQLException;

/** What the shell shows as one line beginning with {@code error}. */
final class ShellError extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ShellError(String message) {
    super(message, null, false, false);
  }

  /** The line for any failure: the SQLSTATE where there is one, never a stack trace. */
  static String line(Throwable failure) {
    String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    String oneLine = message.strip().replaceAll("\\s*\\R\\s*", " ");
    if (failure instanceof SQLException sql && sql.getSQLState() != null) {
      return "error " + sql.getSQLState() + ": " + oneLine;
    }
    return "error: " + oneLine;
  }
}
