package io.gpdb.txn.recovery;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.change.GridReplay;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootCodec;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.index.IndexBuild;
import io.gpdb.storage.index.KeyBatch;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.DeviceMemory;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostMemory;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.change.ColumnStores;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.log.ExtentReference;
import io.gpdb.txn.log.InsertSection;
import io.gpdb.txn.log.InsertedValidity;
import io.gpdb.txn.log.Section;
import io.gpdb.txn.log.StringSection;
import io.gpdb.txn.log.TableSection;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Applies log sections to the working image. Rows have fixed numbers and values are absolute, so
 * applying a section again changes nothing. Regions of many entries are applied by kernels.
 */
public final class Replay {
  private final TableSpace space;
  private final GridReplay kernels;
  private final Device device;
  private final SectionBounds bounds;
  private final List<RowRange> rekeyed = new ArrayList<>();
  private final List<HintedRows> hinted = new ArrayList<>();
  private final List<BuiltIndex> built = new ArrayList<>();
  private final KeyBatch batch = new KeyBatch();
  private long sequence;

  /** Rows whose keys go to the indexes when the transaction is applied; {@code rows} or a range. */
  private record RowRange(
      TableStore store, int tablet, int from, int n, @Nullable MemorySegment rows) {}

  /** An index that gets the keys of all rows when the transaction is applied. */
  private record BuiltIndex(TableStore store, int ordinal) {}

  /** Rows whose keys go to one index when the transaction is applied. */
  private record HintedRows(TableStore store, int ordinal, MemorySegment rows) {}

  /**
   * @param memoryBytesMax what row numbers without values may take
   */
  public Replay(TableSpace space, Device device, LongSupplier memoryBytesMax) {
    this.bounds = new SectionBounds(memoryBytesMax);
    this.space = space;
    this.kernels = new GridReplay(device);
    this.device = device;
  }

  /** Sections of the commit of that sequence follow. */
  void beginTransaction(long commitSequence) {
    sequence = commitSequence;
  }

