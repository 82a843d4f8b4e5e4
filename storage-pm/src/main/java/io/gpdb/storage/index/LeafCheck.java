package io.gpdb.storage.index;

import static io.gpdb.storage.index.OrderedIndexLayout.HEADER_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.LENGTH_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.ROW_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.SLOT_BYTES;
import static io.gpdb.storage.index.OrderedIndexLayout.TAIL_BYTES;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks what is wrong with the leaves of an ordered index: entries out of place or order. */
final class LeafCheck {
  private final String place;
  private final List<String> problems;
  private byte @Nullable [] last;

  LeafCheck(String place, List<String> problems) {
    this.place = place;
    this.problems = problems;
  }

  /** Looks at all leaves, as far as the first problem. */
  void check(OrderedLeaf[] leaves, long entryCount) {
    int before = problems.size();
    long found = 0;
    for (OrderedLeaf leaf : leaves) {
      MemorySegment bytes = leaf.bytes();
      check(bytes);
      if (problems.size() > before) {
        return;
      }
      found += OrderedLeaf.count(bytes);
    }
    if (found != entryCount) {
      problems.add("%s: says entries=%d, holds %d".formatted(place, entryCount, found));
    }
  }

  private void check(MemorySegment bytes) {
    int count = OrderedLeaf.count(bytes);
    long room = bytes.byteSize() - TAIL_BYTES;
    if (count < 0 || HEADER_BYTES + (long) count * SLOT_BYTES > room) {
      problems.add("%s: leaf says entries=%d".formatted(place, count));
      return;
    }
    for (int i = 0; i < count; i++) {
      int offset = OrderedLeaf.offset(bytes, i);
      if (offset < OrderedLeaf.heap(bytes)
          || offset < HEADER_BYTES + (long) count * SLOT_BYTES
          || offset + (long) LENGTH_BYTES + ROW_BYTES > room
          || offset + (long) LENGTH_BYTES + ROW_BYTES + OrderedLeaf.keyLengthOf(bytes, i) > room) {
        problems.add("%s: leaf has an entry out of place: offset=%d".formatted(place, offset));
        return;
      }
      byte[] entry = OrderedLeaf.entry(bytes, i);
      byte[] before = last;
      last = entry;
      if (before != null && compare(before, entry) >= 0) {
        problems.add("%s: leaf has an entry out of order: entry=%d".formatted(place, i));
        return;
      }
    }
  }

  /** Eight bytes behind each are none of it. */
  private static int compare(byte[] a, byte[] b) {
    return KeyBytes.compare(a, 0, a.length - Long.BYTES, b, 0, b.length - Long.BYTES);
  }
}
