package io.gpdb.txn.version;

import io.gpdb.storage.column.RowWords;
import io.gpdb.storage.column.ShortLoops;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.RowsByTablet;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of many keys. A look-up waits for memory three times, for its index line, the
 * row's live bit and the row's key, and the address of each follows from the one before. Here each
 * of these steps is done for all keys before the next one, so that the waits overlap; rows are read
 * in the order of their tablets, under one latch for all of a tablet.
 *
 * <p>Only the first candidate of a key is tried, and only in tablets whose newest state the reader
 * sees. All other keys are looked up again, one by one. Of many keys the threads take some each,
 * then some tablets each.
 */
public final class KeyProbe {
  /** Fewer keys are found before other threads have woken up. */
  private static final int SHARED_KEYS_MIN = 1 << 16;

  private static final int PIECE_KEYS = 1 << 14;
  private static final int PIECES_MAX = 64;

  private final RowReader reader;
  private final TableVersions table;
  private final TableStore store;
  private final MemoryAccount account;
  private final SharedWork workers;

  /**
   * @param account what the keys take that are read from a device's memory
   * @param workers share the work of many keys
   */
  public KeyProbe(
      RowReader reader, TableVersions table, MemoryAccount account, SharedWork workers) {
    this.reader = reader;
    this.table = table;
    this.account = account;
    this.workers = workers;
    this.store = table.store();
  }

  /**
   * Finds the rows of n keys.
   *
   * @param keys raw values, one key after the other
   * @param rows takes the row of each key, -1 where the reader sees none
   */
  public void find(ReadPoint readPoint, int ordinal, long[] keys, int n, long[] rows) {
    boolean shared = n >= SHARED_KEYS_MIN;
    firstCandidates(store.index(ordinal), keys, n, rows, shared);
    // A candidate behind all tablets begins to exist just now and is not seen.
    RowsByTablet order = new RowsByTablet(rows, n, store.tabletCount());
    int pieces = shared ? Math.min(order.tablets(), PIECES_MAX) : 1;
    Settling[] settled = new Settling[pieces];
    (shared ? workers : SharedWork.ALONE)
        .share(
            pieces,
            piece -> {
              Settling some = new Settling(table.keyColumns(ordinal), keys, rows, order);
              some.settle(readPoint, piece, pieces);
              settled[piece] = some;
            });
    for (Settling some : settled) {
      some.findAgain(readPoint, ordinal);
    }
  }

  private void firstCandidates(Index index, long[] keys, int n, long[] rows, boolean shared) {
    if (shared) {
      workers.share(
          (n + PIECE_KEYS - 1) / PIECE_KEYS,
          piece -> {
            int from = piece * PIECE_KEYS;
            index.firstCandidates(keys, from, Math.min(n, from + PIECE_KEYS), rows);
          });
    } else {
      index.firstCandidates(keys, 0, n, rows);
    }
  }

  private static @Nullable IntBuffer bits(@Nullable HostBuffer bitmap) {
    return bitmap == null ? null : bitmap.buffer().asIntBuffer();
  }

  private static boolean test(IntBuffer bits, int row) {
    return (bits.get(row >>> 5) >>> row & 1) != 0;
  }

  /** Values of the k-th of a key's columns, and the rows that have them. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Compared(
      RowWords found, int[] rows, @Nullable IntBuffer valid, int columns, int k) {}

  /** Candidates of some tablets, compared with their keys by one thread. */
  private final class Settling {
    private final int[] columns;
    private final long[] keys;
    private final long[] rows;
    private final RowsByTablet order;
    private int[] again = new int[16];
    private int againCount;

    Settling(int[] columns, long[] keys, long[] rows, RowsByTablet order) {
      this.columns = columns;
      this.keys = keys;
      this.rows = rows;
      this.order = order;
    }

    /** Of one tablet after the other, {@code step} apart. */
    void settle(ReadPoint readPoint, int first, int step) {
      try (TabletOnHost read = new TabletOnHost(columns, account)) {
        for (int t = first; t < order.tablets(); t += step) {
          if (order.start(t) < order.start(t + 1)) {
            StopSignal.poll();
            settle(readPoint, store.tablet(t), read);
          }
        }
      }
    }

    void findAgain(ReadPoint readPoint, int ordinal) {
      long[] key = new long[columns.length];
      for (int a = 0; a < againCount; a++) {
        int i = again[a];
        System.arraycopy(keys, i * key.length, key, 0, key.length);
        rows[i] = reader.findByKey(readPoint, ordinal, key);
      }
    }

    private void settle(ReadPoint readPoint, Tablet tablet, TabletOnHost read) {
      int from = order.start(tablet.number());
      int to = order.start(tablet.number() + 1);
      if (again.length < againCount + to - from) {
        again = Arrays.copyOf(again, Math.max(again.length * 2, againCount + to - from));
      }
      tablet.latch().readLock().lock();
      try {
        TabletVersions versions = table.tablet(tablet.number());
        boolean seesNewest = versions == null || versions.isEmpty() || versions.seesAll(readPoint);
        read.moveTo(tablet);
        Seen seen = new Seen(to - from, seesNewest ? tablet.rowCount() : 0, bits(read.live()));
        for (int o = from; o < to; o = ShortLoops.end(o, to)) {
          seen.add(o, ShortLoops.end(o, to));
        }
        int[] rowsRead = Arrays.copyOf(seen.inTablet, seen.count);
        for (int k = 0; k < columns.length; k++) {
          compare(read, k, seen.positions, rowsRead);
        }
      } finally {
        tablet.latch().readLock().unlock();
      }
    }

    /** The rows of a tablet that exist for the reader: their positions among the keys, and they. */
    private final class Seen {
      private final int[] positions;
      private final int[] inTablet;
      private final int rowCount;
      private final long rowLimit = store.rowLimit();
      private final @Nullable IntBuffer live;
      private int count;

      Seen(int rows, int rowCount, @Nullable IntBuffer live) {
        positions = new int[rows];
        inTablet = new int[rows];
        this.rowCount = rowCount;
        this.live = live;
      }

      void add(int from, int to) {
        for (int o = from; o < to; o++) {
          int i = order.place(o);
          int row = (int) (rows[i] % Tablet.ROWS);
          if (row < rowCount && rows[i] < rowLimit && (live == null || test(live, row))) {
            positions[count] = i;
            inTablet[count++] = row;
          } else {
            miss(i);
          }
        }
      }
    }

    private void miss(int i) {
      again[againCount++] = i;
    }

    /** Of positions that miss the key, -1 is left in the list. */
    private void compare(TabletOnHost read, int k, int[] positions, int[] rowsRead) {
      RowWords found =
          new RowWords(table.type(columns[k]).bytes(), rowsRead.length)
              .read(read.values(k), rowsRead);
      IntBuffer valid = bits(read.validity(k));
      Compared compared = new Compared(found, rowsRead, valid, columns.length, k);
      for (int c = 0; c < rowsRead.length; c = ShortLoops.end(c, rowsRead.length)) {
        compare(compared, positions, c, ShortLoops.end(c, rowsRead.length));
      }
    }

    private void compare(Compared with, int[] positions, int from, int to) {
      IntBuffer valid = with.valid;
      for (int c = from; c < to; c++) {
        int i = positions[c];
        if (i >= 0
            && (with.found.raw(c) != keys[i * with.columns + with.k]
                || (valid != null && !test(valid, with.rows[c])))) {
          miss(i);
          positions[c] = -1;
        }
      }
    }
  }
}
