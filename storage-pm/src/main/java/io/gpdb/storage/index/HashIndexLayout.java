package io.gpdb.storage.index;

/**
 * Bits and sizes of a hash index.
 *
 * <pre>
 *   hash:  63                    40 39                       8 7           0
 *          | prefix (24)           | not used                  | group (8)  |
 *   slot:  63                    40 39   37 36                             0
 *          | prefix (24)           | steps  | row + 1 (37); 0 with steps 0 and prefix 0 = empty
 * </pre>
 *
 * A bucket is 256 groups of 8 slots (one 64-byte line each). An entry is stored in the group that
 * its hash names, or up to seven groups after it (from the last group on in the first one); {@code
 * steps} says how many after. A page is 1 to 64 buckets; the first {@code depth} bits of the prefix
 * choose the page, the next ones the bucket. A slot has the whole prefix and names the group, so
 * that a page is split in two without reading the keys.
 */
public final class HashIndexLayout {
  public static final int SLOT_BYTES = 8;
  public static final int GROUP_SLOTS = 8;
  static final int GROUP_BYTES = GROUP_SLOTS * SLOT_BYTES;
  static final int GROUP_BITS = 8;
  public static final int BUCKET_GROUPS = 1 << GROUP_BITS;
  static final int BUCKET_BYTES = BUCKET_GROUPS * GROUP_BYTES;
  static final int BUCKET_SLOTS = BUCKET_GROUPS * GROUP_SLOTS;
  public static final int PAGE_BUCKET_BITS_MAX = 6;
  static final int PAGE_BYTES_MAX = BUCKET_BYTES << PAGE_BUCKET_BITS_MAX;

  public static final int PREFIX_BITS = 24;
  static final int PREFIX_SHIFT = 40;
  public static final int STEP_BITS = 3;
  static final int STEPS = 1 << STEP_BITS;
  static final int STEP_SHIFT = 37;
  public static final int ROW_BITS = 37;
  static final long ROW_MASK = (1L << ROW_BITS) - 1;
  public static final long ROWS_MAX = ROW_MASK - 1;

  /** What is beyond is kept in pages. */
  public static final int RUNS_MAX = 4096;

  /** A page is split when this many eighths of its slots have an entry. */
  static final int FULL_EIGHTHS = 6;

  /** A slot whose entry was removed: taken, matching nothing. */
  static final long TOMBSTONE = 1L << STEP_SHIFT;

  private HashIndexLayout() {}

  static int prefix(long hash) {
    return (int) (hash >>> PREFIX_SHIFT);
  }

  static int group(long hash) {
    return (int) hash & (BUCKET_GROUPS - 1);
  }

  /** What is known of an entry's hash from its slot: prefix and group. */
  static int known(long hash) {
    return prefix(hash) << GROUP_BITS | group(hash);
  }

  /** The upper 27 bits of a slot: prefix and steps. */
  static long tag(int prefix, int step) {
    return (long) prefix << STEP_BITS | step;
  }
}
