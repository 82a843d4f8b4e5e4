package io.gpdb.txn;

import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.ChangeWatch;
import io.gpdb.txn.api.GroupedRows;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.api.TabletRows;
import io.gpdb.txn.change.DeleteChange;
import io.gpdb.txn.change.InsertChange;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.change.UpdateChange;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.Conflicts;
import io.gpdb.txn.version.KeyChecks;
import io.gpdb.txn.version.KeyProbe;
import io.gpdb.txn.version.ReadSet;
import io.gpdb.txn.version.RowBuffer;
import io.gpdb.txn.version.RowReader;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TabletVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Changes a table in place and keeps what was there as undo versions.
 *
 * <p>R4. A version is with its tablet before the latch is released under which the tablet changed:
 * nobody sees a change without its version.
 */
final class VersioningWriter implements TableWriter, RowLocks.Owner {
  private final Transaction transaction;
  private final OpenDatabase database;
  private final TableVersions table;
  private final TableStore store;
  private final RowReader rows;
  private final KeyChecks keys;
  private final BatchWriter batches;
  private final int[] allColumns;
  private @Nullable RowBuffer oneRow;

  VersioningWriter(Transaction transaction, OpenDatabase database, TableVersions table) {
    this.transaction = transaction;
    this.database = database;
    this.table = table;
    this.store = table.store();
    this.rows = new RowReader(table);
    this.keys = new KeyChecks(table, rows, database.workers());
    this.batches = new BatchWriter(this, database);
    this.allColumns = table.allColumns();
  }

  TableVersions table() {
    return table;
  }

  @Override
  public long insert(ColumnView[] columns, int n) {
    store.requireRoom(n);
    return insertAnyway(columns, n);
  }

  /** As {@link #insert}, whatever the limit of memory: into a table that takes another's place. */
  long insertAnyway(ColumnView[] columns, int n) {
    TransactionWrites writes = transaction.writesTo(table);
    requireAll(columns);
    if (n == 0) {
      return store.rowLimit();
    }
    stored(allColumns, Arrays.asList(columns), n);
    long first = store.appendRows(n);
    batches.update(writes, InsertChange.of(table, columns, first, n));
    try {
      keys.inserted(transaction.readPoint(), first, columns, n);
    } catch (KeyViolation violation) {
      noteTaken(violation);
      throw violation;
    }
    ChangeWatch watch = transaction.watchOf(table);
    if (watch != null) {
      watch.inserted(table.tableId(), first, n);
    }
    return first;
  }

  /** Codes that came from other rows are in use from now on, whoever found them (D4). */
  private void stored(int[] columns, List<ColumnView> values, int n) {
    for (int c = 0; c < columns.length; c++) {
      Dictionary dictionary = store.dictionary(columns[c]);
      if (dictionary != null) {
        HostBuffer codes = values.get(c).values().onHost();
        for (int i = 0; i < n; i++) {
          dictionary.stored(codes.intAt(i));
        }
      }
    }
  }

