package io.gpdb.planner.statement;

/**
 * The values bound to a statement's parameters, from 0, in the parameters' representations, and the
 * time of its execution.
 */
public interface ParameterValues {
  int count();

  boolean isNull(int parameter);

  /** Raw bits of a fixed-width value; 0 for NULL. */
  long raw(int parameter);

  /** Bytes of a string value; empty for NULL. */
  byte[] bytes(int parameter);

  /** The time of the execution: microseconds since 1970-01-01 00:00:00 of the session's clock. */
  long nowMicros();

  /** The sequences, for statements that may take numbers from them. */
  default SequenceNumbers numbers() {
    throw new IllegalStateException("no sequences here");
  }
}
