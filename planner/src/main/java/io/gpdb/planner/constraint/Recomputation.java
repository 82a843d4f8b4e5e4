package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.sql.definition.TableDef;

/** Computes the generated columns of rows again, of which other columns were changed. */
@FunctionalInterface
public interface Recomputation {
  /**
   * Stores the values that the rows' generated columns have now.
   *
   * @param columns those that were changed, ascending
   * @param rows rows of the table that live, with their new values
   */
  void recompute(Execution x, TableDef table, int[] columns, ChosenRows rows);
}
