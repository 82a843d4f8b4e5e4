package io.gpdb.storage.dictionary;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.MemorySegment;

/**
 * The hash table of a dictionary: slots {@code hash << 32 | code + 1}, 0 = empty, linear probing,
 * at most half full. Its pages are blocks of the account, so that a reader that lost a race may
 * look.
 */
final class DictionarySlots {
  private static final int FIRST_CAPACITY = 64;
  private static final int SLACK = 16;
  private static final int PAGE_SHIFT = 17;
  private static final int PAGE_MASK = (1 << PAGE_SHIFT) - 1;

  private final MemoryAccount memory;
  private final MemorySegment[] pages;
  private final long mask;
  private long used;

  private DictionarySlots(MemoryAccount memory, long capacity) {
    this.memory = memory;
    mask = capacity - 1;
    pages = new MemorySegment[(int) Math.max(1, capacity >>> PAGE_SHIFT)];
    for (int i = 0; i < pages.length; i++) {
      pages[i] = memory.takeZeroed(Math.min(capacity, PAGE_MASK + 1L) * 8);
    }
  }

  static DictionarySlots sizedFor(MemoryAccount memory, int codes) {
    long capacity = FIRST_CAPACITY;
    while (capacity < codes * 2L + 2) {
      capacity *= 2;
    }
    return new DictionarySlots(memory, capacity);
  }

  long capacity() {
    return mask + 1;
  }

  long first(int hash) {
    // The multiplier spreads hashes over more than 2^32 slots as well.
    return ((hash & 0xffffffffL) * 0x9e3779b1L) & mask;
  }

  long next(long at) {
    return (at + 1) & mask;
  }

  long slot(long at) {
    return pages[(int) (at >>> PAGE_SHIFT)].get(JAVA_LONG, (at & PAGE_MASK) << 3);
  }

  /** The table with one more code: this one, or a larger one with this one's pages given back. */
  DictionarySlots with(int hash, int code) {
    DictionarySlots roomy = withRoom();
    roomy.add(hash, code);
    return roomy;
  }

  /** A table with room for one more code: this one, or a larger one with its codes. */
  DictionarySlots withRoom() {
    if ((used + 1) * 2 <= capacity()) {
      return this;
    }
    DictionarySlots larger = new DictionarySlots(memory, capacity() * 2);
    copyTo(larger);
    release();
    return larger;
  }

  /** Adds a code where there is room. */
  void add(int hash, int code) {
    put((long) hash << 32 | (code + 1));
  }

  private void put(long slot) {
    long at = first((int) (slot >>> 32));
    while (slot(at) != 0) {
      at = next(at);
    }
    set(at, slot);
    used++;
  }

  /** Takes a code out; those that it kept from their places move up. */
  void remove(int hash, int code) {
    long wanted = (long) hash << 32 | (code + 1);
    long at = first(hash);
    while (slot(at) != wanted) {
      if (slot(at) == 0) {
        return;
      }
      at = next(at);
    }
    long hole = at;
    for (at = next(at); slot(at) != 0; at = next(at)) {
      long slot = slot(at);
      long home = first((int) (slot >>> 32));
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        set(hole, slot);
        hole = at;
      }
    }
    set(hole, 0);
    used--;
  }

  /** A smaller table with these codes where most of this one is empty, else this one. */
  DictionarySlots withoutSlack() {
    if (used * SLACK > capacity() || capacity() == FIRST_CAPACITY) {
      return this;
    }
    DictionarySlots smaller = sizedFor(memory, (int) used);
    copyTo(smaller);
    release();
    return smaller;
  }

  private void copyTo(DictionarySlots target) {
    for (long at = 0; at < capacity(); at++) {
      long slot = slot(at);
      if (slot != 0) {
        target.put(slot);
      }
    }
  }

  private void set(long at, long slot) {
    pages[(int) (at >>> PAGE_SHIFT)].set(JAVA_LONG, (at & PAGE_MASK) << 3, slot);
  }

  void release() {
    for (MemorySegment page : pages) {
      memory.give(page);
    }
  }
}
