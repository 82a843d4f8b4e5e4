package io.gpdb.txn;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.gpdb.storage.Dictionary;
import io.gpdb.storage.Tablet;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Turns what a transaction has written into log records: tables made, strings, inserted rows (from
 * the tables themselves), the sections of updates and deletes, tables dropped. A record is closed
 * when it passes {@link #RECORD_BYTES}; the last one carries the flag that commits.
 */
final class CommitRecords implements RecordSource {
  static final long RECORD_BYTES = 4L << 20;
  private static final long INSERT_SECTION_BYTES = 1L << 20;

  private final TransactionWrites writes;
  private final OpenDatabase database;
  private final List<Strings> strings = new ArrayList<>();
  private final List<InsertedRows> inserted = new ArrayList<>();
  private boolean first = true;
  private int nextCreated;
  private int nextStrings;
  private int nextInserted;
  private int nextChunk;
  private long chunkOffset;
  private int nextDropped;

  /** Strings of one dictionary still to be logged. */
  private static final class Strings {
    final LoggedStrings.Column column;
    final int end;
    int next;

    Strings(LoggedStrings.Column column, int next, int end) {
      this.column = column;
      this.next = next;
      this.end = end;
    }
  }

  /** Neighbouring rows of one tablet; columns before {@code nextColumn} are logged. */
  private static final class InsertedRows {
    final TableVersions table;
    final int tablet;
    final int from;
    int n;
    int nextColumn;

    InsertedRows(TableVersions table, int tablet, int from, int n) {
      this.table = table;
      this.tablet = tablet;
      this.from = from;
      this.n = n;
    }

    long firstRow() {
      return (long) tablet * Tablet.ROWS + from;
    }
  }

  CommitRecords(TransactionWrites writes, OpenDatabase database) {
    this.writes = writes;
    this.database = database;
    for (TableVersions table : writes.touched()) {
      for (int c = 0; c < table.types().length; c++) {
        Dictionary dictionary = table.store().dictionary(c);
        LoggedStrings.Column column = new LoggedStrings.Column(table, c);
        int durable = dictionary == null ? 0 : database.loggedStrings().durable(column);
        if (dictionary != null && dictionary.size() > durable) {
          strings.add(new Strings(column, durable, dictionary.size()));
        }
      }
    }
    for (UndoVersion version : writes.versions()) {
      if (version.kind() == UndoVersion.Kind.INSERT) {
        addInserted(version);
      }
    }
  }

  private void addInserted(UndoVersion v) {
    InsertedRows last = inserted.isEmpty() ? null : inserted.getLast();
    if (last != null
        && last.table == v.table()
        && last.tablet == v.tablet()
        && last.from + last.n == v.from()) {
      last.n += v.n();
    } else {
      inserted.add(new InsertedRows(v.table(), v.tablet(), v.from(), v.n()));
    }
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
    } else if (nextDropped < writes.dropped().size()) {
      TableVersions table = writes.dropped().get(nextDropped++);
      record.section(SectionKind.DROP_TABLE, 0, table.tableId(), -1, 0, -1, 0);
      database.counters().logged(SectionKind.DROP_TABLE, WalLayout.SECTION_HEADER_BYTES);
    } else {
      return false;
    }
    return true;
  }

  private void create(RecordBuffer record, TableVersions table) {
    byte[] shape = table.store().shape().encode();
    record.section(SectionKind.CREATE_TABLE, 0, table.tableId(), -1, shape.length, -1, 0);
    record.reserve(shape.length).copyFrom(MemorySegment.ofArray(shape));
    database.counters().metadata(WalLayout.SECTION_HEADER_BYTES + shape.length);
  }

  private void strings(RecordBuffer record, Strings s) {
    long before = record.bytes();
    s.next = LoggedStrings.append(record, s.column.table(), s.column.column(), s.next, s.end);
    if (s.next == s.end) {
      nextStrings++;
    }
    database.counters().logged(SectionKind.DICTIONARY, record.bytes() - before);
  }

  private void rows(RecordBuffer record, InsertedRows rows) {
    long before = record.bytes();
    int tableId = rows.table.tableId();
    if (!database.protocol().logsValues()) {
      record.section(
          SectionKind.INSERT_IN_PLACE, 0, tableId, rows.tablet, rows.n, -1, rows.firstRow());
      nextInserted++;
      database.counters().logged(SectionKind.INSERT_IN_PLACE, record.bytes() - before);
      return;
    }
    int columns = rows.table.types().length;
    int from = rows.nextColumn;
    int end = groupEnd(rows, from, columns);
    record.section(SectionKind.INSERT, 0, tableId, end - from, rows.n, from, rows.firstRow());
    Tablet tablet = rows.table.store().tablet(rows.tablet);
    tablet.latch().readLock().lock();
    try {
      for (int c = from; c < end; c++) {
        column(record, rows, tablet, c);
      }
    } finally {
      tablet.latch().readLock().unlock();
    }
    rows.nextColumn = end;
    if (end == columns) {
      nextInserted++;
    }
    database.counters().logged(SectionKind.INSERT, record.bytes() - before);
  }

  /** As many columns as fit a section; one at least. */
  private static int groupEnd(InsertedRows rows, int from, int columns) {
    long bytes = 0;
    int end = from;
    while (end < columns && (end == from || bytes < INSERT_SECTION_BYTES)) {
      bytes += (long) rows.n * rows.table.type(end).bytes();
      end++;
    }
    return end;
  }

  private static void column(RecordBuffer record, InsertedRows rows, Tablet tablet, int c) {
    MemorySegment validity = tablet.validity(c);
    boolean nulls = validity != null && Bitmaps.count(validity, rows.from, rows.n) < rows.n;
    record.reserve(Long.BYTES).set(JAVA_LONG, 0, nulls ? 1 : 0);
    if (nulls && validity != null) {
      long bytes = Bitmaps.bytes(rows.n);
      MemorySegment words = record.reserve(bytes);
      words.set(JAVA_INT, bytes - Integer.BYTES, 0);
      Bitmaps.copyRange(validity, rows.from, words, 0, rows.n);
    }
    long width = rows.table.type(c).bytes();
    MemorySegment.copy(
        tablet.values(c), rows.from * width, record.reserve(rows.n * width), 0, rows.n * width);
  }

  /** Copies whole sections of a chunk, up to the record's limit. */
  private void sections(RecordBuffer record) {
    MemorySegment chunk = writes.sectionMemory().used(nextChunk);
    long at = chunkOffset;
    int count = 0;
    while (at < chunk.byteSize() && record.bytes() + at - chunkOffset < RECORD_BYTES) {
      long bytes =
          (long) WalLayout.SECTION_HEADER_BYTES
              + chunk.get(JAVA_INT, at + WalLayout.SECTION_PAYLOAD_BYTES_AT);
      int kind = chunk.get(JAVA_SHORT, at + WalLayout.SECTION_KIND_AT);
      database.counters().logged(SectionKind.of(kind, -1), bytes);
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

  /** After the records are durable. */
  void durable() {
    for (Strings s : strings) {
      database.loggedStrings().durable(s.column, s.end);
    }
  }
}
