package io.gpdb.planner.batch;

import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.error.GpdbException;

/**
 * The cause of an error that a row met: says which field of an operator was computed, so that a
 * change above can name the column it was for.
 */
public final class RowFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int field;

  RowFault(int field, Throwable cause) {
    super(cause);
    this.field = field;
  }

  /** The error with the column for which the failed field was meant, where it was a field. */
  public static GpdbException assigned(
      GpdbException error, TableDef table, int[] columns, int firstField) {
    int at = error.getCause() instanceof RowFault fault ? fault.field - firstField : -1;
    if (at < 0 || at >= columns.length) {
      return error;
    }
    return new GpdbException(
        error.code(),
        error.getMessage()
            + ": for column "
            + table.column(columns[at]).name()
            + " of table "
            + table.name(),
        error.getCause());
  }
}
