package io.gpdb.simulation.medium;

import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The pages of a memory that are pending, by their numbers: looked up for each page viewed. */
final class PendingPages {
  private final BitSet numbers = new BitSet();
  private @Nullable PendingPage[] pages = new @Nullable PendingPage[0];

  /** Called with a page and its number. */
  interface PageVisitor {
    void page(int number, PendingPage page);
  }

  @Nullable PendingPage get(int number) {
    return number < pages.length ? pages[number] : null;
  }

  void put(int number, PendingPage page) {
    if (number >= pages.length) {
      pages = Arrays.copyOf(pages, Math.max(number + 1, pages.length * 2));
    }
    pages[number] = page;
    numbers.set(number);
  }

  void remove(int number) {
    pages[number] = null;
    numbers.clear(number);
  }

  /** In the order of their numbers. */
  void forEach(int first, int end, PageVisitor visitor) {
    for (int number = numbers.nextSetBit(first);
        number >= 0 && number < end;
        number = numbers.nextSetBit(number + 1)) {
      PendingPage page = pages[number];
      if (page != null) {
        visitor.page(number, page);
      }
    }
  }
}
