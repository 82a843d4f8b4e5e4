package io.gpdb.exec.library.change;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.storage.column.RowWords;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the kernel of a {@link GridApplyBatch} does, in plain loops: for batches of some thousand
 * rows in the host's memory whose new values are all there, and none NULL. A launch's preparation,
 * and a kernel that was not compiled yet, take longer than they do.
 *
 * <p>All columns of all groups are captured and logged before the first one is stored: whatever
 * fails has changed nothing.
 */
final class HostBatch {
  /** More rows are worth the device's other threads. */
  static final int ROWS_MAX = 1 << 15;

  private final int[] rows;
  private final HostBuffer column;
  private final RowWords stored;

  /** One set column of one group, captured and logged. */
  private HostBatch(
      int width, int[] rows, int[] positions, BatchRows group, int c, DeviceBuffer given) {
    this.rows = rows;
    column = host(group.columnValues[c]);
    stored = new RowWords(width, rows.length).read(host(given), positions);
    new RowWords(width, rows.length).read(column, rows).write(host(group.undoValues[c]));
    if (group.logs[c] instanceof UpdateLog.Hcl log) {
      log(log);
    }
  }

  /** Captures, logs where there are logs, and stores; false where a kernel has to. */
  static boolean redo(
      List<GridApplyBatch.Target> targets, LaneBindings bindings, List<BatchRows> groups) {
    if (!takes(targets, bindings, groups)) {
      return false;
    }
    List<HostBatch> captured = new ArrayList<>(groups.size() * targets.size());
    for (BatchRows group : groups) {
      int[] rows = ints(host(group.rows), group.n);
      int[] positions = ints(host(group.positions), group.n);
      for (int c = 0; c < targets.size(); c++) {
        int width = targets.get(c).element().bytes();
        DeviceBuffer given = bindingsOf(group, bindings).values(given(targets.get(c)));
        captured.add(new HostBatch(width, rows, positions, group, c, given));
      }
    }
    captured.forEach(each -> each.stored.write(each.column, each.rows));
    return true;
  }

  private static int[] ints(HostBuffer from, int n) {
    int[] copy = new int[n];
    from.read(0, copy, 0, n);
    return copy;
  }

  private static LaneBindings bindingsOf(BatchRows group, LaneBindings bindings) {
    LaneBindings own = group.own;
    return own == null ? bindings : own;
  }

  /** The number of the input that has the new values; -1 where they are computed. */
  private static int given(GridApplyBatch.Target target) {
    Column given = target.given();
    return given == null ? -1 : given.number();
  }

  private static boolean takes(
      List<GridApplyBatch.Target> targets, LaneBindings bindings, List<BatchRows> groups) {
    long rows = 0;
    for (BatchRows group : groups) {
      rows += group.n;
      if (rows > ROWS_MAX || !isHosts(group.rows) || !isHosts(group.positions)) {
        return false;
      }
      LaneBindings bound = bindingsOf(group, bindings);
      for (int c = 0; c < targets.size(); c++) {
        int given = given(targets.get(c));
        if (given < 0
            || !isHosts(bound.values(given))
            || bound.validity(given) != null
            || !isHosts(group.columnValues[c])
            || group.columnValidity[c] != null
            || !isHosts(group.undoValues[c])
            || !isHosts(group.logs[c])) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean isHosts(@Nullable DeviceBuffer buffer) {
    return buffer instanceof HostBuffer;
  }

  private static boolean isHosts(@Nullable UpdateLog log) {
    return log == null || (log instanceof UpdateLog.Hcl hcl && isHosts(hcl.words()));
  }

  private static HostBuffer host(@Nullable DeviceBuffer buffer) {
    if (buffer instanceof HostBuffer host) {
      return host;
    }
    throw new IllegalArgumentException("no memory of the host: " + buffer);
  }

  /** Appends the entries, see {@link HclLayout}: group by group, word by word. */
  private void log(UpdateLog.Hcl log) {
    HostBuffer region = host(log.words());
    int words = stored.isWide() ? 3 : 2;
    for (int i = 0; i < rows.length; i += HclLayout.GROUP_ENTRIES) {
      int count = Math.min(HclLayout.GROUP_ENTRIES, rows.length - i);
      long at = HclLayout.wordIndex(log.baseWord(), i, 0, words);
      region.write(at, rows, i, count);
      region.write(at + HclLayout.GROUP_ENTRIES, stored.low(), i, count);
      if (words == 3) {
        region.write(at + 2L * HclLayout.GROUP_ENTRIES, stored.high(), i, count);
      }
    }
  }
}
