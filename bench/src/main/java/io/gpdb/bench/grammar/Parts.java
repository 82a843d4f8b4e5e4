package io.gpdb.bench.grammar;

/** Pieces of statements whose answers follow from one another. */
sealed interface Parts {
  /** Two expressions and a predicate over what is behind FROM. */
  record OfQuery(String key, String value, String from, String predicate) implements Parts {}

  /** An expression over the left table, a column of the right one, and what joins them. */
  record OfJoin(String key, String value, String left, String right, String condition)
      implements Parts {}

  /** A column of a table, the value it is to have, and the rows in which it is to. */
  record OfChange(String table, String column, String type, String value, String predicate)
      implements Parts {}
}
