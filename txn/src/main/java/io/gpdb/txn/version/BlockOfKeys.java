package io.gpdb.txn.version;

import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.index.Index;
import io.gpdb.storage.index.KeyBatch;
import io.gpdb.storage.index.SharedWork;
import io.gpdb.storage.memory.DeviceBuffer;

/**
 * The keys of a block of rows as they go into one index, and the rows whose key another row has or
 * may have. Used by one thread at a time; those of different indexes by several.
 */
final class BlockOfKeys {
  private final KeyBatch keys = new KeyBatch();
  private int[] suspects = RowReader.NO_COLUMNS;
  private int suspectCount;

  KeyBatch keys() {
    return keys;
  }

  /** The positions of the suspects in the block, ascending; of a unique index only. */
  int suspect(int i) {
    return suspects[i];
  }

  int suspectCount() {
    return suspectCount;
  }

  /** Puts the keys of n inserted rows into the index. */
  void putInserted(
      TableVersions table,
      Index index,
      ColumnView[] columns,
      int from,
      int n,
      long firstRow,
      SharedWork workers) {
    keys.begin(from, n, firstRow + from);
    for (int c : index.columns()) {
      ColumnView read = columns[c].onHost();
      DeviceBuffer validity = read.validity();
      keys.add(
          table.type(c),
          read.values().onHost().segment(),
          validity == null ? null : validity.onHost().segment());
    }
    put(index, workers);
  }

  /** Puts the keys into the index. */
  void put(Index index, SharedWork workers) {
    suspectCount = index.insertAll(keys, index.isUnique() ? room(keys.n()) : null, workers);
  }

  private int[] room(int n) {
    if (suspects.length < n) {
      suspects = new int[n];
    }
    return suspects;
  }
}
