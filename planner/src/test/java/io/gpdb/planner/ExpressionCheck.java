package io.gpdb.planner;

import io.gpdb.txn.Transaction;
import java.util.List;
import java.util.function.Function;

/**
 * An expression over a row's columns, and its value for the value in them.
 *
 * @param <T> the value as Java has it
 */
record ExpressionCheck<T>(String sql, Function<T, ?> expected) {
  /** A path of execution, and the round that it is tried in. */
  record Path(String name, EndToEnd db, QueryEngine engine, long seed) {
    /**
     * Adds what differs.
     *
     * @param query returns the index of a value, then the expressions
     */
    <T> void compare(
        String query, List<T> values, List<ExpressionCheck<T>> checks, List<String> problems) {
      Transaction tx = db.begin();
      try {
        for (List<String> row : EndToEnd.table(engine, tx, query)) {
          T value = values.get(Integer.parseInt(row.getFirst()));
          for (int i = 0; i < checks.size(); i++) {
            String expected = String.valueOf(checks.get(i).expected.apply(value));
            if (!row.get(i + 1).equals(expected)) {
              problems.add(
                  "-Dgpdb.seed=%d %s: %s of '%s' is '%s', not '%s'"
                      .formatted(seed, name, checks.get(i).sql, value, row.get(i + 1), expected));
            }
          }
        }
      } finally {
        tx.rollback();
      }
    }
  }
}
