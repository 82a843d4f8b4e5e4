package io.gpdb.bench.faults;

import org.jspecify.annotations.Nullable;

/** What no fault may do: a wrong answer, a lost transaction, an error that says nothing. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String what, @Nullable Throwable cause) {
    super(what + ": " + cause, cause);
  }

  Violation(String what) {
    super(what);
  }
}
