package io.gpdb.txn;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.change.TransactionWrites;
import io.gpdb.txn.version.CommitStamp;
import io.gpdb.txn.version.ReadPoint;
import io.gpdb.txn.version.TableVersions;
import io.gpdb.txn.version.TabletVersions;
import io.gpdb.txn.version.UndoVersion;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Locks rows of one table for one transaction. A lock is a version of the row without old values:
 * whoever writes the row meets it as any other write, a snapshot reads through it, and a roll-back
 * takes it away.
 */
final class RowLocks {
  /** Whose locks they are: it knows how rows are latched, refused and remembered. */
  interface Owner {
    /** Takes the latch of the tablet for writing. */
    void lock(Tablet tablet);

    GpdbException refused(CommitStamp other, int tablet, int row);

    void remember(TransactionWrites writes, UndoVersion version);
  }

  private final Owner owner;
  private final ReadPoint readPoint;
  private final TableVersions table;

  RowLocks(Owner owner, ReadPoint readPoint, TableVersions table) {
    this.owner = owner;
    this.readPoint = readPoint;
    this.table = table;
  }

  void lock(TransactionWrites writes, long[] rows, int n) {
    long[] sorted = Arrays.copyOf(rows, n);
    Arrays.sort(sorted);
    int from = 0;
    while (from < n) {
      StopSignal.poll();
      int tablet = (int) (sorted[from] / Tablet.ROWS);
      int to = from;
      int[] inTablet = new int[Math.min(n - from, Tablet.ROWS)];
      int count = 0;
      while (to < n && sorted[to] / Tablet.ROWS == tablet) {
        int row = (int) (sorted[to] % Tablet.ROWS);
        if (count == 0 || inTablet[count - 1] != row) {
          inTablet[count++] = row;
        }
        to++;
      }
      CommitStamp other = lock(writes, tablet, inTablet, count, true);
      assert other == null : "a conflict is thrown";
      from = to;
    }
  }

  boolean tryLock(TransactionWrites writes, long row) {
    int[] inTablet = {(int) (row % Tablet.ROWS)};
    return lock(writes, (int) (row / Tablet.ROWS), inTablet, 1, false) == null;
  }

  /** Returns the writer of a row that cannot be locked, where it does not throw the conflict. */
  private @Nullable CommitStamp lock(
      TransactionWrites writes, int number, int[] rows, int n, boolean throwing) {
    Tablet tablet = table.store().tablet(number);
    try (StopSignal.Scope _ = StopSignal.masked()) {
      owner.lock(tablet);
      try {
        int count = 0;
        TabletVersions versions = table.tablet(number);
        for (int i = 0; i < n; i++) {
          CommitStamp other = versions == null ? null : versions.unseenWriter(readPoint, rows[i]);
          if (other != null && throwing) {
            throw owner.refused(other, number, rows[i]);
          }
          if (other != null) {
            return other;
          }
          if (versions == null || !versions.isLastWrittenBy(writes.stamp(), rows[i])) {
            rows[count++] = rows[i];
          }
        }
        if (count > 0) {
          HostBuffer kept = writes.versionMemory().buffer(4L * count, 8);
          kept.write(0, rows, 0, count);
          owner.remember(writes, UndoVersion.lock(writes.stamp(), table, number, kept, count));
        }
        return null;
      } finally {
        tablet.latch().writeLock().unlock();
      }
    }
  }
}
