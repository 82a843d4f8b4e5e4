package io.gpdb.txn.version;

import io.gpdb.txn.api.WriteConflict;

/** A conflict that knows the other writer. */
public final class ConflictingWrite extends WriteConflict {
  private static final long serialVersionUID = 1L;

  private final transient CommitStamp writer;

  private ConflictingWrite(
      CommitStamp writer, int tableId, long row, int indexOrdinal, long[] key) {
    super(tableId, row, indexOrdinal, key);
    this.writer = writer;
  }

  static ConflictingWrite atRow(CommitStamp writer, int tableId, long row) {
    return new ConflictingWrite(writer, tableId, row, NO_INDEX, new long[0]);
  }

  static ConflictingWrite atTable(CommitStamp writer, int tableId) {
    return new ConflictingWrite(writer, tableId, NO_ROW, NO_INDEX, new long[0]);
  }

  static ConflictingWrite atKey(CommitStamp writer, int tableId, int indexOrdinal, long[] key) {
    return new ConflictingWrite(writer, tableId, NO_ROW, indexOrdinal, key);
  }

  /** Whether the writer is in the way of a whole table, until its end. */
  boolean isAtTable() {
    return row() == NO_ROW && indexOrdinal() == NO_INDEX;
  }

  public CommitStamp writer() {
    return writer;
  }
}