  private void requireAll(ColumnView[] columns) {
    if (columns.length != allColumns.length) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "insert with %d columns into table %d with %d"
              .formatted(columns.length, table.tableId(), allColumns.length));
    }
    for (int c : allColumns) {
      requireType(c, columns[c]);
    }
  }

  private void requireType(int column, ColumnView data) {
    if (data.type() != table.type(column)) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "values of type %s for column %d of type %s, table=%d"
              .formatted(data.type(), column, table.type(column), table.tableId()));
    }
  }

  @Override
  public void remember(TransactionWrites writes, UndoVersion version) {
    assert store.tablet(version.tablet()).latch().isHeldExclusivelyByThisThread() : "R4";
    assert seesLastWrites(version) : "R5: a write that the writer does not see is overwritten";
    writes.versions().add(version);
    table.tabletForWrite(version.tablet()).add(version);
  }

  private boolean seesLastWrites(UndoVersion version) {
    TabletVersions versions = table.tablet(version.tablet());
    return version.kind() == UndoVersion.Kind.INSERT
        || versions == null
        || versions.firstConflict(transaction.readPoint(), version.rows(), version.n()) < 0;
  }

  @Override
  public void lock(Tablet tablet) {
    if (tablet.latch().readHolds() > 0) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "a view of the tablet is open: table=" + table.tableId() + ", tablet=" + tablet.number());
    }
    tablet.latch().writeLock().lock();
  }

  @Override
  public void update(
      int tabletNumber, HostBuffer rowsInTablet, int n, int[] columns, ColumnView[] values) {
    update(List.of(new TabletRows(tabletNumber, rowsInTablet, n, List.of(values))), columns);
  }

  @Override
  public void update(List<TabletRows> parts, int[] columns) {
    TransactionWrites writes = transaction.writesTo(table);
    int n = 0;
    for (TabletRows part : parts) {
      for (int i = 0; i < columns.length; i++) {
        requireType(columns[i], part.values().get(i));
      }
      n += part.n();
    }
    if (n == 0 || columns.length == 0) {
      return;
    }
    requireEntryRoom(columns, n);
    ChangeWatch watch = transaction.watchOf(table);
    UpdateChange change = UpdateChange.supplied(table, columns, database.stores().suppliedValues());
    for (TabletRows part : parts) {
      if (part.n() == 0) {
        continue;
      }
      stored(columns, part.values(), part.n());
      if (watch != null) {
        watch.updating(table.tableId(), part.tablet(), part.rows(), part.n(), columns);
      }
      HostBuffer rows = kept(writes, part);
      change.add(store.tablet(part.tablet()), rows, part.n(), part.areLeft(), part.values());
    }
    int before = writes.versions().size();
    batches.update(writes, change);
    long position = keys.countUpdated(n);
    if (keys.touchesAnyKey(columns)) {
      rekeyByTablet(writes, before, columns, position);
    }
  }

  /** Tablets whose latches somebody held were changed later, but keys count in the rows' order. */
  private void rekeyByTablet(
      TransactionWrites writes, int firstVersion, int[] columns, long firstPosition) {
    List<UndoVersion> all = writes.versions();
    List<UndoVersion> changes = new ArrayList<>(all.subList(firstVersion, all.size()));
    changes.sort(Comparator.comparingInt(UndoVersion::tablet));
    long position = firstPosition;
    for (UndoVersion change : changes) {
      rekey(writes, List.of(change), columns, position);
      position += change.n();
    }
  }

  private void requireEntryRoom(int[] columns, int n) {
    if (keys.touchesAnyKey(columns)) {
      store.requireRoom(n);
    }
  }

  @Override
  public HostBuffer memoryForRows(long bytes) {
    return transaction.writesTo(table).versionMemory().buffer(bytes, 256);
  }

  private static HostBuffer kept(TransactionWrites writes, TabletRows part) {
    return part.areLeft() ? part.rows() : keep(writes, part.rows(), part.n());
  }

  private static HostBuffer keep(TransactionWrites writes, HostBuffer rowsInTablet, int n) {
    HostBuffer kept = writes.versionMemory().buffer(4L * n, 8);
    kept.copyFrom(rowsInTablet, 0, 0, 4L * n);
    return kept;
  }

  /**
   * The rows exist, and nobody else has written them since the snapshot.
   *
   * @param ascends whether the first and the last one are the least and the greatest
   */
  void checkRows(Tablet tablet, HostBuffer rowsInTablet, int n, boolean ascends) {
    if (ascends) {
      assert ascend(rowsInTablet, n) : "rows of a scan do not ascend, tablet=" + tablet.number();
      requireInside(tablet, rowsInTablet.intAt(0), rowsInTablet.intAt(n - 1L));
    } else {
      int[] checked = new int[n]; // an array: loops over buffers are slow until they are compiled
      rowsInTablet.read(0, checked, 0, n);
      requireInside(tablet, ShortLoops.least(checked), ShortLoops.greatest(checked));
    }
    TabletVersions versions = table.tablet(tablet.number());
    if (versions != null && !versions.isEmpty()) {
      int row = versions.firstConflict(transaction.readPoint(), rowsInTablet, n);
      if (row >= 0) {
        CommitStamp other = versions.unseenWriter(transaction.readPoint(), row);
        throw refused(Objects.requireNonNull(other), tablet.number(), row);
      }
    }
  }

  private static boolean ascend(HostBuffer rows, int n) {
    for (int i = 1; i < n; i++) {
      if (rows.intAt(i - 1L) >= rows.intAt(i)) {
        return false;
      }
    }
    return true;
  }

  private void requireInside(Tablet tablet, int least, int greatest) {
    int rowCount = tablet.rowCount();
    if (least < 0 || greatest >= rowCount) {
      throw new GpdbException(
          ErrorCode.INTERNAL,
          "row outside of its tablet: row=%d, rowCount=%d, table=%d, tablet=%d"
              .formatted(least < 0 ? least : greatest, rowCount, table.tableId(), tablet.number()));
    }
  }

  @Override
  public GpdbException refused(CommitStamp other, int tablet, int row) {
    database.counters().conflict();
    return Conflicts.atRow(other, table, tablet, row);
  }

  @Override
  public void lock(long[] rowIds, int n) {
    if (n > 0) {
      new RowLocks(this, transaction.readPoint(), table)
          .lock(transaction.writesTo(table), rowIds, n);
    }
  }

  @Override
  public boolean tryLock(long row) {
    return new RowLocks(this, transaction.readPoint(), table)
        .tryLock(transaction.writesTo(table), row);
  }

  private void rekey(
      TransactionWrites writes, List<UndoVersion> changes, int[] columns, long position) {
    StopSignal.poll();
    for (int ordinal = 0; ordinal < store.indexCount(); ordinal++) {
      if (keys.touchesKey(ordinal, columns)) {
        keys.updated(ordinal, changes, position);
        for (UndoVersion change : changes) {
          if (hasKeyInPlace(change)) {
            putHints(writes, change, ordinal);
          }
        }
      }
    }
  }

  /** Whether the log does not say which rows have new keys, because no values of them are in it. */
  private static boolean hasKeyInPlace(UndoVersion version) {
    for (int i = 0; i < version.columnCount(); i++) {
      if (version.protocol(i).isInPlace()) {
        return true;
      }
    }
    return false;
  }

  private void putHints(TransactionWrites writes, UndoVersion version, int ordinal) {
    int n = version.n();
    ChangeSection.Hints hints =
        ChangeSection.Hints.begin(writes, table.tableId(), version.tablet(), ordinal, n);
    for (int i = 0; i < n; i++) {
      hints.put(i, (long) version.tablet() * Tablet.ROWS + version.rows().intAt(i));
    }
  }

  @Override
  public void delete(int tabletNumber, HostBuffer rowsInTablet, int n) {
    delete(List.of(new TabletRows(tabletNumber, rowsInTablet, n, List.of())));
  }

  @Override
  public void delete(List<TabletRows> parts) {
    TransactionWrites writes = transaction.writesTo(table);
    ChangeWatch watch = transaction.watchOf(table);
    DeleteChange change = new DeleteChange(table);
    for (TabletRows part : parts) {
      if (part.n() == 0) {
        continue;
      }
      if (watch != null) {
        watch.deleting(table.tableId(), part.tablet(), part.rows(), part.n());
      }
      change.add(store.tablet(part.tablet()), kept(writes, part), part.n(), part.areLeft());
    }
    batches.update(writes, change);
  }

  @Override
  public void update(GroupedRows rowGroups, GridApplyBatch kernel, LaneBindings bindings) {
    UpdateChange change = UpdateChange.computed(table, kernel, bindings);
    TransactionWrites writes = transaction.writesTo(table);
    if (keys.touchesUnique(change.columns())) {
      throw new GpdbException(
          ErrorCode.INTERNAL, "a batch that changes a key, table=" + table.tableId());
    }
    requireEntryRoom(change.columns(), rowGroups.count());
    int before = writes.versions().size();
    ChangeWatch watch = transaction.watchOf(table);
    for (int g = 0; watch != null && g < rowGroups.groupCount(); g++) {
      int[] columns = change.columns();
      watch.updating(
          table.tableId(), rowGroups.tablet(g), rowGroups.rows(g), rowGroups.count(g), columns);
    }
    HostBuffer kept = keep(writes, rowGroups.rows(), rowGroups.count());
    for (int g = 0; g < rowGroups.groupCount(); g++) {
      Tablet tablet = store.tablet(rowGroups.tablet(g));
      change.add(tablet, own(kept, rowGroups, g), rowGroups.positions(g), rowGroups.count(g));
    }
    batches.update(writes, change);
    if (keys.touchesAnyKey(change.columns())) {
      List<UndoVersion> all = writes.versions();
      rekey(writes, all.subList(before, all.size()), change.columns(), 0);
    }
  }

  /** The group's rows of those that are kept. */
  private static HostBuffer own(HostBuffer kept, GroupedRows rowGroups, int g) {
    return kept.slice(4L * rowGroups.start(g), 4L * rowGroups.count(g));
  }

  @Override
  public void delete(GroupedRows rowGroups) {
    TransactionWrites writes = transaction.writesTo(table);
    ChangeWatch watch = transaction.watchOf(table);
    for (int g = 0; watch != null && g < rowGroups.groupCount(); g++) {
      watch.deleting(table.tableId(), rowGroups.tablet(g), rowGroups.rows(g), rowGroups.count(g));
    }
    HostBuffer kept = keep(writes, rowGroups.rows(), rowGroups.count());
    DeleteChange change = new DeleteChange(table);
    for (int g = 0; g < rowGroups.groupCount(); g++) {
      change.add(
          store.tablet(rowGroups.tablet(g)), own(kept, rowGroups, g), rowGroups.count(g), false);
    }
    batches.update(writes, change);
  }

  @Override
  public void finishStatement() {
    try {
      keys.finishStatement(transaction.readPoint());
    } catch (KeyViolation violation) {
      noteTaken(violation);
      throw violation;
    }
  }

  /** That a key is taken is something read: of which row is not known here. */
  private void noteTaken(KeyViolation violation) {
    ReadSet reads = transaction.readsOf(table);
    if (reads != null) {
      reads.scanned(table, table.keyColumns(violation.indexOrdinal()));
    }
  }

  /** Forgets the keys of a statement that was undone. */
  void forgetStatement() {
    keys.forget();
  }

  @Override
  public long findByKey(int indexOrdinal, long[] key) {
    long row = rows.findByKey(transaction.readPoint(), indexOrdinal, key);
    ReadSet reads = transaction.readsOf(table);
    if (reads != null) {
      reads.found(table, row, indexOrdinal, key, table.keyColumns(indexOrdinal));
    }
    return row;
  }

  @Override
  public void findByKeys(int indexOrdinal, long[] keyValues, int n, long[] found) {
    new KeyProbe(rows, table, database.memory(), database.workers())
        .find(transaction.readPoint(), indexOrdinal, keyValues, n, found);
    ReadSet reads = transaction.readsOf(table);
    if (reads != null) {
      int[] columns = table.keyColumns(indexOrdinal);
      for (int i = 0; i < n; i++) {
        long[] key = Arrays.copyOfRange(keyValues, i * columns.length, (i + 1) * columns.length);
        reads.found(table, found[i], indexOrdinal, key, columns);
      }
    }
  }

  @Override
  public void updateRow(long row, int[] columns, long[] values, boolean[] nulls) {
    RowBuffer room = oneRow();
    DeviceMemory memory = database.memory().memory();
    ColumnView[] data = new ColumnView[columns.length];
    for (int i = 0; i < columns.length; i++) {
      data[i] = room.value(i, table.type(columns[i]), values[i], nulls[i], memory);
    }
    update((int) (row / Tablet.ROWS), room.row(row, memory), 1, columns, data);
    if (keys.touchesAnyKey(columns)) {
      finishStatement();
    }
  }

  @Override
  public void deleteRow(long row) {
    DeviceMemory memory = database.memory().memory();
    delete((int) (row / Tablet.ROWS), oneRow().row(row, memory), 1);
  }

  private RowBuffer oneRow() {
    RowBuffer room = oneRow;
    if (room == null) {
      room = table.takeRowBuffer();
      oneRow = room;
    }
    return room;
  }

  /** Nothing more is written by it. */
  void end() {
    RowBuffer room = oneRow;
    if (room != null) {
      table.returnRowBuffer(room);
      oneRow = null;
    }
  }
}
