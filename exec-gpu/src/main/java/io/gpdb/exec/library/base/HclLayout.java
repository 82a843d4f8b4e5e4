package io.gpdb.exec.library.base;

import io.gpdb.exec.ir.Kernel.Element;

/**
 * Where the words of a hierarchical coalesced log are, and what an entry holds (GPM, Pandey et al.
 * 2022, section 5.2). Entries of K 4-byte words; 32 entries form a group, striped by word so that a
 * warp's append is K whole 128-byte lines:
 *
 * <pre>
 *   word of group   0        32       64            K*32
 *                   | w0 e0..e31 | w1 e0..e31 | ... |      next group
 * </pre>
 *
 * <p>Entry of an update: word 0 = row in the tablet, bit 31 set when the value is NULL; word 1 =
 * the value's low 32 bits (narrower values sign-extended); word 2 = its high 32 bits, for 8-byte
 * columns only. Entry of a delete: word 0 = row in the tablet.
 */
public final class HclLayout {
  /** Entries of a group: the lanes of a warp. */
  public static final int GROUP_ENTRIES = 32;

  /** Bytes of a word. */
  public static final int WORD_BYTES = 4;

  /** Words of a delete's entry. */
  public static final int DELETE_ENTRY_WORDS = 1;

  /** In word 0 of an update's entry: the value is NULL. */
  public static final int NULL_FLAG = 1 << 31;

  private HclLayout() {}

  /** Words of an update's entry. */
  public static int updateEntryWords(Element element) {
    return element.bytes() == Long.BYTES ? 3 : 2;
  }

  /** Words of a region for {@code entries} entries of {@code entryWords} words: whole groups. */
  public static long regionWords(long entries, int entryWords) {
    return (entries + GROUP_ENTRIES - 1) / GROUP_ENTRIES * GROUP_ENTRIES * entryWords;
  }

  public static long regionBytes(long entries, int entryWords) {
    return regionWords(entries, entryWords) * WORD_BYTES;
  }

  /** The index of word {@code word} of entry {@code entry} in a region that starts at base. */
  public static long wordIndex(long base, long entry, int word, int entryWords) {
    return base
        + entry / GROUP_ENTRIES * entryWords * GROUP_ENTRIES
        + (long) word * GROUP_ENTRIES
        + entry % GROUP_ENTRIES;
  }
}
