package io.gpdb.planner.change;

import io.gpdb.planner.statement.SequenceNumbers;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;

/** Columns of new rows that take numbers of sequences, those of many rows at once. */
final class NumberedColumns {
  private NumberedColumns() {}

  /**
   * Fills the first n rows of a column of the buffer.
   *
   * @param before rows of the statement before these, for messages
   */
  static void fill(
      SequenceNumbers numbers,
      SequenceDef sequence,
      ColumnTarget target,
      RowBuffer buffer,
      int place,
      int n,
      long before) {
    long[] taken = numbers.next(sequence, n);
    for (int row = 0; row < n; row++) {
      StopSignal.poll(row);
      long stored = target.assigned(SqlTypeSpec.BIGINT, taken[row], before + row + 1);
      buffer.set(place, row, stored);
    }
  }
}