  public void apply(Section section) {
    switch (section) {
      case TableSection.CreateTable s -> createTable(s);
      case TableSection.DropTable s -> dropTable(s);
      case TableSection.GrowTable s -> growTable(s);
      case StringSection.Dictionary s -> strings(s);
      case StringSection.Strings s -> events(s);
      case InsertSection.Insert s -> insert(s);
      case InsertSection.InsertInExtents s -> insert(s);
      case InsertSection.InsertInPlace s -> live(s);
      case ChangeSection.Update s -> update(s);
      case ChangeSection.Version s -> version(s);
      case ChangeSection.Delete s -> delete(s);
      case ChangeSection.Extent s -> extent(s);
      case ChangeSection.Hints s -> hints(s);
      case TableSection.RowLimit s -> rowLimit(s);
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

  private void createTable(TableSection.CreateTable s) {
    if (space.table(s.tableId()) != null) {
      throw damaged(s, "table exists already");
    }
    space.createTable(s.tableId(), RootCodec.decodeShape(s.shape().toArray(JAVA_BYTE)));
  }

  private void growTable(TableSection.GrowTable s) {
    TableStore store = table(s);
    TableShape before = store.shape();
    TableShape after = RootCodec.decodeShape(s.shape().toArray(JAVA_BYTE));
    int columns = before.columns().size();
    int indexes = before.indexes().size();
    boolean column = after.columns().size() == columns + 1 && after.indexes().size() == indexes;
    boolean index = after.columns().size() == columns && after.indexes().size() == indexes + 1;
    if ((!column && !index)
        || !after.columns().subList(0, columns).equals(before.columns())
        || !after.indexes().subList(0, indexes).equals(before.indexes())) {
      throw damaged(s, "table has another shape");
    }
    if (column) {
      store.fillColumn(store.addColumn(after.columns().getLast()), s.raw(), s.isNull());
    } else {
      built.add(new BuiltIndex(store, store.addIndex(after.indexes().getLast())));
    }
  }

  private void dropTable(TableSection.DropTable s) {
    rekeyed.removeIf(r -> r.store().tableId() == s.tableId());
    built.removeIf(b -> b.store().tableId() == s.tableId());
    hinted.removeIf(h -> h.store().tableId() == s.tableId());
    space.dropTable(s.tableId());
  }

  private void strings(StringSection.Dictionary s) {
    s.forEach(SectionBounds.dictionary(s, table(s), s.column())::appendReplayed);
  }

  private void events(StringSection.Strings s) {
    TableStore store = space.table(s.tableId());
    if (store != null) { // otherwise dropped while a checkpoint had its strings logged
      s.forEach(SectionBounds.dictionary(s, store, s.column())::replayEvent);
    }
  }

  private void insert(InsertSection.Insert s) {
    TableStore store = table(s);
    bounds.requireInsert(s, store);
    List<InsertSection.Insert.Column> columns = s.columns(store.shape().columns());
    RowRange rows = grown(store, s.firstRow(), s.n());
    for (int i = 0; i < columns.size(); i++) {
      InsertSection.Insert.Column c = columns.get(i);
      insertColumn(rows, s.firstColumn() + i, c.validity(), c.values());
    }
    if (s.firstColumn() + columns.size() == store.shape().columns().size()) {
      makeLive(rows);
    }
  }

  private void insert(InsertSection.InsertInExtents s) {
    TableStore store = table(s);
    bounds.requireInsert(s, store);
    RowRange rows = grown(store, s.firstRow(), s.n());
    for (int i = 0; i < s.columns().size(); i++) {
      InsertSection.InsertInExtents.ColumnInExtent c = s.columns().get(i);
      insertColumn(rows, s.firstColumn() + i, c.validity(), taken(s, c.values()));
    }
    if (s.firstColumn() + s.columns().size() == store.shape().columns().size()) {
      makeLive(rows);
    }
  }

  /** Rows of one tablet, which are there now. */
  private static RowRange grown(TableStore store, long firstRow, int n) {
    store.ensureRowLimit(firstRow + n);
    return new RowRange(
        store, (int) (firstRow / Tablet.ROWS), (int) (firstRow % Tablet.ROWS), n, null);
  }

  private static void insertColumn(
      RowRange rows, int column, InsertedValidity validity, MemorySegment values) {
    Tablet tablet = rows.store().tablet(rows.tablet());
    MemorySegment bitmap = validity.bitmap();
    if (bitmap != null) {
      tablet
          .writableValidity(column)
          .edit(
              target ->
                  Bitmaps.copyRange(
                      bitmap, validity.from(), target.segment(), rows.from(), rows.n()));
    } else if (tablet.validity(column) != null) {
      tablet
          .writableValidity(column)
          .edit(target -> Bitmaps.setRange(target, rows.from(), rows.n(), true));
    }
    long width = rows.store().shape().columns().get(column).type().bytes();
    tablet
        .writableValues(column)
        .copyFrom(HostMemory.INSTANCE.map(values), 0, rows.from() * width, values.byteSize());
  }

  /** The values in an extent that has arrived; it is the log's from now on (L1). */
  private MemorySegment taken(Section section, ExtentReference reference) {
    MemorySegment values = space.loggedValues(reference.offset(), reference.bytes());
    if (values == null) {
      throw damaged(section, "no values at " + reference.offset());
    }
    space.reserve(reference.offset(), reference.bytes(), sequence);
    return values;
  }

  /** Takes the rows that the transaction wrote, and no others, from the chunk's new version. */
  private void version(ChangeSection.Version s) {
    TableStore store = table(s);
    SectionBounds.requireVersion(s, store);
    Tablet tablet = store.tablet(s.tablet());
    int n = s.n();
    int column = s.column();
    int width = store.shape().columns().get(column).type().bytes();
    MemorySegment values = taken(s, s.values());
    MemorySegment rows = s.chosen();
    MemorySegment validity = s.validity();
    boolean nullable = validity != null || tablet.validity(column) != null;
    DeviceBuffer target = tablet.writableValues(column);
    DeviceBuffer targetValidity = nullable ? tablet.writableValidity(column) : null;
    HostBuffer given = HostMemory.INSTANCE.map(values);
    for (int from = Bitmaps.next(rows, 0, n, true); from < n; ) {
      int end = Bitmaps.next(rows, from, n, false);
      if (end > tablet.rowCount()) {
        throw damaged(s, "row %d of %d".formatted(end - 1, tablet.rowCount()));
      }
      long at = (long) from * width;
      target.copyFrom(given, at, at, (long) (end - from) * width);
      if (targetValidity != null) {
        int first = from;
        targetValidity.edit(bits -> validate(validity, first, end - first, bits));
      }
      if (isKeyColumn(store, column)) {
        rekey(new RowRange(store, s.tablet(), from, end - from, null));
      }
      from = Bitmaps.next(rows, end, n, true);
    }
  }

  /** Takes the rows' bits over; no bitmap says that all are valid. */
  private static void validate(
      @Nullable MemorySegment validity, int from, int n, HostBuffer target) {
    if (validity == null) {
      Bitmaps.setRange(target, from, n, true);
    } else {
      Bitmaps.copyRange(validity, from, target.segment(), from, n);
    }
  }

  /** After the rows' values are in place (R2). */
  private void makeLive(RowRange rows) {
    Tablet tablet = rows.store().tablet(rows.tablet());
    DeviceBuffer live = tablet.writableLive();
    int before = Bitmaps.count(live.onHost(), rows.from(), rows.n());
    live.edit(bits -> Bitmaps.setRange(bits, rows.from(), rows.n(), true));
    tablet.liveCountAdd(rows.n() - before);
    rekey(rows);
  }

  private void rekey(RowRange range) {
    if (range.store().indexCount() > 0) {
      rekeyed.add(range);
    }
  }

  private void live(InsertSection.InsertInPlace s) {
    TableStore store = table(s);
    bounds.requireRows(s, store, s.firstRow(), s.n());
    makeLive(grown(store, s.firstRow(), s.n()));
  }

  private void update(ChangeSection.Update s) {
    TableStore store = table(s);
    SectionBounds.requireUpdate(s, store);
    Tablet tablet = store.tablet(s.tablet());
    ElementType type = store.shape().columns().get(s.column()).type();
    DeviceBuffer values = tablet.writableValues(s.column());
    boolean nullable = s.isNullable() || tablet.validity(s.column()) != null;
    DeviceBuffer validity = nullable ? tablet.writableValidity(s.column()) : null;
    if (s.n() < ColumnStores.KERNEL_ROWS_MIN) {
      int rowCount = tablet.rowCount();
      values.edit(v -> updateOnHost(s, type, v, rowCount));
      if (validity != null) {
        validity.edit(bits -> validateOnHost(s, ColumnStores.entryWords(type), bits));
      }
    } else {
      updateByKernel(s, LaneInputs.element(type), values, validity);
    }
    if (isKeyColumn(store, s.column())) {
      MemorySegment rows = MemorySegment.ofArray(s.rows(ColumnStores.entryWords(type)));
      rekey(new RowRange(store, s.tablet(), -1, s.n(), rows));
    }
  }

  private void updateByKernel(
      ChangeSection.Update s,
      Kernel.Element element,
      DeviceBuffer values,
      @Nullable DeviceBuffer validity) {
    DeviceMemory memory = kernels.memory();
    DeviceBuffer entries = memory.map(s.entries());
    if (s.isRowMajor()) {
      kernels.updateRowMajor(element, entries, 0, s.n(), values, validity);
    } else {
      kernels.update(element, entries, 0, s.n(), values, validity);
    }
  }

  private static void updateOnHost(
      ChangeSection.Update s, ElementType type, HostBuffer values, int rowCount) {
    int words = ColumnStores.entryWords(type);
    for (int i = 0; i < s.n(); i++) {
      int row = s.row(i, words);
      if (row >= rowCount) {
        throw damaged(s, "row " + row + " of " + rowCount);
      }
      long raw = s.word(i, 1, words);
      if (words == 3) {
        raw = (raw & 0xffffffffL) | ((long) s.word(i, 2, words) << 32);
      }
      type.setRawAt(values, row, raw);
    }
  }

  private static void validateOnHost(ChangeSection.Update s, int words, HostBuffer validity) {
    for (int i = 0; i < s.n(); i++) {
      Bitmaps.set(validity, s.row(i, words), !s.isNull(i, words));
    }
  }

  private static boolean isKeyColumn(TableStore store, int column) {
    for (IndexShape index : store.shape().indexes()) {
      for (int key : index.columns()) {
        if (key == column) {
          return true;
        }
      }
    }
    return false;
  }

  private void delete(ChangeSection.Delete s) {
    TableStore store = table(s);
    SectionBounds.requireDelete(s, store);
    Tablet tablet = store.tablet(s.tablet());
    DeviceBuffer live = tablet.writableLive();
    int[] alive = new int[(tablet.rowCount() + 31) / 32];
    live.onHost().read(0, alive, 0, alive.length);
    int before = 0;
    for (int row : s.rowNumbers()) {
      if (row < 0 || row >= tablet.rowCount()) {
        throw damaged(s, "row " + row + " of " + tablet.rowCount());
      }
      before += alive[row >>> 5] >>> row & 1;
    }
    if (s.n() < ColumnStores.KERNEL_ROWS_MIN) {
      live.edit(
          bits -> {
            for (int i = 0; i < s.n(); i++) {
              Bitmaps.set(bits, s.row(i), false);
            }
          });
    } else {
      DeviceMemory memory = kernels.memory();
      kernels.clearLive(memory.map(s.rows()), 0, s.n(), live);
    }
    tablet.liveCountAdd(-before);
  }

  private void extent(ChangeSection.Extent s) {
    TableStore store = table(s);
    SectionBounds.requireExtent(s, store);
    Tablet tablet = store.tablet(s.tablet());
    tablet.moveHome(s.chunk(), s.column(), s.offset());
    tablet.markHomeCurrent(s.chunk(), s.column());
  }

  private void hints(ChangeSection.Hints s) {
    TableStore store = table(s);
    SectionBounds.requireHints(s, store);
    long[] rows = new long[s.n()];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = s.row(i);
    }
    hinted.add(new HintedRows(store, s.index(), MemorySegment.ofArray(rows)));
  }

  private void rowLimit(TableSection.RowLimit s) {
    TableStore store = table(s);
    bounds.requireRoom(s, store, s.rows());
    store.ensureRowLimit(s.rows());
  }

  /** After the last section of a transaction: the keys of what it wrote are in the indexes. */
  void finishTransaction() {
    for (RowRange range : rekeyed) {
      for (int ordinal = 0; ordinal < range.store().indexCount(); ordinal++) {
        rekeyRange(range.store().index(ordinal), range);
      }
    }
    rekeyed.clear();
    for (BuiltIndex index : built) {
      var _ =
          new IndexBuild(index.store(), index.store().index(index.ordinal()), device::share)
              .run(false);
    }
    built.clear();
    for (HintedRows rows : hinted) {
      rekeyHinted(rows);
    }
    hinted.clear();
  }

  private void rekeyRange(Index index, RowRange range) {
    Tablet tablet = range.store().tablet(range.tablet());
    MemorySegment rows = range.rows();
    if (rows == null) {
      batch.begin(range.from(), range.n(), (long) range.tablet() * Tablet.ROWS + range.from());
      for (int c : index.columns()) {
        HostBuffer valid = DeviceBuffer.onHostOrNull(tablet.validity(c));
        batch.add(
            tablet.type(c),
            tablet.values(c).onHost().segment(),
            valid == null ? null : valid.segment());
      }
    } else {
      batch.beginGathered(range.n(), index.columns(), tablet::type);
      batch.gather(0, tablet, index.columns(), rows, range.n());
    }
    index.insertAll(batch, null, device::share);
  }

  /** A hint may name a row that no commit in the log has made; it has no key. */
  private static void rekeyHinted(HintedRows hinted) {
    Index index = hinted.store().index(hinted.ordinal());
    long[] key = new long[index.columns().length];
    boolean[] nulls = new boolean[key.length];
    for (long i = 0, n = hinted.rows().byteSize() / Long.BYTES; i < n; i++) {
      long row = hinted.rows().getAtIndex(JAVA_LONG, i);
      if (row < hinted.store().rowLimit()) {
        Tablet tablet = hinted.store().tablet((int) (row / Tablet.ROWS));
        rekeyRow(index, tablet, (int) (row % Tablet.ROWS), key, nulls);
      }
    }
  }

  private static void rekeyRow(Index index, Tablet tablet, int row, long[] key, boolean[] nulls) {
    int[] columns = index.columns();
    for (int k = 0; k < columns.length; k++) {
      DeviceBuffer validity = tablet.validity(columns[k]);
      nulls[k] = validity != null && !Bitmaps.testOne(validity, row);
      key[k] = tablet.type(columns[k]).oneAt(tablet.values(columns[k]), row);
    }
    index.insert(key, nulls, (long) tablet.number() * Tablet.ROWS + row);
  }
}
