package io.gpdb.planner.change;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * New rows column by column, written by the host in the form that a table stores. For one thread.
 */
public final class RowBuffer implements GeneratedColumns.NewValues, AutoCloseable {
  private static final long ALIGNMENT_BYTES = 64;

  private final ElementType[] elements;
  private final HostBuffer[] values;
  private final HostBuffer block;
  private final long bitmapBytes;

  /** Bitmaps of the columns that have had a NULL; they are at the beginning of the block. */
  private final @Nullable HostBuffer[] validity;

  private final boolean[] hasNulls;
  private final BatchMemory memory = new BatchMemory();

  public RowBuffer(ElementType[] elements, int rows) {
    this(elements, rows, new BitSet());
  }

  /**
   * @param elsewhere the columns whose values are in other memory, for which there is no room
   */
  public RowBuffer(ElementType[] elements, int rows, BitSet elsewhere) {
    this.elements = elements;
    int capacity = Math.max(32, rows);
    int columns = elements.length;
    values = new HostBuffer[columns];
    validity = new HostBuffer[columns];
    hasNulls = new boolean[columns];
    bitmapBytes = aligned(Bitmaps.bytes(capacity));
    long bytes = columns * bitmapBytes;
    for (int i = 0; i < columns; i++) {
      bytes += elsewhere.get(i) ? 0 : aligned((long) capacity * elements[i].bytes());
    }
    block = memory.pin(bytes);
    long at = columns * bitmapBytes;
    for (int i = 0; i < columns; i++) {
      long valueBytes = elsewhere.get(i) ? 0 : (long) capacity * elements[i].bytes();
      values[i] = block.slice(at, valueBytes);
      at += aligned(valueBytes);
    }
  }

  private static long aligned(long bytes) {
    return (bytes + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
  }

  public HostBuffer values(int column) {
    return values[column];
  }

  @Override
  public void set(int column, int row, long raw) {
    elements[column].setRawAt(values[column], row, raw);
  }

  /** Sets a value where a NULL may have been. */
  public void setAgain(int column, int row, long raw) {
    set(column, row, raw);
    if (hasNulls[column]) {
      Bitmaps.set(validityOf(column), row, true);
    }
  }

  public long raw(int column, int row) {
    return elements[column].rawAt(values[column], row);
  }

  @Override
  public void setNull(int column, int row) {
    set(column, row, 0);
    HostBuffer bits = validityOf(column);
    if (!hasNulls[column]) {
      bits.fill((byte) -1);
      hasNulls[column] = true;
    }
    Bitmaps.set(bits, row, false);
  }

  private HostBuffer validityOf(int column) {
    HostBuffer bits = validity[column];
    if (bits == null) {
      bits = block.slice(column * bitmapBytes, bitmapBytes);
      validity[column] = bits;
    }
    return bits;
  }

  public boolean isNull(int column, int row) {
    return hasNulls[column] && !Bitmaps.test(validityOf(column), row);
  }

  public ColumnView column(int column) {
    return new ColumnView(
        elements[column], values[column], hasNulls[column] ? validityOf(column) : null);
  }

  public ColumnView[] columns() {
    ColumnView[] data = new ColumnView[elements.length];
    for (int i = 0; i < data.length; i++) {
      data[i] = column(i);
    }
    return data;
  }

  /** Makes every row valid again. */
  public void clear() {
    Arrays.fill(hasNulls, false);
  }

  @Override
  public void close() {
    memory.close();
  }
}
