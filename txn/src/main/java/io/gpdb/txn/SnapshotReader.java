package io.gpdb.txn;

import io.gpdb.storage.TableStore;

/** A table as one transaction sees it. */
final class SnapshotReader implements TableReader {
  private final Transaction transaction;
  private final TableVersions table;
  private final NativeChunks pool;
  private final RowReader rows;

  SnapshotReader(Transaction transaction, TableVersions table, NativeChunks pool) {
    this.transaction = transaction;
    this.table = table;
    this.pool = pool;
    this.rows = new RowReader(table);
  }

  TableVersions table() {
    return table;
  }

  @Override
  public TableStore store() {
    return table.store();
  }

  @Override
  public int tabletCount() {
    return table.store().tabletCount();
  }

  @Override
  public long estimatedRows() {
    long live = 0;
    for (int i = 0, n = tabletCount(); i < n; i++) {
      live += table.store().tablet(i).liveCount();
    }
    return live;
  }

  @Override
  public TabletView open(int tablet, int[] columns) {
    transaction.checkStop();
    return new TabletSnapshot(
        table, table.store().tablet(tablet), transaction.readPoint(), columns, pool);
  }

  @Override
  public long findByKey(int indexOrdinal, long[] key) {
    return rows.findByKey(transaction.readPoint(), indexOrdinal, key);
  }

  @Override
  public boolean read(long row, int[] columns, long[] values, boolean[] nulls) {
    return rows.read(transaction.readPoint(), row, columns, values, nulls);
  }

  @Override
  public boolean isLive(long row) {
    return rows.isLive(transaction.readPoint(), row);
  }
}
