package io.gpdb.storage.error;

import java.io.Serializable;

/**
 * What went wrong, as a kind for the engine and an SQLSTATE for the user. Each part of the engine
 * that has errors of its own names them in an enum of its own.
 */
public interface ErrorCondition extends Serializable {
  /** Whose doing an error is. */
  enum Kind {
    USER,
    RESOURCE,
    CORRUPTION,
    INTERNAL
  }

  /** Most parts of the engine have errors of the user alone. */
  default Kind kind() {
    return Kind.USER;
  }

  String sqlState();
}
