package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.StoredValue;
import io.gpdb.planner.statement.Result;
import io.gpdb.sql.definition.CheckDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;

/**
 * Statements that another one consists of: planned when it is their turn, against the catalog as
 * the ones before have left it. They are not atomic by themselves.
 */
public interface InnerStatements {
  /** Runs a statement that has no parameters; rows are to be closed by the caller. */
  Result run(Execution x, String sql);

  /**
   * Inserts the rows of a query into columns of a table that need not be in the catalog.
   *
   * @return their number
   */
  long insert(Execution x, TableDef table, int[] columns, String query);

  /** The default of a table's only column; the table need not be in the catalog. */
  StoredValue defaultOf(Execution x, TableDef table);

  /** Whether the view can be read, since all that its query names is there. */
  boolean isValid(Execution x, ViewDef view);

  /** The view with the columns that its query has now; the same where it cannot be read. */
  ViewDef described(Execution x, ViewDef view);

  /** Refuses a CHECK that a row of the table makes FALSE. */
  void validate(Execution x, TableDef table, CheckDef check);

  /** Refuses a DEFERRABLE key that two rows of the table have. */
  void validate(Execution x, TableDef table, IndexDef key);

  /** Refuses a foreign key that a row of the table violates. */
  void validate(Execution x, TableDef table, ForeignKeyDef key);
}
