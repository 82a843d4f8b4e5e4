package io.gpdb.storage.index;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;

/** The bound of the rows that an entry of an index can name. */
final class IndexedRow {
  private IndexedRow() {}

  static void check(String place, long row) {
    if (row < 0 || row > HashIndexLayout.ROWS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          place + ": row beyond the index: row=" + row + ", limit=" + HashIndexLayout.ROWS_MAX);
    }
  }
}
