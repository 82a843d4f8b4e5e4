package io.gpdb.txn;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.dictionary.Dictionary;
import io.gpdb.storage.memory.BumpMemory;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Codes of one dictionary as codes of another, which gets each string when its code is first met.
 * Takes 4 bytes for each code of the source.
 */
final class CodeMapping {
  private final Dictionary source;
  private final Dictionary target;
  private final HostBuffer known;
  private byte[] string = new byte[64];

  CodeMapping(Dictionary source, Dictionary target, BumpMemory memory) {
    this.source = source;
    this.target = target;
    this.known = memory.buffer(4L * Math.max(1, source.size()), 8);
    known.fill((byte) 0);
  }

  /** Maps n codes in place; those of NULL values become 0. */
  void map(HostBuffer codes, @Nullable HostBuffer validity, int n) {
    for (int i = 0; i < n; i++) {
      boolean present = validity == null || Bitmaps.test(validity, i);
      codes.setInt(i, present ? map(codes.intAt(i)) : 0);
    }
  }

  private int map(int code) {
    int seen = known.intAt(code);
    if (seen != 0) {
      return seen - 1;
    }
    int length = source.length(code);
    if (length > string.length) {
      string = new byte[Math.max(length, string.length * 2)];
    }
    source.copy(code, string, 0);
    int mapped = target.internAnyway(string, 0, length);
    known.setInt(code, mapped + 1);
    return mapped;
  }
}
