package io.gpdb.txn.version;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.IndexShape;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.table.TableGarbage;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.TabletLatch;
import io.gpdb.txn.api.TableUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A table and the undo versions of its tablets. */
public final class TableVersions {
  private final TableStore store;
  private volatile Layout layout;
  private final List<Growth> growths = new ArrayList<>(); // under this monitor
  private final @Nullable CommitStamp creator;
  private volatile @Nullable CommitStamp dropper;
  private volatile @Nullable CommitStamp fence;
  private volatile @Nullable CommitStamp locker;
  private final Set<CommitStamp> writers = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable RowBuffer> idleRowBuffer = new AtomicReference<>();
  private final AtomicLong overwritten = new AtomicLong();
  private volatile long lastWriteNanos = System.nanoTime();
  private volatile @Nullable TabletVersions[] tablets = new @Nullable TabletVersions[0];

  /**
   * @param creator null for a table from before the database was opened
   */
  public TableVersions(TableStore store, @Nullable CommitStamp creator) {
    this.store = store;
    this.creator = creator;
    this.layout = Layout.of(store.shape());
    TableShape shape = store.shape();
    growths.add(new Growth(null, shape.columns().size(), shape.indexes().size()));
  }

  /** What follows from the shape of the store. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never changed
  private record Layout(
      ElementType[] types, int[] allColumns, int[] stringColumns, int[][] keyColumns) {
    static Layout of(TableShape shape) {
      ElementType[] types = shape.columns().stream().map(c -> c.type()).toArray(ElementType[]::new);
      return new Layout(
          types,
          IntStream.range(0, types.length).toArray(),
          IntStream.range(0, types.length).filter(c -> types[c] == ElementType.CODE).toArray(),
          shape.indexes().stream().map(IndexShape::columns).toArray(int[][]::new));
    }
  }

  /**
   * How many columns and indexes there are since a transaction has added one.
   *
   * @param stamp null for those from the beginning
   */
  private record Growth(@Nullable CommitStamp stamp, int columns, int indexes) {}

  /** The transaction has added a column or an index behind the others. */
  public synchronized void grown(CommitStamp stamp) {
    TableShape shape = store.shape();
    growths.add(new Growth(stamp, shape.columns().size(), shape.indexes().size()));
    layout = Layout.of(shape);
  }

  /** The last column or index that was added was taken away. */
  public synchronized void shrunk() {
    growths.removeLast();
    layout = Layout.of(store.shape());
  }

  /** The columns and indexes that the reader may see: the first ones of the store's shape. */
  public synchronized TableShape shape(ReadPoint reader) {
    Growth seen = growths.getFirst();
    for (Growth growth : growths) {
      CommitStamp stamp = growth.stamp;
      if (stamp != null && reader.sees(stamp)) {
        seen = growth;
      }
    }
    return new TableShape(
        store.shape().columns().subList(0, seen.columns),
        store.shape().indexes().subList(0, seen.indexes));
  }

  /**
   * Those with a dictionary, without columns that were added and are not committed, unless by this
   * transaction. Not to be changed.
   */
  public synchronized int[] stringColumns(@Nullable CommitStamp writer) {
    int columns = 0;
    for (Growth growth : growths) {
      CommitStamp stamp = growth.stamp;
      if (stamp == null || stamp == writer || stamp.sequence() != CommitStamp.ACTIVE) {
        columns = growth.columns;
      }
    }
    int[] all = layout.stringColumns;
    int count = all.length;
    while (count > 0 && all[count - 1] >= columns) {
      count--;
    }
    return count == all.length ? all : Arrays.copyOf(all, count);
  }

  public TableStore store() {
    return store;
  }

  public int tableId() {
    return store.tableId();
  }

  public ElementType type(int column) {
    return layout.types[column];
  }

  /** Those with a dictionary; not to be changed. */
  public int[] stringColumns() {
    return layout.stringColumns;
  }

  /** By column; not to be changed. */
  public ElementType[] types() {
    return layout.types;
  }

