package io.gpdb.txn.recovery;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.change.GridReplay;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.table.Dictionary;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.table.Tablet;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.change.LoggedStrings;
import io.gpdb.txn.log.ExtentReference;
import io.gpdb.txn.log.FormatCodes;
import io.gpdb.txn.log.SectionKind;
import io.gpdb.txn.log.WalLayout;
import io.gpdb.txn.log.WalRecord.Section;
import io.gpdb.txn.version.KeyHashes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Applies log sections to the working image. Rows have fixed numbers and values are absolute, so
 * applying a section again changes nothing. Regions of many entries are applied by kernels.
 */
public final class Replay {
  private final TableSpace space;
  private final GridReplay kernels;
  private final SectionBounds bounds;
  private final List<RowRange> rekeyed = new ArrayList<>();
  private final long[] hashes = new long[Tablet.ROWS];
  private long sequence;

  /** Rows whose keys go to the indexes when the transaction is applied; {@code rows} or a range. */
  private record RowRange(
      TableStore store, int tablet, int from, int n, @Nullable MemorySegment rows) {
    int row(int i) {
      return rows == null ? from + i : rows.getAtIndex(JAVA_INT, i);
    }
  }

  /**
   * @param memoryBytesMax what row numbers without values may take
   */
  public Replay(TableSpace space, Device device, long memoryBytesMax) {
    this.bounds = new SectionBounds(memoryBytesMax);
    this.space = space;
    this.kernels = new GridReplay(device);
  }

  /** Sections of the commit of that sequence follow. */
  void beginTransaction(long commitSequence) {
    sequence = commitSequence;
  }

  public void apply(Section section) {
    bounds.require(section, space.table(section.tableId()));
    switch (section.kind()) {
      case CREATE_TABLE -> createTable(section);
      case DROP_TABLE -> {
        rekeyed.removeIf(r -> r.store().tableId() == section.tableId());
        space.dropTable(section.tableId());
      }
      case DICTIONARY -> strings(section);
      case STRINGS -> events(section);
      case INSERT, INSERT_BESIDE -> insert(section);
      case UPDATE -> update(section);
      case VERSION -> version(section);
      case DELETE -> delete(section);
      case INSERT_IN_PLACE -> live(section);
      case EXTENT -> extent(section);
      case HINTS -> hints(section);
      case ROW_LIMIT -> table(section).ensureRowLimit(section.extra());
    }
  }

  private TableStore table(Section section) {
    TableStore store = space.table(section.tableId());
    if (store == null) {
      throw damaged(section, "table does not exist");
    }
    return store;
  }

  private static GpdbException damaged(Section section, String what) {
    return SectionBounds.damaged(section, what);
  }

  private Tablet tablet(Section section, TableStore store) {
    if (section.tablet() < 0 || section.tablet() >= store.tabletCount()) {
      throw damaged(section, "tablet does not exist");
    }
    return store.tablet(section.tablet());
  }

  private void createTable(Section section) {
    if (space.table(section.tableId()) != null) {
      throw damaged(section, "table exists already");
    }
    byte[] shape = section.payload().asSlice(0, section.n()).toArray(JAVA_BYTE);
    space.createTable(section.tableId(), RootCodec.decodeShape(shape));
  }

  private void strings(Section section) {
    Dictionary dictionary = table(section).dictionary(section.column());
    if (dictionary == null) {
      throw damaged(section, "column has no dictionary");
    }
    MemorySegment payload = section.payload();
    long at = 0;
    for (int i = 0; i < section.n(); i++) {
      int length = payload.get(JAVA_INT_UNALIGNED, at);
      dictionary.appendReplayed((int) section.extra() + i, payload.asSlice(at + 4, length));
      at += Integer.BYTES + length;
    }
  }

