package io.gpdb.txn.commit;

import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.ColumnFill;
import io.gpdb.txn.change.InsertedRows;
import io.gpdb.txn.change.LoggedStrings;
import io.gpdb.txn.change.OpenTables;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.log.ExtentReference;
import io.gpdb.txn.log.InsertSection;
import io.gpdb.txn.log.InsertedValidity;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.RecordSource;
import io.gpdb.txn.log.SectionKind;
import io.gpdb.txn.log.TableSection;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.protocol.ProtocolCost;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TxnCounters;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns what a transaction has written into log records: tables made, strings, inserted rows (from
 * the tables themselves), the sections of updates and deletes, tables dropped. A record is closed
 * when it passes {@link #RECORD_BYTES}; the last one carries the flag that commits.
 */
public final class CommitRecords implements RecordSource {
  static final long RECORD_BYTES = 4L << 20;
  private static final long INSERT_SECTION_BYTES = 1L << 20;

  private final TransactionWrites writes;
  private final Shared shared;
  private final List<Strings> strings = new ArrayList<>();
  private final List<InsertedRows> inserted;
  private final ExtentWrites extents;
  private boolean first = true;
  private int nextCreated;
  private int nextGrown;
  private int nextStrings;
  private int nextInserted;
  private int nextChunk;
  private long chunkOffset;
  private int nextVersion;
  private boolean extentsNamed;
  private int nextDropped;

  /** What the records of all transactions of a database share. */
  public record Shared(
      OpenTables tables,
      TxnCounters counters,
      ProtocolCost cost,
      Protocol defaultProtocol,
      SharedWork workers,
      boolean isLogged) {}

  /** Events of one dictionary still to be logged. */
  private static final class Strings {
    final LoggedStrings.Column column;
    final long end;
    long next;

    Strings(LoggedStrings.Column column, long next, long end) {
      this.column = column;
      this.next = next;
      this.end = end;
    }
  }

  /**
   * Writes the values that go to extents, too: the caller ends with {@link #durable} or {@link
   * #failed}.
   */
  public CommitRecords(TransactionWrites writes, Shared shared) {
    this.writes = writes;
    this.shared = shared;
    this.inserted = InsertedRows.of(writes);
    this.extents =
        new ExtentWrites(
            writes, inserted, shared.tables().space(), shared.counters(), shared.workers());
    for (TableVersions table : writes.touched()) {
      for (int c : table.stringColumns(writes.stamp())) {
        Dictionary dictionary = table.store().dictionary(c);
        if (dictionary != null) {
          addStrings(new LoggedStrings.Column(table, c), dictionary);
        }
      }
    }
    if (shared.isLogged()) {
      shared.cost().settle(inserted);
      extents.write();
    }
  }

  private void addStrings(LoggedStrings.Column column, Dictionary dictionary) {
    long durable = shared.tables().loggedStrings().durable(column);
    long end = dictionary.events();
    if (end > durable) {
      strings.add(new Strings(column, durable, end));
    }
  }

  /** Whether the commit needs a drain of the home file, not of the log alone. */
  public boolean needsHome() {
    return !extents.isEmpty();
  }

  @Override
  public boolean fill(RecordBuffer record) {
    record.begin(
        WalLayout.KIND_COMMIT, first ? WalLayout.FLAG_FIRST : 0, writes.stamp().transactionId());
    first = false;
    record.expect(Math.min(insertedBytes(), RECORD_BYTES + INSERT_SECTION_BYTES));
    boolean more = true;
    while (more && record.bytes() < RECORD_BYTES) {
      more = step(record);
    }
    if (!more) {
      record.addFlags(WalLayout.FLAG_LAST);
    }
    record.end();
    return more;
  }

  /** Values of inserted rows that records are still to have, as far as the record may go. */
  private long insertedBytes() {
    long bytes = 0;
    for (int i = nextInserted; i < inserted.size() && bytes < RECORD_BYTES; i++) {
      InsertedRows rows = inserted.get(i);
      Protocol protocol = rows.protocol();
      bytes += protocol.isInPlace() || protocol == Protocol.CHECKSUMMED ? 0 : rows.bytes();
    }
    return bytes;
  }

  /** Appends one section, or a run of them; false when nothing was left. */
  private boolean step(RecordBuffer record) {
    if (nextCreated < writes.created().size()) {
      create(record, writes.created().get(nextCreated++));
    } else if (nextGrown < writes.grown().size()) {
      grow(record, writes.grown().get(nextGrown++));
    } else if (nextStrings < strings.size()) {
      strings(record, strings.get(nextStrings));
    } else if (nextInserted < inserted.size()) {
      rows(record, inserted.get(nextInserted));
    } else if (nextChunk < writes.sectionMemory().chunkCount()) {
      sections(record);
    } else if (nextVersion < extents.versionCount()) {
      long before = record.bytes();
      extents.version(nextVersion++).write(record);
      shared.counters().logged(SectionKind.VERSION, record.bytes() - before);
    } else if (!extentsNamed) {
      if (shared.defaultProtocol().isBaseline()) {
        rowLimits(record);
      }
      writes.touchedColumns().forEach(c -> extents(record, c));
      extentsNamed = true;
    } else if (nextDropped < writes.dropped().size()) {
      TableVersions table = writes.dropped().get(nextDropped++);
      new TableSection.DropTable(table.tableId()).write(record);
      shared.counters().logged(SectionKind.DROP_TABLE, WalLayout.SECTION_HEADER_BYTES);
    } else {
      return false;
    }
    return true;
  }

  private void create(RecordBuffer record, TableVersions table) {
    byte[] shape = RootCodec.encodeShape(table.store().shape());
    new TableSection.CreateTable(table.tableId(), MemorySegment.ofArray(shape)).write(record);
    shared.counters().metadata(WalLayout.SECTION_HEADER_BYTES + shape.length);
  }

  /** A table that the transaction has created is logged with all that it has now. */
  private void grow(RecordBuffer record, TransactionWrites.Grown grown) {
    if (!writes.created().contains(grown.table())) {
      byte[] shape = RootCodec.encodeShape(grown.shape());
      ColumnFill fill = grown.fill();
      new TableSection.GrowTable(
              grown.table().tableId(), MemorySegment.ofArray(shape), fill.raw(), fill.isNull())
          .write(record);
      shared
          .counters()
          .logged(SectionKind.GROW_TABLE, WalLayout.SECTION_HEADER_BYTES + shape.length);
    }
  }

  private void strings(RecordBuffer record, Strings s) {
    long before = record.bytes();
    s.next = LoggedStrings.append(record, s.column.table(), s.column.column(), s.next, s.end);
    if (s.next == s.end) {
      nextStrings++;
    }
    shared.counters().logged(SectionKind.STRINGS, record.bytes() - before);
  }

  private void rows(RecordBuffer record, InsertedRows rows) {
    assert nextStrings == strings.size() : "R6: rows before the strings of their codes";
    long before = record.bytes();
    SectionKind kind;
    int beside = rows.protocol() == Protocol.UNDO ? besideInPlace(rows) : rows.columns();
    if (rows.protocol().isInPlace() && beside == rows.columns()) {
      new InsertSection.InsertInPlace(rows.table().tableId(), rows.firstRow(), rows.n())
          .write(record);
      rows.nextColumn(rows.columns());
      kind = SectionKind.INSERT_IN_PLACE;
    } else if (rows.protocol().isInPlace()) {
      rows.nextColumn(beside);
      kind = column(record, rows);
    } else {
      rows.tablet().latch().readLock().lock();
      try {
        kind =
            rows.protocol() == Protocol.CHECKSUMMED
                ? insertInExtents(record, rows)
                : values(record, rows, groupEnd(rows));
      } finally {
        rows.tablet().latch().readLock().unlock();
      }
    }
    if (rows.nextColumn() == rows.columns()) {
      nextInserted++;
    }
    shared.counters().logged(kind, record.bytes() - before);
  }

  /**
   * The next column that is not in place: one that was added after the rows were inserted. Its
   * values are logged, because the column's section fills only rows that there were before.
   */
  private static int besideInPlace(InsertedRows rows) {
    int column = rows.nextColumn();
    while (column < rows.columns() && rows.tablet().isInPlace(ChunkKind.VALUES, column)) {
      column++;
    }
    return column;
  }

  private static SectionKind column(RecordBuffer record, InsertedRows rows) {
    rows.tablet().latch().readLock().lock();
    try {
      return values(record, rows, rows.nextColumn() + 1);
    } finally {
      rows.tablet().latch().readLock().unlock();
    }
  }

  /**
   * The columns up to that one; the caller holds the tablet's latch. Nobody else writes these rows
   * before the transaction has ended, so long values are copied later, under the latch once more.
   */
  private static SectionKind values(RecordBuffer record, InsertedRows rows, int end) {
    int from = rows.nextColumn();
    List<InsertSection.Insert.NewColumn> columns = new ArrayList<>();
    for (int c = from; c < end; c++) {
      long bytes = (long) rows.n() * rows.table().type(c).bytes();
      columns.add(new InsertSection.Insert.NewColumn(validity(rows, c), bytes));
    }
    InsertSection.Insert.write(
        record,
        rows.table().tableId(),
        rows.firstRow(),
        rows.n(),
        from,
        columns,
        targets -> copyValues(rows, from, targets));
    rows.nextColumn(end);
    return SectionKind.INSERT;
  }

  /** Of the columns from the first one on; any thread. */
  private static void copyValues(InsertedRows rows, int first, List<MemorySegment> targets) {
    Tablet tablet = rows.tablet();
    List<DeviceMemory.ToHost> copies = new ArrayList<>(targets.size());
    tablet.latch().readLock().lock();
    try {
      for (MemorySegment target : targets) {
        int c = first + copies.size();
        long at = (long) rows.from() * rows.table().type(c).bytes();
        DeviceBuffer values = tablet.values(c).slice(at, target.byteSize());
        copies.add(new DeviceMemory.ToHost(values, values.memory().map(target)));
      }
      copies.getFirst().from().memory().copyToHost(copies);
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  private static SectionKind insertInExtents(RecordBuffer record, InsertedRows rows) {
    List<InsertSection.InsertInExtents.ColumnInExtent> columns = new ArrayList<>();
    for (int c = rows.nextColumn(); c < rows.columns(); c++) {
      ExtentReference values = ExtentReference.of(rows.loggedValues()[c]);
      columns.add(new InsertSection.InsertInExtents.ColumnInExtent(validity(rows, c), values));
    }
    new InsertSection.InsertInExtents(
            rows.table().tableId(), rows.firstRow(), rows.n(), rows.nextColumn(), columns)
        .write(record);
    rows.nextColumn(rows.columns());
    return SectionKind.INSERT_IN_EXTENTS;
  }

  private static InsertedValidity validity(InsertedRows rows, int c) {
    HostBuffer bits = DeviceBuffer.onHostOrNull(rows.tablet().validity(c));
    return InsertedValidity.of(bits == null ? null : bits.segment(), rows.from(), rows.n());
  }

  /** As many columns as fit a section; one at least. */
  private static int groupEnd(InsertedRows rows) {
    long bytes = 0;
    int end = rows.nextColumn();
    while (end < rows.columns() && (end == rows.nextColumn() || bytes < INSERT_SECTION_BYTES)) {
      bytes += (long) rows.n() * rows.table().type(end).bytes();
      end++;
    }
    return end;
  }

  /** Takes whole sections of a chunk, up to the record's limit. */
  private void sections(RecordBuffer record) {
    assert nextStrings == strings.size() : "R6: values before the strings of their codes";
    MemorySegment chunk = writes.sectionMemory().used(nextChunk);
    chunkOffset = record.takeSections(chunk, chunkOffset, RECORD_BYTES, shared.counters()::logged);
    if (chunkOffset == chunk.byteSize()) {
      nextChunk++;
      chunkOffset = 0;
    }
  }

  /** Baselines write whole columns, so also tablets that others have made and not committed. */
  private void rowLimits(RecordBuffer record) {
    writes.touchedColumns().stream()
        .map(TransactionWrites.TouchedColumn::table)
        .distinct()
        .forEach(
            table -> {
              long rows = table.store().rowLimit();
              new TableSection.RowLimit(table.tableId(), rows).write(record);
              shared.counters().logged(SectionKind.ROW_LIMIT, WalLayout.SECTION_HEADER_BYTES);
            });
  }

  /** Has the record name the extents of a column that the transaction wrote in place. */
  private void extents(RecordBuffer record, TransactionWrites.TouchedColumn c) {
    Tablet tablet = c.table().store().tablet(c.tablet());
    extent(record, c, tablet, ChunkKind.VALUES);
    if (tablet.validity(c.column()) != null) {
      extent(record, c, tablet, ChunkKind.VALIDITY);
    }
  }

  private void extent(
      RecordBuffer record, TransactionWrites.TouchedColumn c, Tablet tablet, ChunkKind kind) {
    long offset = tablet.homeOffset(kind, c.column());
    new ChangeSection.Extent(c.table().tableId(), c.tablet(), c.column(), kind, offset)
        .write(record);
    shared.counters().logged(SectionKind.EXTENT, WalLayout.SECTION_HEADER_BYTES);
  }

  /** The records will never be whole. */
  public void failed() {
    extents.discard();
  }

  /** After the records are durable. */
  public void durable() {
    extents.keep(writes.stamp().sequence());
    for (Strings s : strings) {
      assert s.next == s.end || !shared.isLogged() : "R6: logged to " + s.next + " of " + s.end;
      shared.tables().loggedStrings().durable(s.column, s.end);
    }
  }
}
