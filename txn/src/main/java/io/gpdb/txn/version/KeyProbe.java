package io.gpdb.txn.version;

import io.gpdb.storage.column.RowWords;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import java.nio.IntBuffer;
import java.util.Arrays;

/**
 * Finds the rows of many keys. A look-up waits for memory three times, for its index line, the
 * row's live bit and the row's key, and the address of each follows from the one before. Here each
 * of these steps is done for all keys before the next one, so that the waits overlap; rows are read
 * in the order of their tablets, under one latch for all of a tablet.
 *
 * <p>Only the first candidate of a key is tried, and only in tablets whose newest state the reader
 * sees. All other keys are looked up again, one by one.
 */
public final class KeyProbe {
  private final RowReader reader;
  private final TableVersions table;
  private final TableStore store;
  private int[] again = new int[16];
  private int againCount;

  public KeyProbe(RowReader reader, TableVersions table) {
    this.reader = reader;
    this.table = table;
    this.store = table.store();
  }

  /**
   * Finds the rows of n keys.
   *
   * @param keys raw values, one key after the other
   * @param rows takes the row of each key, -1 where the reader sees none
   */
  public void find(ReadPoint readPoint, int ordinal, long[] keys, int n, long[] rows) {
    int[] columns = table.keyColumns(ordinal);
    store.index(ordinal).firstCandidates(keys, n, rows);
    int[] starts = new int[store.tabletCount() + 1];
    int[] order = byTablet(rows, n, starts);
    againCount = 0;
    for (int t = 0; t + 1 < starts.length; t++) {
      if (starts[t] < starts[t + 1]) {
        settle(readPoint, store.tablet(t), columns, keys, rows, order, starts[t], starts[t + 1]);
      }
    }
    long[] key = new long[columns.length];
    for (int a = 0; a < againCount; a++) {
      int i = again[a];
      System.arraycopy(keys, i * key.length, key, 0, key.length);
      rows[i] = reader.findByKey(readPoint, ordinal, key);
    }
  }

  /** Positions with a candidate in the order of its tablet; {@code starts} by tablet. */
  private static int[] byTablet(long[] rows, int n, int[] starts) {
    int tablets = starts.length - 1;
    int[] next = new int[tablets + 1];
    for (int i = 0; i < n; i++) {
      next[place(rows[i], tablets)]++;
    }
    int at = 0;
    for (int t = 0; t <= tablets; t++) {
      int count = next[t];
      starts[t] = at;
      next[t] = at;
      at += count;
    }
    int[] order = new int[n];
    for (int i = 0; i < n; i++) {
      order[next[place(rows[i], tablets)]++] = i;
    }
    return order;
  }

  /** Behind all tablets: no candidate, or one that begins to exist just now and is not seen. */
  private static int place(long row, int tablets) {
    return row < 0 || row / Tablet.ROWS >= tablets ? tablets : (int) (row / Tablet.ROWS);
  }

  private void settle(
      ReadPoint readPoint,
      Tablet tablet,
      int[] columns,
      long[] keys,
      long[] rows,
      int[] order,
      int from,
      int to) {
    if (again.length < againCount + to - from) {
      again = Arrays.copyOf(again, Math.max(again.length * 2, againCount + to - from));
    }
    int[] positions = new int[to - from];
    int[] inTablet = new int[to - from];
    int count = 0;
    long rowLimit = store.rowLimit();
    tablet.latch().readLock().lock();
    try {
      TabletVersions versions = table.tablet(tablet.number());
      boolean seesNewest = versions == null || versions.isEmpty() || versions.seesAll(readPoint);
      IntBuffer live = tablet.live().onHost().buffer().asIntBuffer();
      for (int o = from; o < to; o++) {
        int i = order[o];
        int row = (int) (rows[i] % Tablet.ROWS);
        if (seesNewest && rows[i] < rowLimit && test(live, row)) {
          positions[count] = i;
          inTablet[count++] = row;
        } else {
          miss(i);
        }
      }
      int[] rowsRead = Arrays.copyOf(inTablet, count);
      for (int k = 0; k < columns.length; k++) {
        compare(tablet, columns[k], k, columns.length, keys, positions, rowsRead);
      }
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  private static boolean test(IntBuffer bits, int row) {
    return (bits.get(row >>> 5) >>> row & 1) != 0;
  }

  private void miss(int i) {
    again[againCount++] = i;
  }

  /** Of positions that miss the key, -1 is left in the list. */
  private void compare(
      Tablet tablet, int column, int k, int width, long[] keys, int[] positions, int[] rowsRead) {
    RowWords found =
        new RowWords(table.type(column).bytes(), rowsRead.length)
            .read(tablet.values(column).onHost(), rowsRead);
    HostBuffer validity = DeviceBuffer.onHostOrNull(tablet.validity(column));
    IntBuffer valid = validity == null ? null : validity.buffer().asIntBuffer();
    for (int c = 0; c < rowsRead.length; c++) {
      int i = positions[c];
      if (i >= 0
          && (found.raw(c) != keys[i * width + k]
              || (valid != null && !test(valid, rowsRead[c])))) {
        miss(i);
        positions[c] = -1;
      }
    }
  }
}
