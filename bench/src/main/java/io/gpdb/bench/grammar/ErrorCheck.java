package io.gpdb.bench.grammar;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Says what is wrong with an error: its SQLSTATE, its class, names of the engine's inside. */
public final class ErrorCheck {
  /** What a user cannot have written: the parser folds names and ends words at a dollar's side. */
  private static final Pattern INTERNAL =
      Pattern.compile(
          "org\\.apache|calcite|io\\.gpdb|\\bjava\\.|\\bjavax\\.|Logical[A-Z]\\w+|Enumerable\\w+"
              + "|\\$f\\d|EXPR\\$|\\$cor\\d|\\bRex[A-Z]\\w+|\\bRel[A-Z]\\w+|SqlKind|\\bSql[A-Z]\\w+"
              + "|\\bjj_|Exception\\b|\\$SCALAR|\\$\\d+\\b|=>|\\bRecordType\\b|_ROWID|\\bnull\\b"
              + "|@[0-9a-f]{6,}");

  private static final int FRAMES = 6;

  /** A shorter text cannot be nested too deeply: something runs without end. */
  private static final int COMPLEX_LENGTH_MIN = 1000;

  private ErrorCheck() {}

  /** What is wrong, or null. */
  public static @Nullable String fault(Throwable thrown, String sql) {
    if (!(thrown instanceof SQLException error)) {
      return "not an SQLException: " + root(thrown);
    }
    String state = error.getSQLState();
    if (state == null || state.length() != 5) {
      return "SQLSTATE " + state + ": " + root(thrown);
    }
    boolean tooComplex = state.equals("54001") && sql.length() < COMPLEX_LENGTH_MIN;
    if (state.startsWith("XX") || tooComplex) {
      return "SQLSTATE " + state + ": " + root(thrown);
    }
    String message = error.getMessage();
    if (message == null || message.isBlank()) {
      return "no message: " + root(thrown);
    }
    Matcher internal = INTERNAL.matcher(message);
    while (internal.find()) {
      if (!sql.contains(internal.group())) {
        return "the message says " + internal.group();
      }
    }
    return null;
  }

  /**
   * What failed in Java where a statement is refused; null where it is refused on purpose, by an
   * exception that says so.
   */
  public static @Nullable String accident(Throwable thrown) {
    Throwable root = cause(thrown);
    boolean isRefusal = thrown instanceof SQLException error && "0A000".equals(error.getSQLState());
    boolean failed =
        root.getClass().getName().startsWith("java.")
            && !(root instanceof SQLException || root instanceof UnsupportedOperationException);
    return isRefusal && failed ? "refused by accident: " + root(thrown) : null;
  }

  private static Throwable cause(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  private static String root(Throwable thrown) {
    Throwable root = cause(thrown);
    StringBuilder text = new StringBuilder(root.getClass().getName());
    StackTraceElement[] frames = root.getStackTrace();
    for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
      text.append(" < ")
          .append(frames[i].getFileName())
          .append(':')
          .append(frames[i].getLineNumber());
    }
    return text.toString();
  }
}
