package io.gpdb.storage.tablet;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ChunkKind;
import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.TableShape;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.RootImage;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostRoom;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Up to 65536 rows of a table, column by column.
 *
 * <p>Buffers that it returns have at least {@link #rowCount} elements and are valid while the
 * caller holds the latch: shared for the readable ones, exclusive for the writable ones and all
 * that begins with {@code home}, {@code adopt} or {@code bind}. Rows that are new are not live, and
 * valid where a validity bitmap exists.
 */
public final class Tablet implements Chunk.Owner {
  public static final int ROWS = 65536;

  /** Of a table's first tablet; one with no more is small. */
  private static final int FIRST_CAPACITY = 1024;

  private static final byte ALL_ONES = -1;

  private final SpaceMemory space;
  private final ChangeMarks marks;
  private final int tableId;
  private volatile TableShape shape;
  private final int number;
  private final TabletLatch latch = new TabletLatch();
  private volatile Chunk[] values;
  private volatile AtomicReferenceArray<@Nullable Chunk> validity;
  private final Chunk live;

  /** What the columns' home extents hold; null from the first write on, until a checkpoint. */
  private volatile @Nullable ColumnRange[] ranges;

  private int capacityRows;

  /** What the chunks are growing to, or have. */
  private int wantedRows;

  private volatile int rowCount;
  private volatile int liveCount;
  private int checkpointedLiveCount;

  /** A tablet as of a checkpoint, or an empty one where there is no image. */
  public Tablet(
      SpaceMemory space,
      ChangeMarks marks,
      int tableId,
      TableShape shape,
      int number,
      int rowCount,
      RootImage.@Nullable TabletImage image) {
    this.space = space;
    this.marks = marks;
    this.tableId = tableId;
    this.shape = shape;
    this.number = number;
    int columns = shape.columns().size();
    values = new Chunk[columns];
    ranges = new @Nullable ColumnRange[columns];
    validity = new AtomicReferenceArray<>(columns);
    for (int c = 0; c < columns; c++) {
      values[c] = chunk(image == null ? null : image.values().get(c));
      Extent valid = image == null ? null : image.validity().get(c);
      if (valid != null) {
        validity.set(c, chunk(valid));
      }
      ranges[c] = image == null ? null : image.ranges().get(c);
    }
    live = chunk(image == null ? null : image.live());
    this.rowCount = rowCount;
    liveCount = image == null ? 0 : image.liveCount();
    checkpointedLiveCount = liveCount;
    capacityRows = rowCount;
    if (image != null) {
      checkSizes();
    }
  }

  /**
   * Gives the tablet the columns of a shape that has more of them at its end; in those the values
   * of all rows are zeroes.
   */
  public void addColumns(TableShape grown) {
    latch.writeLock().lock();
    try {
      int before = values.length;
      int columns = grown.columns().size();
      Chunk[] more = Arrays.copyOf(values, columns);
      AtomicReferenceArray<@Nullable Chunk> moreValidity = new AtomicReferenceArray<>(columns);
      for (int c = 0; c < before; c++) {
        moreValidity.set(c, validity.get(c));
      }
      shape = grown;
      for (int c = before; c < columns; c++) {
        more[c] = chunk(null);
        if (capacityRows > 0) {
          more[c].grow(bytesOf(c, capacityRows), (byte) 0);
        }
      }
      ranges = Arrays.copyOf(ranges, columns);
      validity = moreValidity;
      values = more;
    } finally {
      latch.writeLock().unlock();
    }
  }

  /** Takes the last columns away, until the tablet has those of the shape alone. */
  public void removeColumns(TableShape shrunk) {
    latch.writeLock().lock();
    try {
      Chunk[] all = values;
      AtomicReferenceArray<@Nullable Chunk> allValidity = validity;
      int columns = shrunk.columns().size();
      AtomicReferenceArray<@Nullable Chunk> kept = new AtomicReferenceArray<>(columns);
      for (int c = 0; c < columns; c++) {
        kept.set(c, allValidity.get(c));
      }
      values = Arrays.copyOf(all, columns);
      validity = kept;
      ranges = Arrays.copyOf(ranges, columns);
      shape = shrunk;
      for (int c = columns; c < all.length; c++) {
        all[c].discard();
        Chunk valid = allValidity.get(c);
        if (valid != null) {
          valid.discard();
        }
      }
    } finally {
      latch.writeLock().unlock();
    }
  }

  /** Gives the rows that there are one value in a column. */
  public void fillColumn(int column, long raw, boolean isNull) {
    latch.writeLock().lock();
    try {
      int rows = rowCount;
      if (isNull) {
        writableValidity(column).edit(bits -> Bitmaps.setRange(bits, 0, rows, false));
      } else if (raw != 0) {
        ElementType type = type(column);
        writableValues(column)
            .edit(
                all -> {
                  for (int row = 0; row < rows; row++) {
                    type.setRawAt(all, row, raw);
                  }
                });
      }
    } finally {
      latch.writeLock().unlock();
    }
  }

  private Chunk chunk(@Nullable Extent home) {
    return new Chunk(space, this, home, space.tables().memory().part(number));
  }

  private void checkSizes() {
    for (int c = 0; c < values.length; c++) {
      checkSize(values[c], bytesOf(c, rowCount));
      Chunk valid = validity.get(c);
      if (valid != null) {
        checkSize(valid, Bitmaps.bytes(rowCount));
      }
    }
    checkSize(live, Bitmaps.bytes(rowCount));
  }

  private void checkSize(Chunk chunk, long bytes) {
    if (chunk.capacityBytes() < bytes) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "%s: extent too short: bytes=%d, rows need %d"
              .formatted(place(chunk), chunk.capacityBytes(), bytes));
    }
  }

  public int number() {
    return number;
  }

  public int rowCount() {
    return rowCount;
  }

  public TabletLatch latch() {
    return latch;
  }

  public DeviceBuffer values(int column) {
    return values[column].buffer();
  }

  /** The column's validity bitmap; null when all rows are valid. */
  public @Nullable DeviceBuffer validity(int column) {
    Chunk chunk = validity.get(column);
    return chunk == null ? null : chunk.buffer();
  }

  public DeviceBuffer live() {
    return live.buffer();
  }

  /** What the column holds, known only while nobody has written it since the last checkpoint. */
  public @Nullable ColumnRange range(int column) {
    return ranges[column];
  }

  public ElementType type(int column) {
    return shape.columns().get(column).type();
  }

  /** For the checkpoint, after the switch: the column's home extents hold that alone. */
  void installRange(int column, ColumnRange range) {
    latch.readLock().lock();
    try {
      Chunk valid = validity.get(column);
      if (!values[column].isDirty() && (valid == null || !valid.isDirty())) {
        ranges[column] = range;
      }
    } finally {
      latch.readLock().unlock();
    }
  }

  public DeviceBuffer writableValues(int column) {
    ranges[column] = null;
    return values[column].writable();
  }

  /** The column's validity bitmap, made with all rows valid where there was none. */
  public DeviceBuffer writableValidity(int column) {
    ranges[column] = null;
    Chunk chunk = validity.get(column);
    if (chunk == null) {
      chunk = chunk(null);
      chunk.grow(Bitmaps.bytes(Math.max(capacityRows, 32)), ALL_ONES);
      validity.set(column, chunk);
    }
    return chunk.writable();
  }

  public DeviceBuffer writableLive() {
    return live.writable();
  }

  public int liveCount() {
    return liveCount;
  }

  /** Counts rows that became live or ceased to be; the caller holds the latch exclusively. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer at a time: the exclusive latch
  public void liveCountAdd(int delta) {
    liveCount += delta;
  }

  /** For the checkpoint: the live rows of the image last written. */
  public int checkpointedLiveCount() {
    return checkpointedLiveCount;
  }

  public void checkpointedLiveCount(int count) {
    checkpointedLiveCount = count;
  }

  public boolean allLive() {
    return liveCount == rowCount;
  }

  /** A writable view of the column's home extent, which is bound and of full capacity from now. */
  public MemorySegment homeValues(int column) {
    return home(ChunkKind.VALUES, column);
  }

  /** As {@link #homeValues}; made with all rows valid where there was none. */
  public MemorySegment homeValidity(int column) {
    return home(ChunkKind.VALIDITY, column);
  }

  private MemorySegment home(ChunkKind kind, int column) {
    Chunk chunk = writableChunk(kind, column);
    chunk.bind(fullBytes(kind, column), fill(kind));
    return chunk.homeView();
  }

  /** Where the chunk's home extent begins, or -1 when it has none. */
  public long homeOffset(ChunkKind kind, int column) {
    Chunk chunk = chunk(kind, column);
    Extent home = chunk == null ? null : chunk.home();
    return home == null ? -1 : home.offset();
  }

  /**
   * Makes the working image of the chunk its home extent. A sealed extent is left for a fresh one;
   * that the root refers to the fresh one is durable with the next checkpoint, or when a log names
   * it and recovery calls {@link #moveHome}.
   */
  public void adoptInPlace(ChunkKind kind, int column) {
    writableChunk(kind, column).adopt(fullBytes(kind, column), fill(kind));
  }

  /** Whether an in-place protocol owns the chunk. */
  public boolean isInPlace(ChunkKind kind, int column) {
    Chunk chunk = chunk(kind, column);
    return chunk != null && chunk.isBound();
  }

  /** Takes the full-capacity extent at that offset for the chunk, for recovery. */
  public void moveHome(ChunkKind kind, int column, long offset) {
    writableChunk(kind, column).moveTo(offset, fullBytes(kind, column));
  }

  /**
   * Writes the column's values of n rows to an extent of their own and flushes it. The caller holds
   * the latch, and hands the result to the table space when its record is durable or has failed.
   */
  public LoggedValues writeLoggedValues(int column, int from, int n, HostRoom room) {
    int width = shape.columns().get(column).type().bytes();
    DeviceBuffer rows = values(column).slice(bytesOf(column, from), bytesOf(column, n));
    MemorySegment image = rows.onHost(room).segment();
    boolean whole = from == 0 && n == rowCount;
    return new LoggedValues(
        values[column],
        space.home().writeUnsealed(image),
        whole ? values[column].changes() : -1,
        width,
        BlockChecksums.of(image, n, width));
  }

  /** Says that the bound home extent holds the working image: the chunk is clean. */
  public void markHomeCurrent(ChunkKind kind, int column) {
    Chunk chunk = chunk(kind, column);
    if (chunk != null) {
      chunk.markClean();
    }
  }

  /** Ends in-place writing of all chunks; bits beyond the last row take their defaults. */
  public void leaveInPlace() {
    for (int c = 0; c < values.length; c++) {
      values[c].leave();
      Chunk valid = validity.get(c);
      if (valid != null && valid.isBound()) {
        Bitmaps.setTail(valid.homeView(), rowCount, true);
        valid.leave();
      }
    }
    if (live.isBound()) {
      Bitmaps.setTail(live.homeView(), rowCount, false);
      live.leave();
    }
  }

  private Chunk writableChunk(ChunkKind kind, int column) {
    if (kind != ChunkKind.LIVE) {
      ranges[column] = null;
    }
    if (kind == ChunkKind.VALIDITY && validity.get(column) == null) {
      writableValidity(column);
    }
    Chunk chunk = chunk(kind, column);
    if (chunk == null) {
      throw new GpdbException(ErrorCode.INTERNAL, "no chunk " + kind + " of column " + column);
    }
    return chunk;
  }

  public @Nullable Chunk chunk(ChunkKind kind, int column) {
    return switch (kind) {
      case VALUES -> values[column];
      case VALIDITY -> validity.get(column);
      case LIVE -> live;
    };
  }

  /** Makes row numbers below {@code rows} exist. Takes the latch only to enlarge the chunks. */
  public void extendTo(int rows) {
    if (rows > capacityRows) {
      latch.writeLock().lock();
      try {
        growAllTo(capacityFor(rows));
      } finally {
        latch.writeLock().unlock();
      }
    }
    rowCount = Math.max(rowCount, rows);
  }

  /** At first 1024 rows, of the second tablet 8192; from the third on all that there may be. */
  private int capacityFor(int rows) {
    int floor = FIRST_CAPACITY << Math.min(6, 3 * number);
    int doubled = rows <= 1 ? 1 : Integer.highestOneBit(rows - 1) << 1;
    return Math.min(ROWS, Math.max(floor, doubled));
  }

  /** Rows of small tables are read one by one more often than by kernels: those of the catalog. */
  @Override
  public boolean isSmall() {
    return number == 0 && Math.max(wantedRows, rowCount) <= FIRST_CAPACITY;
  }

  @Override
  public void changing() {
    marks.changing();
  }

  private void growAllTo(int rows) {
    wantedRows = Math.max(wantedRows, rows);
    for (int c = 0; c < values.length; c++) {
      values[c].grow(bytesOf(c, rows), (byte) 0);
      Chunk valid = validity.get(c);
      if (valid != null) {
        valid.grow(Bitmaps.bytes(rows), ALL_ONES);
      }
    }
    live.grow(Bitmaps.bytes(rows), (byte) 0);
    capacityRows = Math.max(capacityRows, rows);
  }

  public void forEachHome(Consumer<Extent> action) {
    forEachChunk(
        chunk -> {
          Extent home = chunk.home();
          if (home != null) {
            action.accept(home);
          }
        });
  }

  public void forEachChunk(Consumer<Chunk> action) {
    for (int c = 0; c < values.length; c++) {
      action.accept(values[c]);
      Chunk valid = validity.get(c);
      if (valid != null) {
        action.accept(valid);
      }
    }
    action.accept(live);
  }

  public void discard() {
    latch.writeLock().lock();
    try {
      forEachChunk(Chunk::discard);
    } finally {
      latch.writeLock().unlock();
    }
  }

  public long bytesFor(ChunkKind kind, int column, int rows) {
    return kind == ChunkKind.VALUES ? bytesOf(column, rows) : Bitmaps.bytes(rows);
  }

  private long fullBytes(ChunkKind kind, int column) {
    return bytesFor(kind, column, ROWS);
  }

  public static byte fill(ChunkKind kind) {
    return kind == ChunkKind.VALIDITY ? ALL_ONES : 0;
  }

  private long bytesOf(int column, int rows) {
    return (long) rows * shape.columns().get(column).type().bytes();
  }

  @Override
  public String place(Chunk chunk) {
    String tablet = "table=" + tableId + ", tablet=" + number;
    for (int c = 0; c < values.length; c++) {
      String column = ", column=" + shape.columns().get(c).name();
      if (values[c] == chunk) {
        return tablet + column;
      }
      if (validity.get(c) == chunk) {
        return tablet + column + " (validity)";
      }
    }
    return tablet + " (live)";
  }
}
