package io.gpdb.sql;

/** How a value that is compared lies to the values that its parameter's type holds. */
public enum ParameterFit {
  /** It is one of them. */
  HELD,
  /** It is less than all of them. */
  BELOW,
  /** It lies between two of them, of which the lesser is bound. */
  BETWEEN,
  /** It is greater than all of them. */
  ABOVE
}