  private void events(Section section) {
    TableStore store = space.table(section.tableId());
    if (store == null) {
      return; // dropped while a checkpoint had its strings logged
    }
    Dictionary dictionary = store.dictionary(section.column());
    if (dictionary == null) {
      throw damaged(section, "column has no dictionary");
    }
    MemorySegment payload = section.payload();
    long at = 0;
    for (int i = 0; i < section.n(); i++) {
      int code = payload.get(JAVA_INT_UNALIGNED, at);
      int length = payload.get(JAVA_INT_UNALIGNED, at + Integer.BYTES);
      at += 2L * Integer.BYTES;
      boolean freed = length == LoggedStrings.FREED;
      if (!freed && (length < 0 || length > payload.byteSize() - at)) {
        throw damaged(section, "string of %d bytes".formatted(length));
      }
      MemorySegment bytes = freed ? null : payload.asSlice(at, length);
      dictionary.replayEvent(section.extra() + i, code, bytes);
      at += freed ? 0 : length;
    }
  }

  private void insert(Section section) {
    TableStore store = table(section);
    store.ensureRowLimit(section.extra() + section.n());
    Tablet tablet = store.tablet((int) (section.extra() / Tablet.ROWS));
    int from = (int) (section.extra() % Tablet.ROWS);
    long at = 0;
    for (int c = section.column(); c < section.column() + section.tablet(); c++) {
      at = insertColumn(section, store, tablet, c, from, at);
    }
    if (section.column() + section.tablet() == store.shape().columns().size()) {
      makeLive(store, tablet, from, section.n());
    }
  }

  private long insertColumn(
      Section section, TableStore store, Tablet tablet, int column, int from, long start) {
    MemorySegment payload = section.payload();
    int n = section.n();
    if (payload.get(JAVA_LONG, start) != 0) {
      MemorySegment words = payload.asSlice(start + Long.BYTES, Bitmaps.bytes(n));
      Bitmaps.copyRange(words, 0, tablet.writableValidity(column), from, n);
    } else if (tablet.validity(column) != null) {
      Bitmaps.setRange(tablet.writableValidity(column), from, n, true);
    }
    long at = start + section.validityBytes(start);
    long width = store.shape().columns().get(column).type().bytes();
    MemorySegment target = tablet.writableValues(column).asSlice(from * width, n * width);
    if (section.kind() == SectionKind.INSERT_BESIDE) {
      ExtentReference reference = ExtentReference.read(payload, at);
      target.copyFrom(taken(section, reference, n * width));
      return at + reference.length();
    }
    MemorySegment.copy(payload, at, target, 0, n * width);
    return at + WalLayout.align(n * width, WalLayout.SECTION_ALIGNMENT);
  }

  /** The values in an extent that has arrived; it is the log's from now on (L1). */
  private MemorySegment taken(Section section, ExtentReference reference, long bytes) {
    MemorySegment values = space.loggedValues(reference.offset(), reference.bytes());
    if (values == null || bytes != reference.bytes()) {
      throw damaged(section, "values of %d bytes, not %d".formatted(reference.bytes(), bytes));
    }
    space.reserve(reference.offset(), bytes, sequence);
    return values;
  }

