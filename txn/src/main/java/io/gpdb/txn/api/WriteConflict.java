package io.gpdb.txn.api;

import java.util.Arrays;

/** The cause of a {@code SERIALIZATION_CONFLICT} at a row or a key: where it is. */
public class WriteConflict extends RuntimeException {
  /** Of a conflict at a key: no row is known. */
  public static final long NO_ROW = -1;

  /** Of a conflict at a row, or at the table as a whole. */
  public static final int NO_INDEX = -1;

  private static final long serialVersionUID = 1L;

  private final int tableId;
  private final long row;
  private final int indexOrdinal;
  private final long[] key;

  protected WriteConflict(int tableId, long row, int indexOrdinal, long[] key) {
    super("a conflict in table " + tableId, null, false, false);
    this.tableId = tableId;
    this.row = row;
    this.indexOrdinal = indexOrdinal;
    this.key = key.clone();
  }

  public final int tableId() {
    return tableId;
  }

  /** The row's number in its table, or {@link #NO_ROW}. */
  public final long row() {
    return row;
  }

  /** Of a conflict at a key: the index, by its ordinal in the table's shape. */
  public final int indexOrdinal() {
    return indexOrdinal;
  }

  /** Of a conflict at a key: the raw values of its columns. */
  public final long[] key() {
    return Arrays.copyOf(key, key.length);
  }
}
