package io.gpdb.exec.library.change;

import io.gpdb.exec.library.base.HclLayout;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;

/**
 * What the kernel of a {@link GridApplyDelete} does, in plain loops, as {@link HostBatch} does for
 * updates: for some thousand rows whose tablets, and the log where there is one, are in the host's
 * memory.
 */
final class HostDelete {
  private HostDelete() {}

  /** Clears the live bits and logs the rows; false where a kernel has to. */
  static boolean redo(List<GridApplyDelete.Group> groups) {
    if (!takes(groups)) {
      return false;
    }
    for (GridApplyDelete.Group group : groups) {
      if (group.n() > 0) {
        clear((HostBuffer) group.rows(), (HostBuffer) group.live(), group);
      }
    }
    return true;
  }

  private static boolean takes(List<GridApplyDelete.Group> groups) {
    long rows = 0;
    for (GridApplyDelete.Group group : groups) {
      rows += group.n();
      UpdateLog log = group.log();
      if (rows > HostBatch.ROWS_MAX
          || !isHosts(group.rows())
          || !isHosts(group.live())
          || !(log == null || (log instanceof UpdateLog.Hcl hcl && isHosts(hcl.words())))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isHosts(DeviceBuffer buffer) {
    return buffer instanceof HostBuffer;
  }

  private static void clear(HostBuffer rows, HostBuffer live, GridApplyDelete.Group group) {
    int[] each = new int[group.n()];
    rows.read(0, each, 0, each.length);
    HostBits bits = new HostBits(live, each);
    bits.clear(each);
    if (group.log() instanceof UpdateLog.Hcl log) {
      // Entries of one word are one behind the other.
      long at = HclLayout.wordIndex(log.baseWord(), 0, 0, HclLayout.DELETE_ENTRY_WORDS);
      ((HostBuffer) log.words()).write(at, each, 0, each.length);
    }
    bits.write();
  }
}