  /** Takes the rows that the transaction wrote, and no others, from the chunk's new version. */
  private void version(Section section) {
    TableStore store = table(section);
    Tablet tablet = tablet(section, store);
    int n = section.n();
    int column = section.column();
    int width = store.shape().columns().get(column).type().bytes();
    ExtentReference reference = ExtentReference.read(section.payload(), 0);
    MemorySegment values = taken(section, reference, (long) n * width);
    long at = reference.length();
    MemorySegment rows = null;
    if (section.isOfSomeRows()) {
      rows = section.payload().asSlice(at, Bitmaps.bytes(n));
      at += WalLayout.align(rows.byteSize(), WalLayout.SECTION_ALIGNMENT);
    }
    MemorySegment validity =
        section.isNullable() ? section.payload().asSlice(at, Bitmaps.bytes(n)) : null;
    boolean nullable = validity != null || tablet.validity(column) != null;
    MemorySegment target = tablet.writableValues(column);
    MemorySegment targetValidity = nullable ? tablet.writableValidity(column) : null;
    for (int from = Bitmaps.next(rows, 0, n, true); from < n; ) {
      int end = Bitmaps.next(rows, from, n, false);
      if (end > tablet.rowCount()) {
        throw damaged(section, "row %d of %d".formatted(end - 1, tablet.rowCount()));
      }
      MemorySegment.copy(
          values, (long) from * width, target, (long) from * width, (long) (end - from) * width);
      if (targetValidity != null && validity != null) {
        Bitmaps.copyRange(validity, from, targetValidity, from, end - from);
      } else if (targetValidity != null) {
        Bitmaps.setRange(targetValidity, from, end - from, true);
      }
      if (isKeyColumn(store, column)) {
        rekey(new RowRange(store, section.tablet(), from, end - from, null));
      }
      from = Bitmaps.next(rows, end, n, true);
    }
  }

  /** After the rows' values are in place (R2). */
  private void makeLive(TableStore store, Tablet tablet, int from, int n) {
    MemorySegment live = tablet.writableLive();
    int before = Bitmaps.count(live, from, n);
    Bitmaps.setRange(live, from, n, true);
    tablet.liveCountAdd(n - before);
    rekey(new RowRange(store, tablet.number(), from, n, null));
  }

  private void rekey(RowRange range) {
    if (range.store().indexCount() > 0) {
      rekeyed.add(range);
    }
  }

  private void live(Section section) {
    TableStore store = table(section);
    store.ensureRowLimit(section.extra() + section.n());
    Tablet tablet = store.tablet((int) (section.extra() / Tablet.ROWS));
    makeLive(store, tablet, (int) (section.extra() % Tablet.ROWS), section.n());
  }

  private void update(Section section) {
    TableStore store = table(section);
    Tablet tablet = tablet(section, store);
    ElementType type = store.shape().columns().get(section.column()).type();
    MemorySegment values = tablet.writableValues(section.column());
    boolean nullable = section.isNullable() || tablet.validity(section.column()) != null;
    MemorySegment validity = nullable ? tablet.writableValidity(section.column()) : null;
    if (section.n() < ColumnStores.KERNEL_ROWS_MIN) {
      updateOnHost(section, type, values, validity, tablet.rowCount());
    } else if (section.isRowMajor()) {
      kernels.updateRowMajor(
          LaneInputs.element(type), section.payload(), 0, section.n(), values, validity);
    } else {
      kernels.update(LaneInputs.element(type), section.payload(), 0, section.n(), values, validity);
    }
    if (isKeyColumn(store, section.column())) {
      rekey(
          new RowRange(
              store,
              section.tablet(),
              -1,
              section.n(),
              rows(section, ColumnStores.entryWords(type))));
    }
  }

  private static void updateOnHost(
      Section section,
      ElementType type,
      MemorySegment values,
      @Nullable MemorySegment validity,
      int rowCount) {
    int words = ColumnStores.entryWords(type);
    for (int i = 0; i < section.n(); i++) {
      int tagged = word(section, i, 0, words);
      int row = tagged & ~HclLayout.NULL_FLAG;
      if (row >= rowCount) {
        throw damaged(section, "row " + row + " of " + rowCount);
      }
      long raw = word(section, i, 1, words);
      if (words == 3) {
        raw = (raw & 0xffffffffL) | ((long) word(section, i, 2, words) << 32);
      }
      type.setRawAt(values, row, raw);
      if (validity != null) {
        Bitmaps.set(validity, row, tagged >= 0);
      }
    }
  }

  static int word(Section section, int entry, int word, int words) {
    long at =
        section.isRowMajor()
            ? (long) entry * words + word
            : HclLayout.wordIndex(0, entry, word, words);
    return section.payload().getAtIndex(JAVA_INT, at);
  }

