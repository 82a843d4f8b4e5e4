package io.gpdb.txn.version;

import io.gpdb.storage.tablet.Tablet;
import java.util.Arrays;
import java.util.BitSet;

/** Rows of a tablet, each once, in the order in which they first come. */
final class FirstRows {
  private final long[] known;
  private int[] rows = {};
  private int count;

  /**
   * @param left rows that are left out
   */
  FirstRows(BitSet left) {
    known = Arrays.copyOf(left.toLongArray(), Tablet.ROWS / Long.SIZE);
  }

  /** Adds those of the version that are new; returns where they are in its list. */
  int[] add(UndoVersion version) {
    int n = version.n();
    int[] own = new int[n];
    version.rows().read(0, own, 0, n);
    if (rows.length < count + n) {
      rows = Arrays.copyOf(rows, count + n);
    }
    int[] indexes = new int[n];
    int added = 0;
    for (int i = 0; i < n; i++) {
      int row = own[i];
      long word = known[row >>> 6];
      rows[count + added] = row;
      indexes[added] = i;
      added += (int) (~word >>> row) & 1; // no branch: whether it is new is hard to predict
      known[row >>> 6] = word | 1L << row;
    }
    count += added;
    return added == n ? indexes : Arrays.copyOf(indexes, added);
  }

  int count() {
    return count;
  }

  int[] all() {
    return Arrays.copyOf(rows, count);
  }
}
