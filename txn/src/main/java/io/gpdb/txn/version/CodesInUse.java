package io.gpdb.txn.version;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.util.BitSet;

/**
 * The codes of one column that some row has, or has had for a snapshot or a roll-back that may
 * come: those of live rows, of rows that a version is about, and in versions.
 *
 * <p>D1. A tablet's rows and versions are looked at together, under its latch: a value that goes
 * from one to the other is met.
 */
public final class CodesInUse {
  private static final int PART_ROWS = 1024;

  private final TableVersions table;
  private final int column;
  private final BitSet codes = new BitSet();

  /** Loops over arrays are fast before they are compiled well. */
  private final int[] part = new int[PART_ROWS];

  public CodesInUse(TableVersions table, int column) {
    this.table = table;
    this.column = column;
  }

  /** Collects them; writers go on, and stamp what they store meanwhile. */
  public BitSet collect() {
    for (int t = 0; t < table.store().tabletCount(); t++) {
      Tablet tablet = table.store().tablet(t);
      tablet.latch().readLock().lock();
      try {
        collect(tablet, table.tablet(t));
      } finally {
        tablet.latch().readLock().unlock();
      }
    }
    return codes;
  }

  private void collect(Tablet tablet, @org.jspecify.annotations.Nullable TabletVersions versions) {
    HostBuffer values = tablet.values(column).onHost();
    HostBuffer live = tablet.live().onHost();
    int n = tablet.rowCount();
    for (int from = Bitmaps.next(live, 0, n, true); from < n; ) {
      int end = Bitmaps.next(live, from, n, false);
      add(values, from, end);
      from = Bitmaps.next(live, end, n, true);
    }
    if (versions != null) {
      versions.forEach(version -> add(values, version));
    }
  }

  private void add(HostBuffer values, int from, int end) {
    for (int row = from; row < end; row += part.length) {
      int n = Math.min(part.length, end - row);
      values.read(row, part, 0, n);
      add(part, n);
    }
  }

  private void add(int[] some, int n) {
    for (int i = 0; i < n; i++) {
      add(some[i]);
    }
  }

  private void add(int code) {
    if (code >= 0) { // an unset value may be anything, except in a row that no version changes
      codes.set(code);
    }
  }

  private void add(HostBuffer values, UndoVersion version) {
    switch (version.kind()) {
      case INSERT -> add(values, version.from(), version.from() + version.n());
      case DELETE -> {
        for (int i = 0; i < version.n(); i++) {
          add(values.intAt(version.rows().intAt(i)));
        }
      }
      case UPDATE -> {
        int at = version.positionOf(column);
        if (at >= 0) {
          add(version.oldValues(at), 0, version.n());
        }
      }
    }
  }
}