  /** In order; not to be changed. */
  public int[] allColumns() {
    return layout.allColumns;
  }

  /** The columns of an index; not to be changed. */
  public int[] keyColumns(int ordinal) {
    return layout.keyColumns[ordinal];
  }

  /** A buffer that nobody else uses until it is returned. */
  public RowBuffer takeRowBuffer() {
    RowBuffer idle = idleRowBuffer.getAndSet(null);
    int columns = layout.types.length;
    return idle != null && idle.columns() >= columns ? idle : new RowBuffer(columns);
  }

  public void returnRowBuffer(RowBuffer buffer) {
    idleRowBuffer.set(buffer);
  }

  public boolean isVisibleTo(ReadPoint reader) {
    CommitStamp dropped = dropper;
    return (creator == null || reader.sees(creator)) && (dropped == null || !reader.sees(dropped));
  }

  public @Nullable CommitStamp creator() {
    return creator;
  }

  public @Nullable CommitStamp dropper() {
    return dropper;
  }

  /** The transaction that alone may write to the table, or null. */
  public @Nullable CommitStamp locker() {
    return locker;
  }

  public void locker(@Nullable CommitStamp stamp) {
    locker = stamp;
  }

  public void dropper(@Nullable CommitStamp stamp) {
    dropper = stamp;
  }

  /**
   * The transaction that last gave the table another definition: only those that see it may write
   * to the table, for the others would write by the definition before.
   */
  public @Nullable CommitStamp fence() {
    return fence;
  }

  /** Whether another transaction has given the table a definition that the reader does not see. */
  public boolean isFencedFrom(ReadPoint reader) {
    CommitStamp defined = fence;
    return defined != null && !reader.sees(defined);
  }

  public void fence(@Nullable CommitStamp stamp) {
    fence = stamp;
  }

  /** The transactions that are writing to the table. */
  public Set<CommitStamp> writers() {
    return writers;
  }

  /** Rows overwritten, deleted or taken back since the table's garbage was last looked at. */
  public AtomicLong overwritten() {
    return overwritten;
  }

  /** A transaction that wrote to the table has ended. */
  public void released(CommitStamp writer) {
    lastWriteNanos = System.nanoTime();
    if (locker == writer) {
      locker = null;
    }
    writers.remove(writer);
  }

  /**
   * How the table looks now.
   *
   * @param released whether strings are released while writers go on
   */
  public TableUse use(boolean released) {
    return new TableUse(
        TableGarbage.of(store, released), !writers.isEmpty(), System.nanoTime() - lastWriteNanos);
  }

  /** The versions of a tablet; null when there never were any. */
  public @Nullable TabletVersions tablet(int tablet) {
    @Nullable TabletVersions[] known = tablets;
    return tablet < known.length ? known[tablet] : null;
  }

  /** Whether a transaction whose commit is not durable has updated the column of the tablet. */
  public boolean hasUncommitted(int tablet, int column) {
    TabletVersions versions = tablet(tablet);
    return versions != null && versions.hasUncommitted(column);
  }

  /** Whether the reader sees all that was done to the table. */
  public boolean seesAll(ReadPoint reader) {
    for (int t = 0; t < store.tabletCount(); t++) {
      TabletVersions versions = tablet(t);
      if (versions != null) {
        TabletLatch latch = store.tablet(t).latch();
        latch.readLock().lock();
        try {
          if (!versions.seesAll(reader)) {
            return false;
          }
        } finally {
          latch.readLock().unlock();
        }
      }
    }
    return true;
  }

  public synchronized TabletVersions tabletForWrite(int tablet) {
    @Nullable TabletVersions[] known = tablets;
    if (tablet >= known.length) {
      known = Arrays.copyOf(known, Math.max(tablet + 1, known.length * 2));
    }
    TabletVersions there = known[tablet];
    if (there != null) {
      return there;
    }
    TabletVersions made = new TabletVersions();
    known[tablet] = made;
    tablets = known;
    return made;
  }
}
