package io.gpdb.bench.grammar;

/**
 * Something that a statement must not do.
 *
 * @param sort what is wrong, the same for findings of one cause as far as that is known
 * @param round the round of the run, from which the statement is made again
 */
record Finding(String sort, long round, String sql, String message) {}
