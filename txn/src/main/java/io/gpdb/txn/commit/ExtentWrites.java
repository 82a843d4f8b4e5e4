package io.gpdb.txn.commit;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.HostRoom;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.space.TableSpace;
import io.gpdb.storage.tablet.LoggedValues;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.change.InsertedRows;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.log.ChangeSection;
import io.gpdb.txn.log.ExtentReference;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TxnCounters;
import io.gpdb.txn.version.UndoVersion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The values of one commit that go to extents of the home file instead of into the log: whole
 * chunks in new versions (in-place versioning, 2017, here on fresh extents), and inserted rows with
 * checksums (lazy persistency, Yudha et al. 2020).
 *
 * <p>B1. What a record takes from an extent are the values that its transaction wrote last: nobody
 * else can write these rows before it has ended. B2. The record is acknowledged only when log and
 * home are drained; it counts at recovery only when every checksum of its extents matches.
 */
public final class ExtentWrites {
  /** Fewer bytes are written before other threads have woken up. */
  private static final long SHARED_BYTES_MIN = 4 << 20;

  private static final int COPY_ALIGNMENT = 64;

  private final TableSpace space;
  private final TxnCounters counters;
  private final SharedWork workers;
  private final MemoryAccount memory;
  private final List<InsertedRows> inserted;
  private final Map<Column, Rows> changed = new LinkedHashMap<>(0);
  private final List<Version> versions = new ArrayList<>();

  /** Guarded by itself: several threads write. */
  private final List<LoggedValues> written = new ArrayList<>();

  /** A column of a tablet. */
  private record Column(TableVersions table, int tablet, int column) {}

  /**
   * Rows that the transaction changed, of the first n.
   *
   * @param chosen a bitmap; null when it changed all n
   */
  public record Rows(int n, @Nullable MemorySegment chosen) {
    /**
     * With those of one more version. Others may let the tablet grow between two versions.
     *
     * @param known those of earlier versions
     * @param tabletRows how many the tablet has now
     * @param rows their numbers, {@code count} of them
     */
    public static Rows with(@Nullable Rows known, int tabletRows, HostBuffer rows, int count) {
      MemorySegment chosen = known == null ? null : known.chosen;
      boolean all = known != null && chosen == null && known.n == tabletRows;
      if (all || count == tabletRows) {
        return new Rows(tabletRows, null);
      }
      if (chosen == null) {
        chosen = MemorySegment.ofArray(new int[Tablet.ROWS / Integer.SIZE]);
        Bitmaps.setRange(chosen, 0, known == null ? 0 : known.n, true);
      }
      for (int i = 0; i < count; i++) {
        Bitmaps.set(chosen, rows.intAt(i), true);
      }
      return new Rows(tabletRows, chosen);
    }
  }

  /**
   * A chunk's new version.
   *
   * @param validity of all rows; null when all are valid
   */
  private record Version(
      Column column, Rows rows, @Nullable MemorySegment validity, LoggedValues values) {}

  /**
   * @param workers share the tablets where they have many bytes
   */
  ExtentWrites(
      TransactionWrites writes,
      List<InsertedRows> inserted,
      TableSpace space,
      TxnCounters counters,
      SharedWork workers) {
    this.space = space;
    this.counters = counters;
    this.workers = workers;
    this.memory = writes.memory();
    this.inserted = inserted;
    for (UndoVersion v : writes.versions()) {
      for (int i = 0; i < v.columnCount(); i++) {
        if (v.protocol(i) == Protocol.VERSIONED) {
          int tabletRows = v.table().store().tablet(v.tablet()).rowCount();
          changed.compute(
              new Column(v.table(), v.tablet(), v.column(i)),
              (_, known) -> Rows.with(known, tabletRows, v.rows(), v.n()));
        }
      }
    }
  }

