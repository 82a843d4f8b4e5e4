package io.gpdb.exec.library.change;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.column.RowWords;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What the kernels of {@link GridReplay} do, in plain loops over arrays, where the log and the
 * column are in the host's memory: a database is mostly opened by a process that has just begun,
 * which would interpret the kernels.
 */
final class HostReplay {
  private final int[] entries;
  private final RowWords values;

  /** The entries of a region. */
  private HostReplay(int width, boolean rowMajor, HostBuffer log, long baseWord, int n) {
    entries = new int[n];
    values = new RowWords(width, n);
    int words = values.isWide() ? 3 : 2;
    if (rowMajor) {
      readRowMajor(log, baseWord, words);
    } else {
      readGroups(log, baseWord, words);
    }
  }

  /**
   * Stores the logged values; false where a kernel has to.
   *
   * @param width bytes of a value
   */
  static boolean update(
      int width,
      boolean rowMajor,
      DeviceBuffer log,
      long baseWord,
      int n,
      DeviceBuffer column,
      @Nullable DeviceBuffer validity) {
    if (!takes(log, column, validity)) {
      return false;
    }
    if (n > 0) {
      new HostReplay(width, rowMajor, (HostBuffer) log, baseWord, n)
          .store((HostBuffer) column, (HostBuffer) validity);
    }
    return true;
  }

  /** Whether all is in the host's memory. */
  static boolean takes(DeviceBuffer log, DeviceBuffer column, @Nullable DeviceBuffer validity) {
    return log instanceof HostBuffer
        && column instanceof HostBuffer
        && (validity == null || validity instanceof HostBuffer);
  }

  /** Clears the live bits of the logged rows; false where a kernel has to. */
  static boolean clearLive(DeviceBuffer log, long baseWord, int n, DeviceBuffer live) {
    if (!(log instanceof HostBuffer region && live instanceof HostBuffer bitmap)) {
      return false;
    }
    if (n > 0) {
      int[] rows = new int[n];
      region.read(baseWord, rows, 0, n); // entries of one word are one behind the other
      requireInside(rows, Byte.SIZE * bitmap.bytes());
      HostBits bits = new HostBits(bitmap, rows);
      bits.clear(rows);
      bits.write();
    }
    return true;
  }

  private void readGroups(HostBuffer log, long baseWord, int words) {
    int[] low = words == 3 ? new int[entries.length] : values.ints();
    int[] high = new int[words == 3 ? entries.length : 0];
    for (int i = 0; i < entries.length; i += HclLayout.GROUP_ENTRIES) {
      int count = Math.min(HclLayout.GROUP_ENTRIES, entries.length - i);
      long at = HclLayout.wordIndex(baseWord, i, 0, words);
      log.read(at, entries, i, count);
      log.read(at + HclLayout.GROUP_ENTRIES, low, i, count);
      if (words == 3) {
        log.read(at + 2L * HclLayout.GROUP_ENTRIES, high, i, count);
      }
    }
    for (int i = 0; i < high.length; i++) {
      values.longs()[i] = wide(low[i], high[i]);
    }
  }

  private void readRowMajor(HostBuffer log, long baseWord, int words) {
    int[] all = new int[Math.multiplyExact(entries.length, words)];
    log.read(baseWord, all, 0, all.length);
    for (int i = 0; i < entries.length; i++) {
      entries[i] = all[i * words];
      if (words == 3) {
        values.longs()[i] = wide(all[i * words + 1], all[i * words + 2]);
      } else {
        values.ints()[i] = all[i * words + 1];
      }
    }
  }

  private static long wide(int low, int high) {
    return (low & 0xffffffffL) | (long) high << 32;
  }

  private void store(HostBuffer column, @Nullable HostBuffer validity) {
    int[] rows = entries.clone();
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] < 0 && validity == null) {
        throw misfit(i);
      }
      rows[i] &= ~HclLayout.NULL_FLAG;
    }
    requireInside(rows, column.bytes() / values.width());
    if (validity != null) {
      requireInside(rows, Byte.SIZE * validity.bytes());
      validate(new HostBits(validity, rows), rows);
    }
    values.write(column, rows);
  }

  private void validate(HostBits bits, int[] rows) {
    for (int i = 0; i < rows.length; i++) {
      if (entries[i] < 0) {
        bits.clear(rows[i]);
      } else {
        bits.set(rows[i]);
      }
    }
    bits.write();
  }

  private static void requireInside(int[] rows, long limit) {
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] < 0 || rows[i] >= limit) {
        throw misfit(i);
      }
    }
  }

  private static GpdbException misfit(int entry) {
    return new GpdbException(
        ErrorCode.CORRUPTION, "log entry does not fit its column: entry=" + entry);
  }
}
