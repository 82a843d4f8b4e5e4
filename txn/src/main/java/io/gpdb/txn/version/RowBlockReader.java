package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.Cells;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.RowBlock;

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
      HostBuffer live = whole.live();
      for (int at = from; at < to; at++) {
        int row = row(at);
        if (row >= tablet.rowCount()) {
          continue;
        }
        for (int c = 0; c < columns.length; c++) {
          HostBuffer valid = whole.validity(c);
          nulls[c] = valid != null && !Bitmaps.test(valid, row);
          values[c] = table.type(columns[c]).rawAt(whole.values(c), row);
        }
        take(tablet, at, row, live == null || Bitmaps.test(live, row));
      }
    }

    private void readCells(Tablet tablet, int from, int to) {
      Cells cells = new Cells();
      int width = 1 + 2 * columns.length;
      int[] numbers = new int[(to - from) * width];
      for (int at = from; at < to; at++) {
        if (row(at) < tablet.rowCount()) {
          add(tablet, row(at), cells, numbers, (at - from) * width);
        }
      }
      cells.fetch(tablet.live().memory());
      for (int at = from; at < to; at++) {
        int row = row(at);
        if (row < tablet.rowCount()) {
          int first = (at - from) * width;
          for (int c = 0; c < columns.length; c++) {
            int bits = numbers[first + 2 * c + 1];
            ElementType type = table.type(columns[c]);
            nulls[c] = bits >= 0 && !Bitmaps.test(cells.word(bits), row);
            values[c] = type.rawOf(cells.word(numbers[first + 2 * c + 2]));
          }
          take(tablet, at, row, Bitmaps.test(cells.word(numbers[first]), row));
        }
      }
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

    /** The row's newest state is read. */
    private void take(Tablet tablet, int at, int row, boolean isLive) {
      TabletVersions versions = table.tablet(tablet.number());
      boolean sees =
          (versions == null || versions.isEmpty() || versions.seesAll(reader))
              ? isLive
              : versions.restoreRow(reader, row, isLive, columns, values, nulls, table.types());
      if (sees) {
        block.see(order.place(at));
      }
      for (int c = 0; c < columns.length; c++) {
        block.put(order.place(at), c, values[c], nulls[c]);
      }
    }
  }
}
