package io.gpdb.txn.version;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.tablet.Tablet;
import org.jspecify.annotations.Nullable;

/** The error of a transaction that came second. */
public final class Conflicts {
  private Conflicts() {}

  public static GpdbException of(String what, int tableId) {
    return of(what, tableId, null);
  }

  private static GpdbException of(String what, int tableId, @Nullable ConflictingWrite cause) {
    return new GpdbException(
        ErrorCode.SERIALIZATION_CONFLICT,
        what + " since this transaction began: table=" + tableId + "; run the transaction again",
        cause);
  }

  public static GpdbException atRow(CommitStamp writer, TableVersions table, int tablet, int row) {
    long number = (long) tablet * Tablet.ROWS + row;
    return of(
        "another transaction has written row " + number,
        table.tableId(),
        ConflictingWrite.atRow(writer, table.tableId(), number));
  }

  /** The other has locked the table, or writes to a table that is to be locked. */
  public static GpdbException atTable(CommitStamp other, TableVersions table) {
    int tableId = table.tableId();
    return new GpdbException(
        ErrorCode.SERIALIZATION_CONFLICT,
        "another transaction has locked the table or writes to it: table="
            + tableId
            + "; run the transaction again",
        ConflictingWrite.atTable(other, tableId));
  }

  static GpdbException atKey(
      CommitStamp writer, TableVersions table, int indexOrdinal, long[] key, long batchRow) {
    return of(
        "another transaction has written a row with the key of batch row " + batchRow,
        table.tableId(),
        ConflictingWrite.atKey(writer, table.tableId(), indexOrdinal, key));
  }
}
