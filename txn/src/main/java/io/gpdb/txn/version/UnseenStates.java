package io.gpdb.txn.version;

import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.RowTest;
import org.jspecify.annotations.Nullable;

/**
 * What other transactions have made of a table's rows that a reader does not see: for constraints
 * between tables, which must hold in whatever order the transactions commit.
 *
 * <p>F1 (docs/internals/isolation.md). Whoever asks has its own writes in place before: of two
 * transactions of which one writes a child and the other takes its parent away, at least one finds
 * the other's write.
 *
 * <p>F2. Rows are looked at under their tablet's latch, which a writer holds until its versions are
 * with the tablet.
 */
public final class UnseenStates {
  private final TableVersions table;
  private final ReadPoint reader;
  private final RowReader rows;

  public UnseenStates(TableVersions table, ReadPoint reader) {
    this.table = table;
    this.reader = reader;
    this.rows = new RowReader(table);
  }

  /** The conflict at the first of the rows whose existence or columns others changed, or null. */
  public @Nullable GpdbException atRows(long[] rowIds, int n, int[] columns) {
    long mask = ColumnMask.of(columns);
    for (int i = 0; i < n; i++) {
      StopSignal.poll(i);
      int number = (int) (rowIds[i] / Tablet.ROWS);
      int row = (int) (rowIds[i] % Tablet.ROWS);
      CommitStamp writer = changer(number, row, mask);
      if (writer != null) {
        return Conflicts.atRow(writer, table, number, row);
      }
    }
    return null;
  }

  private @Nullable CommitStamp changer(int number, int row, long mask) {
    TabletVersions versions = table.tablet(number);
    if (versions == null) {
      return null;
    }
    Tablet tablet = table.store().tablet(number);
    tablet.latch().readLock().lock();
    try {
      return versions.isEmpty() ? null : versions.unseenChange(reader, row, mask);
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  /** Whether there are none in which the existence of a row or one of the columns is another. */
  public boolean areNone(int[] columns) {
    for (int t = 0; t < table.store().tabletCount(); t++) {
      StopSignal.poll(t);
      if (isAny(t, columns)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAny(int number, int[] columns) {
    TabletVersions versions = table.tablet(number);
    if (versions == null) {
      return false;
    }
    Tablet tablet = table.store().tablet(number);
    tablet.latch().readLock().lock();
    try {
      boolean isSeen = versions.isEmpty() || versions.seesLive(reader);
      for (int i = 0; isSeen && i < columns.length; i++) {
        isSeen = versions.seesColumn(reader, columns[i]);
      }
      return !isSeen;
    } finally {
      tablet.latch().readLock().unlock();
    }
  }

  /**
   * The conflict at a row that others have inserted, or given other values of the columns, and that
   * matches the test in the newest or any older state; null where there is none.
   */
  public @Nullable GpdbException matching(int[] columns, RowTest test) {
    for (int t = 0; t < table.store().tabletCount(); t++) {
      StopSignal.poll();
      GpdbException found = matching(t, columns, test);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private @Nullable GpdbException matching(int number, int[] columns, RowTest test) {
    TabletVersions versions = table.tablet(number);
    if (versions == null) {
      return null;
    }
    Tablet tablet = table.store().tablet(number);
    tablet.latch().readLock().lock();
    try {
      if (versions.isEmpty() || versions.seesAll(reader)) {
        return null;
      }
      long[] values = new long[columns.length];
      boolean[] nulls = new boolean[columns.length];
      int row =
          versions.firstUnseen(
              reader,
              ColumnMask.of(columns),
              r -> {
                rows.newest(tablet, r, columns, values, nulls);
                return test.matches(values, nulls)
                    || versions.anyOlderState(
                        r, columns, values, nulls, table.types(), test::matches);
              });
      CommitStamp writer = row < 0 ? null : versions.unseenChange(reader, row, ~0L);
      return writer == null ? null : Conflicts.atRow(writer, table, number, row);
    } finally {
      tablet.latch().readLock().unlock();
    }
  }
}
