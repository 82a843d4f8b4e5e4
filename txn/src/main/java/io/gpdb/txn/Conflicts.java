package io.gpdb.txn;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;

/** The error of a transaction that came second. */
final class Conflicts {
  private Conflicts() {}

  static GpdbException of(String what, int tableId) {
    return new GpdbException(
        ErrorCode.SERIALIZATION_CONFLICT,
        what + " since this transaction began: table=" + tableId + "; run the transaction again");
  }
}
