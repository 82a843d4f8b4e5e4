package io.gpdb.txn.api;

/** A batch that would give a unique index the same key twice; nobody has undone the batch yet. */
public final class KeyViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int indexOrdinal;
  private final long batchRow;

  public KeyViolation(int indexOrdinal, long batchRow) {
    super("duplicate key: index=" + indexOrdinal + ", batchRow=" + batchRow);
    this.indexOrdinal = indexOrdinal;
    this.batchRow = batchRow;
  }

  /** The index, by its ordinal in the table's shape. */
  public int indexOrdinal() {
    return indexOrdinal;
  }

  /**
   * The first offending row: of an insert its position in the batch; of an update its position
   * among the rows that the statement updated, in the order of the calls.
   */
  public long batchRow() {
    return batchRow;
  }
}
