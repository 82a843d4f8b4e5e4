package io.gpdb.planner.constraint;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.txn.Transaction;

/** The defaults of columns as their tables store them, for SET DEFAULT of foreign keys. */
@FunctionalInterface
interface ColumnDefaults {
  /** Raw bits, the code for a string. */
  record Value(long raw, boolean isNull) {}

  Value of(TableDef table, int column, Transaction transaction);
}
