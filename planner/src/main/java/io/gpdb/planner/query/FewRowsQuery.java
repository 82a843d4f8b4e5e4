package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.txn.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * A query over few rows of whole numbers, which the host computes one by one. Where an operation
 * fails, on overflow or a division by zero, it gives no answer, and the planner's plan runs
 * instead, which knows whether the operation is asked for and what error it raises.
 */
public sealed interface FewRowsQuery permits SelectionQuery, CombinedQuery {
  static FewRowsQuery of(DirectStatement.Query query) {
    return switch (query) {
      case DirectStatement.Selection selection -> new SelectionQuery(selection);
      case DirectStatement.Combined combined -> new CombinedQuery(combined);
    };
  }

  /** Whether there are up to so many rows, and few enough for the subqueries of each. */
  boolean fits(Transaction tx, long rowsMax);

  /** Whether a condition reads the first column of an index, by which few rows may be found. */
  boolean mayUseIndex();

  /** The rows; null where a value cannot be computed. */
  @Nullable RowSet run(Transaction tx, ParameterValues parameters);

  /** The values that {@link #run} returns. */
  @Nullable ComputedRows rows(Transaction tx, ParameterValues parameters);
}
