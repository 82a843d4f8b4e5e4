package io.gpdb.planner.run.sort;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.jspecify.annotations.Nullable;

/**
 * The keys of some sorted rows for the host to compare, in the order that {@link RowOrder} finds by
 * kernels: for each key a word of each row, which orders as signed i64, and where its NULLs are.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record RunKeys(List<RelFieldCollation> keys, long[][] words, @Nullable HostBuffer[] validity) {

  /** Less than 0 where this row comes before the other one, 0 where all keys are equal. */
  int compare(int row, RunKeys others, int other) {
    for (int k = 0; k < words.length; k++) {
      RelFieldCollation key = keys.get(k);
      boolean isNull = isNull(k, row);
      boolean otherIsNull = others.isNull(k, other);
      if (isNull || otherIsNull) {
        if (isNull != otherIsNull) {
          return isNull == RowOrder.nullsFirst(key) ? -1 : 1;
        }
        continue;
      }
      int order = Long.compare(words[k][row], others.words[k][other]);
      if (order != 0) {
        return key.getDirection().isDescending() ? -order : order;
      }
    }
    return 0;
  }

  private boolean isNull(int key, int row) {
    HostBuffer bits = validity[key];
    return bits != null && !Bitmaps.test(bits, row);
  }
}
