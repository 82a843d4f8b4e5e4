package io.gpdb.txn;

import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.table.TableGarbage;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import io.gpdb.txn.version.ReadPoint;
import io.gpdb.txn.version.ReadSet;
import io.gpdb.txn.version.RowReader;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TabletSnapshot;
import org.jspecify.annotations.Nullable;

/** A table as one transaction sees it. */
final class SnapshotReader implements TableReader {
  private final TableVersions table;
  private final MemoryAccount memory;
  private final ReadPoint readPoint;
  private final @Nullable ReadSet reads;
  private final RowReader rows;

  SnapshotReader(Transaction transaction, TableVersions table, MemoryAccount memory) {
    this.table = table;
    this.memory = memory;
    this.readPoint = transaction.readPoint();
    this.reads = transaction.readsOf(table);
    this.rows = new RowReader(table);
  }

  TableVersions table() {
    return table;
  }

  @Override
  public @Nullable CodedStrings strings(int column) {
    return table.store().dictionary(column);
  }

  @Override
  public long rowLimit() {
    return table.store().rowLimit();
  }

  @Override
  public int tabletLimit() {
    return table.store().tabletCount();
  }

  /** A caller of this is about to read all rows, also when there is no tablet to open. */
  @Override
  public int tabletCount() {
    if (reads != null) {
      reads.scanned(table, RowReader.NO_COLUMNS);
    }
    return table.store().tabletCount();
  }

  @Override
  public long estimatedRows() {
    long live = 0;
    for (int i = 0, n = table.store().tabletCount(); i < n; i++) {
      live += table.store().tablet(i).liveCount();
    }
    return live;
  }

  @Override
  public TableGarbage garbage() {
    return TableGarbage.of(table.store());
  }

  @Override
  public TabletView open(int tablet, int[] columns) {
    StopSignal.poll();
    if (reads != null) {
      reads.scanned(table, columns);
    }
    return new TabletSnapshot(table, table.store().tablet(tablet), readPoint, columns, memory);
  }

  @Override
  public long findByKey(int indexOrdinal, long[] key) {
    long row = rows.findByKey(readPoint, indexOrdinal, key);
    if (reads != null) {
      reads.found(table, row, indexOrdinal, key, table.keyColumns(indexOrdinal));
    }
    return row;
  }

  @Override
  public void noteMissing(int indexOrdinal) {
    if (reads != null) {
      reads.scanned(table, table.keyColumns(indexOrdinal));
    }
  }

  @Override
  public boolean read(long row, int[] columns, long[] values, boolean[] nulls) {
    if (reads != null) {
      reads.row(table, row, columns);
    }
    return rows.read(readPoint, row, columns, values, nulls);
  }

  @Override
  public boolean isLive(long row) {
    if (reads != null) {
      reads.row(table, row, RowReader.NO_COLUMNS);
    }
    return rows.isLive(readPoint, row);
  }
}
