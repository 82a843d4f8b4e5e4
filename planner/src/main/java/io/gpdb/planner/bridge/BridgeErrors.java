package io.gpdb.planner.bridge;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
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
          ErrorCode.LIMIT_EXCEEDED, "the query is nested too deeply to be compiled", thrown);
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
    return new GpdbException(code(root), shortened(root), thrown);
  }

  private static @org.jspecify.annotations.Nullable GpdbException own(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof GpdbException own) {
        return own;
      }
    }
    return null;
  }

  private static ErrorCode code(Throwable root) {
    String message = String.valueOf(root.getMessage()).toLowerCase(Locale.ROOT);
    if (message.contains("more than one value")) {
      return ErrorCode.CARDINALITY;
    }
    if (message.contains("by zero")) {
      return ErrorCode.DIVISION_BY_ZERO;
    }
    if (root instanceof ArithmeticException
        || message.contains("out of range")
        || message.contains("overflow")) {
      return ErrorCode.NUMERIC_OUT_OF_RANGE;
    }
    if (root instanceof NumberFormatException) {
      return ErrorCode.INVALID_CAST;
    }
    if (root instanceof IllegalArgumentException || message.contains("substring error")) {
      return ErrorCode.INVALID_ARGUMENT;
    }
    if (root instanceof UnsupportedOperationException) {
      return ErrorCode.NOT_SUPPORTED;
    }
    return root instanceof StackOverflowError ? ErrorCode.LIMIT_EXCEEDED : ErrorCode.INTERNAL;
  }

  private static String shortened(Throwable thrown) {
    String message = thrown.getMessage();
    String text = message == null ? thrown.getClass().getSimpleName() : message;
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end).strip();
  }
}
