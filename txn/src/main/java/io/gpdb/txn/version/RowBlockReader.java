package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.RowWords;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.RowsByTablet;
import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * Reads many rows of a table as one reader sees them, in the order of their tablets, under one
 * latch for all of a tablet. Where the table is in a device's memory, the host waits for a tablet's
 * columns, or for the values of its rows where those are few, and not for each row.
 */
public final class RowBlockReader {
  /** Fewer rows of a tablet are fetched value by value, all together. */
  private static final int WHOLE_ROWS_MIN = 32;

  private final TableVersions table;
  private final MemoryAccount account;

  public RowBlockReader(TableVersions table, MemoryAccount account) {
    this.table = table;
    this.account = account;
  }

  /** The first n of the rows; what the reader does not see, the block does not. */
  public RowBlock read(ReadPoint reader, long[] rows, int n, int[] columns) {
    RowBlock block = new RowBlock(columns.length, n);
    RowsByTablet order = new RowsByTablet(rows, n, table.store().tabletCount());
    try (TabletOnHost whole = new TabletOnHost(columns, account)) {
      Reading reading = new Reading(reader, rows, columns, order, whole, block);
      for (int t = 0; t < order.tablets(); t++) {
        if (order.start(t) < order.start(t + 1)) {
          StopSignal.poll();
          reading.read(table.store().tablet(t), order.start(t), order.start(t + 1));
        }
      }
    }
    return block;
  }

  /** One reading of a list of rows. */
  private final class Reading {
    private final ReadPoint reader;
    private final long[] rows;
    private final int[] columns;
    private final RowsByTablet order;
    private final TabletOnHost whole;
    private final RowBlock block;
    private final long[] values;
    private final boolean[] nulls;

    Reading(
        ReadPoint reader,
        long[] rows,
        int[] columns,
        RowsByTablet order,
        TabletOnHost whole,
        RowBlock block) {
      this.reader = reader;
      this.rows = rows;
      this.columns = columns;
      this.order = order;
      this.whole = whole;
      this.block = block;
      values = new long[columns.length];
      nulls = new boolean[columns.length];
    }

    void read(Tablet tablet, int from, int to) {
      tablet.latch().readLock().lock();
      try {
        if (to - from < WHOLE_ROWS_MIN && !tablet.live().memory().isHosts()) {
          readCells(tablet, from, to);
        } else {
          readWhole(tablet, from, to);
        }
      } finally {
        tablet.latch().readLock().unlock();
      }
    }

    private int row(int at) {
      return (int) (rows[order.place(at)] % Tablet.ROWS);
    }

    private void readWhole(Tablet tablet, int from, int to) {
      whole.moveTo(tablet);
      int[] inTablet = new int[to - from];
      int[] places = new int[to - from];
      int count = 0;
      for (int at = from; at < to; at++) {
        if (row(at) < tablet.rowCount()) {
          places[count] = order.place(at);
          inTablet[count++] = row(at);
        }
      }
      int[] rowsRead = Arrays.copyOf(inTablet, count);
      for (int c = 0; c < columns.length; c++) {
        RowWords words = new RowWords(table.type(columns[c]).bytes(), count);
        block.put(places, c, words.read(whole.values(c), rowsRead));
        HostBuffer valid = whole.validity(c);
        if (valid != null) {
          block.putNulls(places, c, bits(valid), rowsRead);
        }
      }
      HostBuffer live = whole.live();
      block.see(places, live == null ? null : bits(live), rowsRead);
      putOldBack(tablet, places, rowsRead);
    }

    private static IntBuffer bits(HostBuffer bitmap) {
      return bitmap.buffer().asIntBuffer();
    }

    /** The newest state of the rows, which the block has, becomes what the reader sees. */
    private void putOldBack(Tablet tablet, int[] places, int[] rowsRead) {
      TabletVersions versions = table.tablet(tablet.number());
      if (versions == null || versions.isEmpty() || versions.seesAll(reader)) {
        return;
      }
      for (int i = 0; i < rowsRead.length; i++) {
        boolean isLive = block.read(places[i], values, nulls);
        boolean sees =
            versions.restoreRow(reader, rowsRead[i], isLive, columns, values, nulls, table.types());
        block.put(places[i], values, nulls, sees);
      }
    }

    private void readCells(Tablet tablet, int from, int to) {
      Cells cells = new Cells();
      int width = 1 + 2 * columns.length;
      int[] numbers = new int[(to - from) * width];
      int[] inTablet = new int[to - from];
      int[] places = new int[to - from];
      int count = 0;
      for (int at = from; at < to; at++) {
        if (row(at) < tablet.rowCount()) {
          places[count] = order.place(at);
          inTablet[count] = row(at);
          add(tablet, row(at), cells, numbers, count++ * width);
        }
      }
      cells.fetch(tablet.live().memory());
      for (int i = 0; i < count; i++) {
        int row = inTablet[i];
        int first = i * width;
        for (int c = 0; c < columns.length; c++) {
          int bits = numbers[first + 2 * c + 1];
          nulls[c] = bits >= 0 && !Bitmaps.test(cells.word(bits), row);
          values[c] = table.type(columns[c]).rawOf(cells.word(numbers[first + 2 * c + 2]));
        }
        block.put(places[i], values, nulls, Bitmaps.test(cells.word(numbers[first]), row));
      }
      putOldBack(tablet, places, Arrays.copyOf(inTablet, count));
    }

    private void add(Tablet tablet, int row, Cells cells, int[] numbers, int first) {
      numbers[first] = Bitmaps.cell(cells, tablet.live(), row);
      for (int c = 0; c < columns.length; c++) {
        DeviceBuffer valid = tablet.validity(columns[c]);
        numbers[first + 2 * c + 1] = valid == null ? -1 : Bitmaps.cell(cells, valid, row);
        numbers[first + 2 * c + 2] =
            table.type(columns[c]).cell(cells, tablet.values(columns[c]), row);
      }
    }
  }
}
