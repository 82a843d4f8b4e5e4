package io.gpdb.storage.table;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnRange;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds one table against itself: live counts, ranges, codes against dictionaries, rows against
 * indexes and index entries against rows. Nobody may write meanwhile.
 *
 * <p>An index entry that names a row with another key, a dead row or none is no problem: entries
 * are hints. A live row that its index does not find is, and so are two live rows with one key.
 */
public final class TableCheck {
  private static final int PROBLEMS_PER_INDEX_MAX = 10;

  private final TableStore table;
  private final List<String> problems;
  private final long[] found;

  public TableCheck(TableStore table, List<String> problems) {
    this.table = table;
    this.problems = problems;
    found = new long[table.indexCount()];
  }

  public void run() {
    for (Dictionary dictionary : table.dictionaries()) {
      dictionary.check(problems);
    }
    for (int i = 0; i < table.indexCount(); i++) {
      table.index(i).check(problems);
    }
    for (int i = 0; i < table.tabletCount(); i++) {
      Tablet tablet = table.tablet(i);
      tablet.latch().readLock().lock();
      try {
        checkTablet(tablet);
      } finally {
        tablet.latch().readLock().unlock();
      }
    }
    for (int i = 0; i < found.length; i++) {
      if (found[i] > PROBLEMS_PER_INDEX_MAX) {
        problems.add("%s: problems in all: %d".formatted(indexPlace(i), found[i]));
      }
    }
  }

  private void checkTablet(Tablet tablet) {
    int counted = Bitmaps.count(tablet.live().onHost(), 0, tablet.rowCount());
    if (counted != tablet.liveCount()) {
      problems.add(
          "table=%d, tablet=%d: says live=%d, holds %d"
              .formatted(table.tableId(), tablet.number(), tablet.liveCount(), counted));
    }
    for (int c = 0; c < table.shape().columns().size(); c++) {
      checkRange(tablet, c);
      Dictionary dictionary = table.dictionary(c);
      if (dictionary != null) {
        checkCodes(tablet, c, dictionary);
      }
    }
    for (int i = 0; i < table.indexCount(); i++) {
      checkKeys(tablet, i);
    }
  }

  private void checkRange(Tablet tablet, int column) {
    MemorySegment values = tablet.values(column).onHost().segment();
    HostBuffer bits = DeviceBuffer.onHostOrNull(tablet.validity(column));
    MemorySegment validity = bits == null ? null : bits.segment();
    ColumnRange recorded = tablet.range(column);
    if (recorded == null) {
      return;
    }
    if (recorded.rows() > tablet.rowCount()) {
      problems.add(
          "%s: range of rows=%d, tablet has %d"
              .formatted(place(tablet, column), recorded.rows(), tablet.rowCount()));
      return;
    }
    ColumnRange counted = ColumnRange.of(tablet.type(column), values, validity, recorded.rows());
    if (!recorded.equals(counted)) {
      problems.add("%s: says %s, holds %s".formatted(place(tablet, column), recorded, counted));
    }
    HostBuffer live = tablet.live().onHost();
    for (int row = recorded.rows(); row < tablet.rowCount(); row++) {
      if (isSet(live, row)) {
        problems.add(
            "%s, row=%d: is live behind the range's rows=%d"
                .formatted(place(tablet, column), row, recorded.rows()));
        return;
      }
    }
  }

  private void checkCodes(Tablet tablet, int column, Dictionary dictionary) {
    HostBuffer live = tablet.live().onHost();
    HostBuffer values = tablet.values(column).onHost();
    HostBuffer validity = DeviceBuffer.onHostOrNull(tablet.validity(column));
    for (int row = 0; row < tablet.rowCount(); row++) {
      long code = ElementType.CODE.rawAt(values, row);
      if (!dictionary.isUsed(code) && isSet(live, row) && isSet(validity, row)) {
        problems.add(
            "%s, row=%d: code=%d, dictionary size=%d"
                .formatted(place(tablet, column), row, code, dictionary.size()));
        return;
      }
    }
  }

  private void checkKeys(Tablet tablet, int ordinal) {
    Index index = table.index(ordinal);
    long[] key = new long[index.columns().length];
    boolean[] nulls = new boolean[key.length];
    HostBuffer live = tablet.live().onHost();
    TabletKeys keys = new TabletKeys(tablet, index);
    for (int row = 0; row < tablet.rowCount(); row++) {
      if (isSet(live, row)) {
        boolean whole = keys.read(row, key, nulls);
        if (whole || index.holdsNulls()) {
          checkKey(rowId(tablet, row), ordinal, index, key, nulls);
        }
        if (whole && index.isUnique()) {
          checkUnique(rowId(tablet, row), ordinal, index, key);
        }
      }
    }
  }

  private void checkKey(long row, int ordinal, Index index, long[] key, boolean[] nulls) {
    if (!index.contains(key, nulls, row)) {
      report(ordinal, "no entry for row=%d".formatted(row));
    }
  }

  private void checkUnique(long row, int ordinal, Index index, long[] key) {
    for (long other = index.firstCandidate(key);
        other > row;
        other = index.nextCandidate(key, other)) {
      if (hasKey(other, index, key)) {
        report(ordinal, "two rows with one key: row=%d, row=%d".formatted(row, other));
      }
    }
  }

  private void report(int ordinal, String what) {
    if (found[ordinal]++ < PROBLEMS_PER_INDEX_MAX) {
      problems.add(indexPlace(ordinal) + ": " + what);
    }
  }

  /** Whether it is a live row with that key. */
  private boolean hasKey(long row, Index index, long[] key) {
    if (row >= table.rowLimit()) {
      return false;
    }
    Tablet tablet = table.tablet((int) (row / Tablet.ROWS));
    int at = (int) (row % Tablet.ROWS);
    long[] found = new long[key.length];
    return Bitmaps.testOne(tablet.live(), at)
        && new TabletKeys(tablet, index).read(at, found, new boolean[key.length])
        && Arrays.equals(found, key);
  }

  /** A tablet's columns of an index, where the host reads them. */
  private static final class TabletKeys {
    private final ElementType[] types;
    private final HostBuffer[] values;
    private final @Nullable HostBuffer[] validity;

    TabletKeys(Tablet tablet, Index index) {
      int[] columns = index.columns();
      types = new ElementType[columns.length];
      values = new HostBuffer[columns.length];
      validity = new @Nullable HostBuffer[columns.length];
      for (int k = 0; k < columns.length; k++) {
        types[k] = tablet.type(columns[k]);
        values[k] = tablet.values(columns[k]).onHost();
        validity[k] = DeviceBuffer.onHostOrNull(tablet.validity(columns[k]));
      }
    }

    /** Reads a row's key; false where it has a NULL. */
    boolean read(int row, long[] key, boolean[] nulls) {
      boolean whole = true;
      for (int k = 0; k < types.length; k++) {
        nulls[k] = !isSet(validity[k], row);
        key[k] = types[k].rawAt(values[k], row);
        whole &= !nulls[k];
      }
      return whole;
    }
  }

  private static long rowId(Tablet tablet, int row) {
    return (long) tablet.number() * Tablet.ROWS + row;
  }

  private static boolean isSet(@Nullable HostBuffer bitmap, int row) {
    return bitmap == null || Bitmaps.test(bitmap, row);
  }

  private String indexPlace(int ordinal) {
    return "table=%d, index=%d".formatted(table.tableId(), table.index(ordinal).shape().indexId());
  }

  private String place(Tablet tablet, int column) {
    return "table=%d, tablet=%d, column=%s"
        .formatted(table.tableId(), tablet.number(), table.shape().columns().get(column).name());
  }
}
