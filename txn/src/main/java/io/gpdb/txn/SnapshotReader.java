package io.gpdb.txn;

import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.index.KeyRange;
import io.gpdb.storage.index.OrderedIndex;
import io.gpdb.storage.index.OrderedRange;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.table.TableGarbage;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.RowCursor;
import io.gpdb.txn.api.RowTest;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableSight;
import io.gpdb.txn.api.TabletView;
import io.gpdb.txn.version.KeyRows;
import io.gpdb.txn.version.RangeRows;
import io.gpdb.txn.version.ReadPoint;
import io.gpdb.txn.version.ReadSet;
import io.gpdb.txn.version.RowBlockReader;
import io.gpdb.txn.version.RowReader;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TabletSnapshot;
import io.gpdb.txn.version.UnseenStates;
import org.jspecify.annotations.Nullable;

/** A table as one transaction sees it. */
final class SnapshotReader implements TableReader {
  private final TableVersions table;
  private final MemoryAccount memory;
  private final Transaction transaction;
  private final ReadPoint readPoint;
  private final @Nullable ReadSet reads;
  private final RowReader rows;

  SnapshotReader(Transaction transaction, TableVersions table, MemoryAccount memory) {
    this.transaction = transaction;
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
  public int columnCount() {
    return table.shape(readPoint).columns().size();
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
    TabletView view =
        new TabletSnapshot(table, table.store().tablet(tablet), readPoint, columns, memory);
    memory.readsTables(view.columnBytes());
    return view;
  }

  @Override
  public @Nullable TableSight sight() {
    return table.writers().contains(transaction.stamp())
        ? null
        : new TableSight(
            table, table.store().marks().mark(), readPoint.sequence(), table.store().tabletCount());
  }

  /** What an earlier snapshot saw without looking into versions, this one sees, too. */
  @Override
  public boolean seesAs(TableSight earlier, int[] columns) {
    boolean same =
        earlier.table() == table
            && earlier.isSeenFrom(readPoint.sequence())
            && earlier.tablets() == table.store().tabletCount();
    if (same && reads != null) {
      reads.scanned(table, RowReader.NO_COLUMNS);
      reads.scanned(table, columns);
    }
    return same;
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
  public long readByKey(
      int indexOrdinal, long[] key, int[] keyAt, int[] columns, long[] values, boolean[] nulls) {
    long row = rows.readByKey(readPoint, indexOrdinal, key, keyAt, columns, values, nulls);
    if (reads != null) {
      reads.found(table, row, indexOrdinal, key, table.keyColumns(indexOrdinal));
      if (row >= 0) {
        reads.row(table, row, columns);
      }
    }
    return row;
  }

  @Override
  public IndexKind indexKind(int indexOrdinal) {
    return table.store().index(indexOrdinal).shape().kind();
  }

  @Override
  public long estimate(int indexOrdinal, KeyRange range, long most) {
    Index index = table.store().index(indexOrdinal);
    if (index instanceof OrderedIndex ordered) {
      return ordered.estimate(ordered.keys().range(range));
    }
    long[] key = key(index, range);
    if (key == null) {
      return 0;
    }
    long count = 0;
    for (long row = index.firstCandidate(key);
        row >= 0 && count < most;
        row = index.nextCandidate(key, row)) {
      count++;
    }
    return count;
  }

  @Override
  public RowCursor scan(int indexOrdinal, KeyRange range, boolean descending) {
    Index index = table.store().index(indexOrdinal);
    if (index instanceof OrderedIndex ordered) {
      OrderedRange entries = ordered.keys().range(range);
      if (reads != null) {
        reads.range(table, indexOrdinal, entries);
      }
      return new RangeRows(rows, readPoint, ordered, entries, descending);
    }
    long[] key = key(index, range);
    if (key == null) {
      noteMissing(indexOrdinal);
      return none -> 0;
    }
    if (reads != null) {
      reads.key(table, indexOrdinal, key);
    }
    return new KeyRows(rows, readPoint, indexOrdinal, key);
  }

  /** The whole key that a range is; null when a column's dictionary lacks a string of it. */
  private long @Nullable [] key(Index index, KeyRange range) {
    int[] columns = index.columns();
    long[] key = new long[columns.length];
    if (range.equal().size() != key.length) {
      throw new IllegalArgumentException("a hash index finds whole keys: " + range);
    }
    for (int k = 0; k < key.length; k++) {
      KeyRange.Value value = range.equal().get(k);
      byte[] text = value.bytes();
      Dictionary dictionary = table.store().dictionary(columns[k]);
      if (value.isNull()) {
        throw new IllegalArgumentException("a hash index has no NULL: " + range);
      }
      key[k] =
          text == null || dictionary == null ? value.raw() : dictionary.find(text, 0, text.length);
      if (text != null && key[k] < 0) {
        return null;
      }
    }
    return key;
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
  public RowBlock read(long[] rowIds, int n, int[] columns) {
    if (n == 1) {
      return alone(rowIds[0], columns);
    }
    for (int i = 0; i < n && reads != null; i++) {
      reads.row(table, rowIds[i], columns);
    }
    return new RowBlockReader(table, memory).read(readPoint, rowIds, n, columns);
  }

  /** One row needs no look at how many tablets there are. */
  private RowBlock alone(long row, int[] columns) {
    RowBlock block = new RowBlock(columns.length, 1);
    long[] values = new long[columns.length];
    boolean[] nulls = new boolean[columns.length];
    boolean isSeen = read(row, columns, values, nulls);
    block.put(0, values, nulls, isSeen);
    return block;
  }

  @Override
  public boolean isLive(long row) {
    if (reads != null) {
      reads.row(table, row, RowReader.NO_COLUMNS);
    }
    return rows.isLive(readPoint, row);
  }

  @Override
  public void requireUnchanged(long[] rowIds, int n, int[] columns) {
    transaction.requireKept(table);
    transaction.database().refuse(new UnseenStates(table, readPoint).atRows(rowIds, n, columns));
  }

  @Override
  public boolean seesNewest(int[] columns) {
    transaction.requireKept(table);
    return new UnseenStates(table, readPoint).areNone(columns);
  }

  @Override
  public void requireNoneUnseen(int[] columns, RowTest test) {
    transaction.requireKept(table);
    transaction.database().refuse(new UnseenStates(table, readPoint).matching(columns, test));
  }
}
