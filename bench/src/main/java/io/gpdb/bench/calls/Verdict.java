package io.gpdb.bench.calls;

import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is wrong with what a call threw. */
final class Verdict {
  /** Names of classes inside the engine and its libraries, and of objects without a text. */
  private static final Pattern INTERNAL =
      Pattern.compile(
          "io\\.gpdb\\.(?!bench)|org\\.apache\\.|java\\.(lang|util|time)\\.\\w*(Exception|Error)"
              + "|\\$\\$Lambda|\\bGpdb[A-Z]\\w+|@[0-9a-f]{6,}");

  private Verdict() {}

  /** Null for an SQLException as it should be. */
  static @Nullable String of(Throwable thrown) {
    if (!(thrown instanceof SQLException sql)) {
      return thrown.getClass().getName();
    }
    String state = sql.getSQLState();
    String message = sql.getMessage();
    if (state == null || state.length() != 5) {
      return "SQLState " + state;
    }
    if (state.equals("XX000")) {
      return "XX000 " + message;
    }
    if (message == null || message.isBlank()) {
      return "no message, " + state;
    }
    return INTERNAL.matcher(message).find() ? "an inner name in the message: " + message : null;
  }
}
