package io.gpdb.planner;

/** The values bound to a statement's parameters, from 0, in the parameters' representations. */
public interface ParameterValues {
  int count();

  boolean isNull(int parameter);

  /** Raw bits of a fixed-width value; 0 for NULL. */
  long raw(int parameter);

  /** Bytes of a string value; empty for NULL. */
  byte[] bytes(int parameter);
}
