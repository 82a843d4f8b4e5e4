package io.gpdb.shell;

import io.gpdb.storage.error.GpdbException;
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
    String state =
        switch (failure) {
          case SQLException sql -> sql.getSQLState();
          case GpdbException own -> own.sqlState();
          default -> null;
        };
    return state == null ? "error: " + oneLine : "error " + state + ": " + oneLine;
  }
}
