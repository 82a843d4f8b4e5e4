package io.gpdb.storage.index;

import io.gpdb.storage.column.ElementType;
import java.lang.foreign.MemorySegment;

/** Keys for tests of indexes. */
public final class SampleKeys {
  private SampleKeys() {}

  /** Keys of one column of longs. */
  public static KeyBatch keys(long firstRow, long[] values) {
    KeyBatch keys = new KeyBatch();
    keys.begin(0, values.length, firstRow);
    keys.add(ElementType.I64, MemorySegment.ofArray(values), null);
    return keys;
  }

  /** Keys of one column of longs, of rows that are anywhere. */
  public static KeyBatch keys(long[] rows, long[] values) {
    KeyBatch keys = new KeyBatch();
    keys.begin(values.length, rows);
    keys.add(ElementType.I64, MemorySegment.ofArray(values), null);
    return keys;
  }
}
