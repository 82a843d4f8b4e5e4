package io.gpdb.txn.commit;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.table.Dictionary;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.InsertedRows;
import io.gpdb.txn.change.LoggedStrings;
import io.gpdb.txn.change.OpenTables;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.log.ExtentReference;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.log.RecordBuffer;
import io.gpdb.txn.log.RecordSource;
import io.gpdb.txn.log.SectionKind;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.protocol.PersistencyCost;
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
  private final ValuesBeside beside;
  private boolean first = true;
  private int nextCreated;
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
      PersistencyCost cost,
      Protocol persistency,
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
   * Writes what lies beside the log, too: the caller ends with {@link #durable} or {@link #failed}.
   */
  public CommitRecords(TransactionWrites writes, Shared shared) {
    this.writes = writes;
    this.shared = shared;
    this.inserted = InsertedRows.of(writes);
    this.beside = new ValuesBeside(writes, inserted, shared.tables().space(), shared.counters());
    for (TableVersions table : writes.touched()) {
      for (int c : table.stringColumns()) {
        Dictionary dictionary = table.store().dictionary(c);
        if (dictionary != null) {
          addStrings(new LoggedStrings.Column(table, c), dictionary);
        }
      }
    }
    if (shared.isLogged()) {
      shared.cost().settle(inserted);
      beside.write();
    }
  }

  private void addStrings(LoggedStrings.Column column, Dictionary dictionary) {
    long durable = shared.tables().loggedStrings().durable(column);
    long end = dictionary.events();
    if (end > durable) {
      strings.add(new Strings(column, durable, end));
    }
  }

  /** Whether the home file has to be drained for the commit, beside the log. */
  public boolean needsHome() {
    return !beside.isEmpty();
  }

  @Override
  public boolean fill(RecordBuffer record) {
    record.begin(
        WalLayout.KIND_COMMIT, first ? WalLayout.FLAG_FIRST : 0, writes.stamp().transactionId());
    first = false;
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

  /** Appends one section, or a run of them; false when nothing was left. */
  private boolean step(RecordBuffer record) {
    if (nextCreated < writes.created().size()) {
      create(record, writes.created().get(nextCreated++));
    } else if (nextStrings < strings.size()) {
      strings(record, strings.get(nextStrings));
    } else if (nextInserted < inserted.size()) {
      rows(record, inserted.get(nextInserted));
    } else if (nextChunk < writes.sectionMemory().chunkCount()) {
      sections(record);
    } else if (nextVersion < beside.versionCount()) {
      long before = record.bytes();
      beside.appendVersion(record, nextVersion++);
      shared.counters().logged(SectionKind.VERSION, record.bytes() - before);
    } else if (!extentsNamed) {
      if (shared.persistency().isBaseline()) {
        rowLimits(record);
      }
      writes.touchedColumns().forEach(c -> extents(record, c));
      extentsNamed = true;
    } else if (nextDropped < writes.dropped().size()) {
      TableVersions table = writes.dropped().get(nextDropped++);
      record.section(SectionKind.DROP_TABLE, 0, table.tableId(), -1, 0, -1, 0);
      shared.counters().logged(SectionKind.DROP_TABLE, WalLayout.SECTION_HEADER_BYTES);
    } else {
      return false;
    }
    return true;
  }

  private void create(RecordBuffer record, TableVersions table) {
    byte[] shape = RootCodec.encodeShape(table.store().shape());
    record.section(SectionKind.CREATE_TABLE, 0, table.tableId(), -1, shape.length, -1, 0);
    record.reserve(shape.length).copyFrom(MemorySegment.ofArray(shape));
    shared.counters().metadata(WalLayout.SECTION_HEADER_BYTES + shape.length);
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
    if (rows.protocol().isInPlace()) {
      Tablet tablet = rows.tablet();
      int tableId = rows.table().tableId();
      record.section(
          SectionKind.INSERT_IN_PLACE, 0, tableId, tablet.number(), rows.n(), -1, rows.firstRow());
      nextInserted++;
      shared.counters().logged(SectionKind.INSERT_IN_PLACE, record.bytes() - before);
      return;
    }
    boolean logged = rows.protocol() != Protocol.CHECKSUMMED;
    SectionKind kind = logged ? SectionKind.INSERT : SectionKind.INSERT_BESIDE;
    int from = rows.nextColumn();
    int end = logged ? groupEnd(rows) : rows.columns();
    record.section(kind, 0, rows.table().tableId(), end - from, rows.n(), from, rows.firstRow());
    Tablet tablet = rows.tablet();
    tablet.latch().readLock().lock();
    try {
      for (int c = from; c < end; c++) {
        validity(record, rows, tablet, c);
        if (logged) {
          values(record, rows, tablet, c);
        } else {
          ExtentReference.append(record, rows.beside()[c]);
        }
      }
    } finally {
      tablet.latch().readLock().unlock();
    }
    rows.nextColumn(end);
    if (end == rows.columns()) {
      nextInserted++;
    }
    shared.counters().logged(kind, record.bytes() - before);
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

  private static void validity(RecordBuffer record, InsertedRows rows, Tablet tablet, int c) {
    MemorySegment validity = tablet.validity(c);
    boolean nulls = validity != null && Bitmaps.count(validity, rows.from(), rows.n()) < rows.n();
    record.reserve(Long.BYTES).set(JAVA_LONG, 0, nulls ? 1 : 0);
    if (nulls && validity != null) {
      long bytes = Bitmaps.bytes(rows.n());
      MemorySegment words = record.reserve(bytes);
      words.set(JAVA_INT, bytes - Integer.BYTES, 0);
      Bitmaps.copyRange(validity, rows.from(), words, 0, rows.n());
    }
  }

  private static void values(RecordBuffer record, InsertedRows rows, Tablet tablet, int c) {
    long width = rows.table().type(c).bytes();
    long bytes = rows.n() * width;
    MemorySegment.copy(tablet.values(c), rows.from() * width, record.reserve(bytes), 0, bytes);
  }

  /** Copies whole sections of a chunk, up to the record's limit. */
  private void sections(RecordBuffer record) {
    assert nextStrings == strings.size() : "R6: values before the strings of their codes";
    MemorySegment chunk = writes.sectionMemory().used(nextChunk);
    long at = chunkOffset;
    int count = 0;
    while (at < chunk.byteSize() && record.bytes() + at - chunkOffset < RECORD_BYTES) {
      long bytes =
          (long) WalLayout.SECTION_HEADER_BYTES
              + chunk.get(JAVA_INT, at + WalLayout.SECTION_PAYLOAD_BYTES_AT);
      int kind = chunk.get(JAVA_SHORT, at + WalLayout.SECTION_KIND_AT);
      shared.counters().logged(SectionKind.of(kind, -1), bytes);
      at += bytes;
      count++;
    }
    record.copySections(chunk.asSlice(chunkOffset, at - chunkOffset), count);
    chunkOffset = at;
    if (at == chunk.byteSize()) {
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
              record.section(SectionKind.ROW_LIMIT, 0, table.tableId(), -1, 0, -1, rows);
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
    record.section(
        SectionKind.EXTENT,
        0,
        c.table().tableId(),
        c.tablet(),
        FormatCodes.of(kind),
        c.column(),
        tablet.homeOffset(kind, c.column()));
    shared.counters().logged(SectionKind.EXTENT, WalLayout.SECTION_HEADER_BYTES);
  }

  /** The records will never be whole. */
  public void failed() {
    beside.discard();
  }

  /** After the records are durable. */
  public void durable() {
    beside.keep(writes.stamp().sequence());
    for (Strings s : strings) {
      assert s.next == s.end || !shared.isLogged() : "R6: logged to " + s.next + " of " + s.end;
      shared.tables().loggedStrings().durable(s.column, s.end);
    }
  }
}
