package io.gpdb.storage.index;

/**
 * Offsets and sizes of a leaf of an ordered index, little-endian but for entries.
 *
 * <pre>
 *   leaf:   | count i32 | heap i32 | 8 bytes 0 | slot i32 × count … free … entries | 8 bytes 0 |
 *   entry:  | key length u16 | key | row, 5 bytes, most significant first |
 * </pre>
 *
 * A slot is the offset of an entry; slots are in the order of their entries. {@code heap} is the
 * offset of the entry that was stored last: entries are stored downwards from the end. The bytes of
 * an entry behind its length are in the order of keys as they are, compared without a sign.
 */
public final class OrderedIndexLayout {
  static final int COUNT_OFFSET = 0;
  static final int HEAP_OFFSET = 4;
  public static final int HEADER_BYTES = 16;
  public static final int SLOT_BYTES = 4;
  public static final int LENGTH_BYTES = 2;
  public static final int ROW_BYTES = 5;

  /** Above all rows. */
  static final long ROW_MAX = (1L << (ROW_BYTES * 8)) - 1;

  /** Behind the entries, so that eight bytes can be read at each byte of an entry. */
  public static final int TAIL_BYTES = 8;

  public static final int LEAF_BYTES_MIN = 4 << 10;
  public static final int LEAF_BYTES_MAX = 64 << 10;

  /** Of a longer key the bytes up to here are in its entry. */
  public static final int KEY_BYTES_MAX = 512;

  /** Bytes of an entry without its key. */
  static final int ENTRY_BYTES = SLOT_BYTES + LENGTH_BYTES + ROW_BYTES;

  private OrderedIndexLayout() {}
}
