package io.gpdb.planner.bridge;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.text.CalciteFaults;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.Locale;

/** Turns what Calcite's compiled code throws into errors of SQL. */
final class BridgeErrors {
  private BridgeErrors() {}

  static GpdbException whileCompiling(Throwable thrown) {
    GpdbException own = own(thrown);
    if (own != null) {
      return own;
    }
    if (thrown instanceof StackOverflowError) {
      return new GpdbException(
          ErrorCode.TOO_COMPLEX, "the query is nested too deeply to be compiled", thrown);
    }
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED, "no operator of gpDB or Calcite runs this query", thrown);
  }

  static GpdbException whileRunning(Throwable thrown) {
    GpdbException own = own(thrown);
    if (own != null) {
      return own;
    }
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    ErrorCondition code = code(root);
    return code == ErrorCode.INTERNAL
        ? CalciteFaults.of(thrown)
        : new GpdbException(code, shortened(root), thrown);
  }

  private static @org.jspecify.annotations.Nullable GpdbException own(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof GpdbException own) {
        return own;
      }
    }
    return null;
  }

  private static ErrorCondition code(Throwable root) {
    String message = String.valueOf(root.getMessage()).toLowerCase(Locale.ROOT);
    if (message.contains("more than one value")) {
      return SqlCondition.CARDINALITY;
    }
    if (message.contains("by zero")) {
      return SqlCondition.DIVISION_BY_ZERO;
    }
    if (root instanceof ArithmeticException
        || message.contains("out of range")
        || message.contains("overflow")) {
      return ErrorCode.NUMERIC_OUT_OF_RANGE;
    }
    if (root instanceof NumberFormatException) {
      return SqlCondition.INVALID_CAST;
    }
    if (root instanceof IllegalArgumentException || message.contains("substring error")) {
      return ErrorCode.INVALID_ARGUMENT;
    }
    if (root instanceof UnsupportedOperationException) {
      return ErrorCode.NOT_SUPPORTED;
    }
    return root instanceof StackOverflowError ? ErrorCode.TOO_COMPLEX : ErrorCode.INTERNAL;
  }

  private static String shortened(Throwable thrown) {
    String message = String.valueOf(thrown.getMessage());
    int line = message.indexOf('\n');
    String text = line < 0 ? message : message.substring(0, line).strip();
    return CalciteFaults.isReadable(text) ? text : "an expression cannot take its values";
  }
}
