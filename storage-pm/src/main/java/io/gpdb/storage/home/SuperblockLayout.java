package io.gpdb.storage.home;

/**
 * Offsets of a superblock. Two of them, A at 0 and B at 4096, begin the home file; the valid one
 * with the greater generation is current. All integers are little-endian.
 *
 * <pre>
 *    0        8    12   16         24          32         40     44     48           56      72     76
 *    | magic  | ver| pad| generat. | rootOffs. | rootBytes| crc  | pad  | walPosition | dbId  | crc  |
 * </pre>
 */
public final class SuperblockLayout {
  /** "gpDBhome" in ASCII. */
  static final long MAGIC = 0x656d_6f68_4244_7067L;

  static final int FORMAT_VERSION = 2;

  /** Older ones are not read. */
  static final int FORMAT_VERSION_OLDEST = 1;

  static final int MAGIC_OFFSET = 0;
  static final int VERSION_OFFSET = 8;
  static final int GENERATION_OFFSET = 16;
  static final int ROOT_OFFSET_OFFSET = 24;
  static final int ROOT_BYTES_OFFSET = 32;
  static final int ROOT_CRC_OFFSET = 40;
  static final int WAL_POSITION_OFFSET = 48;
  static final int DATABASE_ID_OFFSET = 56;
  static final int CRC_OFFSET = 72;

  /** What {@link #CRC_OFFSET} covers: all before it. */
  static final int CRC_COVERS_BYTES = CRC_OFFSET;

  static final int BLOCK_BYTES = 4096;
  static final int COUNT = 2;

  /** Where extents may begin. */
  public static final long EXTENTS_OFFSET = (long) BLOCK_BYTES * COUNT;

  private SuperblockLayout() {}
}
