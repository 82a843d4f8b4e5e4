package io.gpdb.planner;

import io.gpdb.planner.statement.BatchResult;
import io.gpdb.planner.statement.KeyRequest;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.List;

/** A planned statement: immutable, shared by all sessions through the plan cache. */
public interface Prepared {
  StatementKind kind();

  default List<ParameterDef> parameters() {
    return analyzed().params();
  }

  /** Columns of the rows; empty unless it is a query, or a change with RETURNING. */
  default List<OutputColumn> columns() {
    return List.of();
  }

  /** Whether it changes data or definitions and returns no rows. */
  default boolean changesOnly() {
    boolean changes = kind() == StatementKind.CHANGE || kind() == StatementKind.DEFINITION;
    return changes && columns().isEmpty();
  }

  /** Whether it is known to return rows. */
  default boolean returnsRows() {
    return kind() == StatementKind.QUERY || !columns().isEmpty();
  }

  /** The statement as analysed: what a session carries out when the kind is SESSION. */
  Analyzed analyzed();

  /**
   * Carries the statement out in the transaction. A change that fails leaves nothing behind and the
   * transaction active. A row set must be closed before the transaction ends.
   */
  Result execute(Transaction tx, ParameterValues parameters);

  /**
   * As {@link #execute(Transaction, ParameterValues)}, with columns of the rows that are inserted
   * or updated; of other statements there are none.
   */
  default Result execute(Transaction tx, ParameterValues parameters, KeyRequest keys) {
    return execute(tx, parameters);
  }

  /** As {@link #executeBatch(Transaction, ParameterColumns)}, with such columns. */
  default BatchResult executeBatch(Transaction tx, ParameterColumns batch, KeyRequest keys) {
    return new BatchResult(executeBatch(tx, batch), null);
  }

  /**
   * Carries the statement out for every row of the batch, as if in order; on failure none of it has
   * happened. Only what is of the kind CHANGE can be.
   *
   * @return rows changed by each
   */
  default long[] executeBatch(Transaction tx, ParameterColumns batch) {
    throw new GpdbException(
        SqlCondition.INVALID_STATEMENT,
        "a batch takes INSERT, UPDATE and DELETE, and no " + kind());
  }
}
