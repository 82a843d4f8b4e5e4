package io.gpdb.sql.statement;

import java.util.List;

/**
 * What a MERGE does with the rows of one of its branches.
 *
 * @param columns the columns that are set, or have a value in the new row
 * @param numbered the columns of a new row that take a number
 * @param firstField the source's field with the value of the first of them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MergeBranch(Kind kind, int[] columns, List<NumberedColumn> numbered, int firstField) {
  public MergeBranch {
    numbered = List.copyOf(numbered);
  }

  /** What is done with each row. */
  public enum Kind {
    UPDATE,
    DELETE,
    INSERT,
    NOTHING
  }
}