  /** Writes and flushes all; on an error what was written is free again. */
  void write() {
    List<InsertedRows> rows =
        inserted.stream().filter(r -> r.protocol() == Protocol.CHECKSUMMED).toList();
    List<Map.Entry<Column, Rows>> columns = List.copyOf(changed.entrySet());
    Version[] made = new Version[columns.size()];
    long bytes = 0;
    for (InsertedRows each : rows) {
      bytes += each.bytes();
    }
    for (Map.Entry<Column, Rows> each : columns) {
      Column c = each.getKey();
      bytes += (long) each.getValue().n * c.table.type(c.column).bytes();
    }
    try {
      share(bytes, rows.size(), (i, room) -> writeInserted(rows.get(i), room));
      share(
          bytes,
          made.length,
          (i, room) -> made[i] = version(columns.get(i).getKey(), columns.get(i).getValue(), room));
    } catch (RuntimeException | Error e) {
      discard();
      throw e;
    }
    versions.addAll(Arrays.asList(made));
  }

  /** Writes what is at a place, by way of a room for copies of a device's buffers. */
  @FunctionalInterface
  private interface Writing {
    void write(int place, HostRoom room);
  }

  private void share(long bytes, int places, Writing writing) {
    if (bytes < SHARED_BYTES_MIN) {
      withRoom(
          room -> {
            for (int i = 0; i < places; i++) {
              writing.write(i, room);
            }
          });
    } else {
      workers.share(places, i -> withRoom(room -> writing.write(i, room)));
    }
  }

  private void withRoom(Consumer<HostRoom> work) {
    BumpMemory copies = BumpMemory.unlimited(memory);
    try {
      work.accept(new HostRoom(bytes -> copies.buffer(bytes, COPY_ALIGNMENT)));
    } finally {
      copies.free();
    }
  }

  private void writeInserted(InsertedRows rows, HostRoom room) {
    Tablet tablet = rows.tablet();
    LoggedValues[] values = new LoggedValues[rows.columns()];
    tablet.latch().readLock().lock();
    try {
      for (int c = 0; c < values.length; c++) {
        values[c] = add(tablet.writeLoggedValues(c, rows.from(), rows.n(), room));
      }
    } finally {
      tablet.latch().readLock().unlock();
    }
    rows.loggedValues(values);
  }

  private LoggedValues add(LoggedValues values) {
    synchronized (written) {
      written.add(values);
    }
    counters.homeWritten(values.bytes());
    return values;
  }

  private Version version(Column column, Rows rows, HostRoom room) {
    Tablet tablet = column.table.store().tablet(column.tablet);
    tablet.latch().readLock().lock();
    try {
      int n = rows.n;
      HostBuffer validity = DeviceBuffer.onHostOrNull(tablet.validity(column.column));
      MemorySegment copy = null;
      if (validity != null) {
        copy = MemorySegment.ofArray(new int[(int) Bitmaps.bytes(n) / Integer.BYTES]);
        Bitmaps.copyRange(validity.segment(), 0, copy, 0, n);
      }
      LoggedValues values = add(tablet.writeLoggedValues(column.column, 0, n, room));
      return new Version(column, rows, copy, values);
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  boolean isEmpty() {
    synchronized (written) {
      return written.isEmpty();
    }
  }

  int versionCount() {
    return versions.size();
  }

  ChangeSection.Version version(int index) {
    Version v = versions.get(index);
    Column c = v.column;
    return new ChangeSection.Version(
        c.table.tableId(),
        c.tablet,
        c.column,
        v.rows.n,
        ExtentReference.of(v.values),
        v.rows.chosen,
        v.validity);
  }

  /** The record that names the extents is durable. */
  void keep(long sequence) {
    synchronized (written) {
      written.forEach(values -> space.keep(values, sequence));
      written.clear();
    }
  }

  /** The record that names the extents will never be whole. */
  void discard() {
    synchronized (written) {
      written.forEach(space::discard);
      written.clear();
    }
  }
}
