package io.gpdb.storage.home;

import static io.gpdb.storage.home.SuperblockLayout.BLOCK_BYTES;
import static io.gpdb.storage.home.SuperblockLayout.CRC_COVERS_BYTES;
import static io.gpdb.storage.home.SuperblockLayout.CRC_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.DATABASE_ID_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.FORMAT_VERSION;
import static io.gpdb.storage.home.SuperblockLayout.FORMAT_VERSION_OLDEST;
import static io.gpdb.storage.home.SuperblockLayout.GENERATION_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.MAGIC;
import static io.gpdb.storage.home.SuperblockLayout.MAGIC_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.ROOT_BYTES_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.ROOT_CRC_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.ROOT_OFFSET_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.VERSION_OFFSET;
import static io.gpdb.storage.home.SuperblockLayout.WAL_POSITION_OFFSET;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.Checksum;
import io.gpdb.storage.memory.PersistenceDomain;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The word that says which root directory of the home file is the current one. */
public record Superblock(long generation, Extent root, long walPosition, UUID databaseId) {
  private static final long COUNT_MAX = 1L << 62;
  private static final byte[] ZEROS = new byte[BLOCK_BYTES];

  /** A database that nothing outlives goes without the JDK's providers of secure numbers. */
  static UUID newDatabaseId(PersistenceDomain domain) {
    if (domain != PersistenceDomain.NONE) {
      return UUID.randomUUID();
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong());
  }

  byte[] encode() {
    byte[] block = new byte[BLOCK_BYTES];
    ByteBuffer b = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(MAGIC_OFFSET, MAGIC);
    b.putInt(VERSION_OFFSET, FORMAT_VERSION);
    b.putLong(GENERATION_OFFSET, generation);
    b.putLong(ROOT_OFFSET_OFFSET, root.offset());
    b.putLong(ROOT_BYTES_OFFSET, root.bytes());
    b.putInt(ROOT_CRC_OFFSET, root.crc());
    b.putLong(WAL_POSITION_OFFSET, walPosition);
    b.putLong(DATABASE_ID_OFFSET, databaseId.getMostSignificantBits());
    b.putLong(DATABASE_ID_OFFSET + 8, databaseId.getLeastSignificantBits());
    b.putInt(CRC_OFFSET, Checksum.of(block, 0, CRC_COVERS_BYTES));
    return block;
  }

  /** The superblock in the block, or null where there is none that is whole. */
  static @Nullable Superblock decode(byte[] block, String place) {
    ByteBuffer b = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
    if (b.getLong(MAGIC_OFFSET) != MAGIC
        || b.getInt(CRC_OFFSET) != Checksum.of(block, 0, CRC_COVERS_BYTES)) {
      return null;
    }
    int version = b.getInt(VERSION_OFFSET);
    if (version < FORMAT_VERSION_OLDEST || version > FORMAT_VERSION) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "format of another version: version=%d, supported=%d to %d, in=%s"
              .formatted(version, FORMAT_VERSION_OLDEST, FORMAT_VERSION, place));
    }
    Superblock found =
        new Superblock(
            b.getLong(GENERATION_OFFSET),
            new Extent(
                b.getLong(ROOT_OFFSET_OFFSET),
                b.getLong(ROOT_BYTES_OFFSET),
                b.getInt(ROOT_CRC_OFFSET),
                true),
            b.getLong(WAL_POSITION_OFFSET),
            new UUID(b.getLong(DATABASE_ID_OFFSET), b.getLong(DATABASE_ID_OFFSET + 8)));
    requireInRange(found, place);
    return found;
  }

  /** Each checkpoint adds to both numbers. */
  private static void requireInRange(Superblock found, String place) {
    boolean inRange =
        found.generation > 0
            && found.generation <= COUNT_MAX
            && found.walPosition >= 0
            && found.walPosition <= COUNT_MAX;
    if (!inRange) {
      throw new GpdbException(
          ErrorCode.CORRUPTION,
          "superblock is damaged: generation=%d, logPosition=%d, in=%s"
              .formatted(found.generation, found.walPosition, place));
    }
  }

  static boolean isBlank(byte[] block) {
    return isZero(block, 0);
  }

  /** Whether what follows the fields is zero, as it is written. */
  static boolean isPadded(byte[] block) {
    return isZero(block, CRC_OFFSET + Integer.BYTES);
  }

  private static boolean isZero(byte[] block, int from) {
    return Arrays.equals(block, from, block.length, ZEROS, 0, block.length - from);
  }
}
