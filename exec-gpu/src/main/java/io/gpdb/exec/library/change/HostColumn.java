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
    int[][] words = values.isWide() ? wide(values) : new int[][] {rows, values.low()};
    int whole = rows.length - rows.length % HclLayout.GROUP_ENTRIES;
    int[] groups = new int[whole * words.length];
    for (int i = 0; i < whole; i += HclLayout.GROUP_ENTRIES) {
      for (int w = 0; w < words.length; w++) {
        int at = i * words.length + w * HclLayout.GROUP_ENTRIES;
        System.arraycopy(words[w], i, groups, at, HclLayout.GROUP_ENTRIES);
      }
    }
    region.write(log.baseWord(), groups, 0, groups.length);
    for (int w = 0; w < words.length && whole < rows.length; w++) {
      long at = HclLayout.wordIndex(log.baseWord(), whole, w, words.length);
      region.write(at, words[w], whole, rows.length - whole);
    }
  }

  private int[][] wide(RowWords values) {
    return new int[][] {rows, values.low(), values.high()};
  }
}
