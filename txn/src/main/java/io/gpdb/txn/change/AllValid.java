package io.gpdb.txn.change;

import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.tablet.Tablet;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Validity bitmaps of a whole tablet that say "all valid", for kernels that need one where a column
 * has none. They stay as they are: whatever is written to one is ones.
 */
final class AllValid {
  private static final MemorySegment READABLE = ones().asReadOnly();
  private static final List<MemorySegment> WRITABLE = new ArrayList<>();

  private AllValid() {}

  private static MemorySegment ones() {
    return Arena.global().allocate(Bitmaps.bytes(Tablet.ROWS), 64).fill((byte) -1);
  }

  static MemorySegment readable() {
    return READABLE;
  }

  /** One for each number: buffers of a launch do not overlap. */
  static synchronized MemorySegment writable(int number) {
    while (WRITABLE.size() <= number) {
      WRITABLE.add(ones());
    }
    return WRITABLE.get(number);
  }
}
