package io.gpdb.planner.change;

import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.run.HeldRows;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import io.gpdb.txn.api.TabletRows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Distinct rows with their new values, added in any order and applied by tablet. */
public final class PendingRows implements AutoCloseable {
  private static final int ROWS_MIN = Tablet.ROWS;
  private static final int ROWS_MAX = 1 << 20;

  /** In the heap, of a row and its place in the order; and of each value. */
  private static final int ROW_BYTES = Long.BYTES + Integer.BYTES;

  private static final int VALUE_BYTES = Long.BYTES + 1;

  private final TableWriter writer;
  private final TableReader reader;
  private final int[] columns;
  private final ElementType[] elements;
  private final boolean delete;
  private final long[] rows;
  private final long[][] values;
  private final boolean[][] nulls;
  private final boolean[] hasNulls;
  private int count;

  public PendingRows(
      TableWriter writer,
      TableReader reader,
      TableDef definition,
      int[] columns,
      boolean delete,
      long expected) {
    this.writer = writer;
    this.reader = reader;
    this.columns = columns;
    this.delete = delete;
    long share = HeldRows.rowsOfShare(ROW_BYTES + (long) VALUE_BYTES * columns.length);
    int most = Math.clamp(share, ROWS_MIN, ROWS_MAX);
    int capacity = Math.clamp(expected, 1, most);
    rows = new long[capacity];
    values = new long[columns.length][capacity];
    nulls = new boolean[columns.length][capacity];
    hasNulls = new boolean[columns.length];
    elements = new ElementType[columns.length];
    for (int i = 0; i < columns.length; i++) {
      elements[i] = definition.column(columns[i]).type().element();
    }
  }

  /** Adds a row that is not there; returns its place. Applies all so far when there is no room. */
  public int add(long row) {
    if (count == rows.length) {
      flush();
    }
    rows[count] = row;
    return count++;
  }

  public void set(int place, int column, long raw, boolean present) {
    values[column][place] = raw;
    nulls[column][place] = !present;
    hasNulls[column] |= !present;
  }

  /** Applies everything gathered. */
  public void flush() {
    if (count == 0) {
      return;
    }
    try (BatchMemory memory = new BatchMemory()) {
      List<TabletRows> parts = parts(memory);
      if (delete) {
        writer.delete(parts);
      } else {
        writer.update(parts, columns);
      }
    }
    count = 0;
    Arrays.fill(hasNulls, false);
  }

  private List<TabletRows> parts(BatchMemory memory) {
    List<TabletRows> parts = new ArrayList<>();
    int[] order = orderByTablet();
    int from = 0;
    while (from < count) {
      StopSignal.poll();
      int tablet = (int) (rows[order[from]] / Tablet.ROWS);
      int to = from;
      while (to < count && rows[order[to]] / Tablet.ROWS == tablet) {
        to++;
      }
      parts.add(part(tablet, order, from, to, memory));
      from = to;
    }
    return parts;
  }

  /** Places in the order of their tablets: a counting sort. */
  private int[] orderByTablet() {
    int[] starts = new int[reader.tabletLimit() + 1];
    for (int i = 0; i < count; i++) {
      starts[(int) (rows[i] / Tablet.ROWS) + 1]++;
    }
    for (int t = 1; t < starts.length; t++) {
      starts[t] += starts[t - 1];
    }
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      order[starts[(int) (rows[i] / Tablet.ROWS)]++] = i;
    }
    return order;
  }

  private TabletRows part(int tablet, int[] order, int from, int to, BatchMemory memory) {
    int n = to - from;
    HostBuffer ids = memory.pin(4L * n);
    for (int i = 0; i < n; i++) {
      ids.setInt(i, (int) (rows[order[from + i]] % Tablet.ROWS));
    }
    List<ColumnView> data = new ArrayList<>(columns.length);
    for (int c = 0; c < columns.length; c++) {
      data.add(column(c, order, from, n, memory));
    }
    return new TabletRows(tablet, ids, n, data);
  }

  private ColumnView column(int c, int[] order, int from, int n, BatchMemory memory) {
    HostBuffer out = memory.pin((long) n * elements[c].bytes());
    long[] in = values[c];
    ElementType element = elements[c];
    for (int i = 0; i < n; i++) {
      element.setRawAt(out, i, in[order[from + i]]);
    }
    return new ColumnView(elements[c], out, hasNulls[c] ? bitmap(c, order, from, n, memory) : null);
  }

  private @Nullable HostBuffer bitmap(int c, int[] order, int from, int n, BatchMemory memory) {
    HostBuffer bits = memory.bitmap(n);
    for (int i = 0; i < n; i++) {
      if (!nulls[c][order[from + i]]) {
        Bitmaps.set(bits, i, true);
      }
    }
    return bits;
  }

  @Override
  public void close() {
    count = 0;
  }
}