  private static MemorySegment rows(Section section, int words) {
    int[] rows = new int[section.n()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = word(section, i, 0, words) & ~HclLayout.NULL_FLAG;
    }
    return MemorySegment.ofArray(rows);
  }

  private static boolean isKeyColumn(TableStore store, int column) {
    return store.shape().indexes().stream()
        .anyMatch(index -> java.util.Arrays.stream(index.columns()).anyMatch(c -> c == column));
  }

  private void delete(Section section) {
    TableStore store = table(section);
    Tablet tablet = tablet(section, store);
    MemorySegment live = tablet.writableLive();
    int before = 0;
    for (int i = 0; i < section.n(); i++) {
      int row = section.payload().getAtIndex(JAVA_INT, i);
      if (row < 0 || row >= tablet.rowCount()) {
        throw damaged(section, "row " + row + " of " + tablet.rowCount());
      }
      before += Bitmaps.test(live, row) ? 1 : 0;
      if (section.n() < ColumnStores.KERNEL_ROWS_MIN) {
        Bitmaps.set(live, row, false);
      }
    }
    if (section.n() >= ColumnStores.KERNEL_ROWS_MIN) {
      kernels.live(section.payload(), 0, section.n(), live, false);
    }
    tablet.liveCountAdd(-before);
  }

  private void extent(Section section) {
    Tablet tablet = tablet(section, table(section));
    ChunkKind kind = FormatCodes.chunkKind(section.n());
    tablet.moveHome(kind, section.column(), section.extra());
    tablet.markHomeCurrent(kind, section.column());
  }

  private void hints(Section section) {
    TableStore store = table(section);
    for (int i = 0; i < section.n(); i++) {
      long hash = section.payload().getAtIndex(JAVA_LONG, 2L * i);
      store
          .index(section.column())
          .insertIfAbsent(hash, section.payload().getAtIndex(JAVA_LONG, 2L * i + 1));
    }
  }

  /** After the last section of a transaction: the keys of what it wrote are in the indexes. */
  void finishTransaction() {
    for (RowRange range : rekeyed) {
      TableStore store = range.store();
      for (int ordinal = 0; ordinal < store.indexCount(); ordinal++) {
        rekeyRange(store, ordinal, store.index(ordinal).columns(), range);
      }
    }
    rekeyed.clear();
  }

  private void rekeyRange(TableStore store, int ordinal, int[] columns, RowRange range) {
    Tablet tablet = store.tablet(range.tablet());
    boolean nullable = false;
    for (int c : columns) {
      nullable |= tablet.validity(c) != null;
    }
    if (range.rows() == null && !nullable) {
      for (int k = 0; k < columns.length; k++) {
        ElementType type = store.shape().columns().get(columns[k]).type();
        MemorySegment values = tablet.values(columns[k]);
        KeyHashes.take(type, values, range.from(), range.n(), hashes, k == 0);
      }
      long first = (long) range.tablet() * Tablet.ROWS + range.from();
      store.index(ordinal).insertAll(hashes, first, range.n());
      return;
    }
    long[] key = new long[columns.length];
    for (int i = 0; i < range.n(); i++) {
      rekeyRow(store, ordinal, columns, range.tablet(), range.row(i), key);
    }
  }

  private static void rekeyRow(
      TableStore store, int ordinal, int[] columns, int tabletNumber, int row, long[] key) {
    Tablet tablet = store.tablet(tabletNumber);
    for (int k = 0; k < columns.length; k++) {
      MemorySegment validity = tablet.validity(columns[k]);
      if (validity != null && !Bitmaps.test(validity, row)) {
        return;
      }
      ElementType type = store.shape().columns().get(columns[k]).type();
      key[k] = type.rawAt(tablet.values(columns[k]), row);
    }
    long hash = KeyHashes.of(key, columns.length);
    store.index(ordinal).insertIfAbsent(hash, (long) tabletNumber * Tablet.ROWS + row);
  }
}
