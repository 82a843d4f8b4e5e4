package io.gpdb.exec.library.change;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.column.RowWords;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/**
 * New values of one column of one tablet at distinct rows, none of them NULL, by plain loops. What
 * is stored last may be logged before anything of a change is stored.
 */
final class HostColumn {
  private final int[] rows;
  private final HostBuffer column;
  private final RowWords old;
  private @Nullable RowWords stored;

  HostColumn(int width, int[] rows, HostBuffer column) {
    this.rows = rows;
    this.column = column;
    old = new RowWords(width, rows.length).read(column, rows);
  }

  static boolean isHosts(@Nullable DeviceBuffer buffer) {
    return buffer instanceof HostBuffer;
  }

  static boolean isHosts(@Nullable UpdateLog log) {
    return log == null || (log instanceof UpdateLog.Hcl hcl && isHosts(hcl.words()));
  }

  static HostBuffer host(@Nullable DeviceBuffer buffer) {
    if (buffer instanceof HostBuffer host) {
      return host;
    }
    throw new IllegalArgumentException("no memory of the host: " + buffer);
  }

  static int[] ints(HostBuffer from, int n) {
    int[] copy = new int[n];
    from.read(0, copy, 0, n);
    return copy;
  }

  /** What the rows have. */
  RowWords old() {
    return old;
  }

  /** Captures the old values and logs the new ones. */
  void prepare(RowWords values, HostBuffer undo, @Nullable UpdateLog log) {
    stored = values;
    old.write(undo);
    if (log instanceof UpdateLog.Hcl hcl) {
      append(values, hcl);
    }
  }

  void store() {
    if (stored != null) {
      stored.write(column, rows);
    }
  }

  /** Appends the entries, see {@link HclLayout}: group by group, word by word. */
  private void append(RowWords values, UpdateLog.Hcl log) {
    HostBuffer region = host(log.words());
    int entryWords = values.isWide() ? 3 : 2;
    int whole = rows.length - rows.length % HclLayout.GROUP_ENTRIES;
    int[] groups = new int[whole * entryWords];
    for (int i = 0; i < whole; i += HclLayout.GROUP_ENTRIES) {
      putGroup(values, i, HclLayout.GROUP_ENTRIES, groups, i * entryWords);
    }
    region.write(log.baseWord(), groups, 0, groups.length);
    int rest = rows.length - whole;
    if (rest > 0) {
      int[] last = new int[HclLayout.GROUP_ENTRIES * entryWords];
      putGroup(values, whole, rest, last, 0);
      for (int w = 0; w < entryWords; w++) {
        long at = HclLayout.wordIndex(log.baseWord(), whole, w, entryWords);
        region.write(at, last, w * HclLayout.GROUP_ENTRIES, rest);
      }
    }
  }

  /** The first n entries of a group, from entry {@code from} on, whose words begin there. */
  private void putGroup(RowWords values, int from, int n, int[] words, int at) {
    System.arraycopy(rows, from, words, at, n);
    if (values.isWide()) {
      putHalves(values.longs(), from, n, words, at + HclLayout.GROUP_ENTRIES);
    } else {
      System.arraycopy(values.ints(), from, words, at + HclLayout.GROUP_ENTRIES, n);
    }
  }

  private static void putHalves(long[] values, int from, int n, int[] words, int at) {
    for (int i = 0; i < n; i++) {
      long value = values[from + i];
      words[at + i] = (int) value;
      words[at + HclLayout.GROUP_ENTRIES + i] = (int) (value >>> 32);
    }
  }
}
