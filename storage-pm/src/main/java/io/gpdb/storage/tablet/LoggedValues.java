package io.gpdb.storage.tablet;

import io.gpdb.storage.home.Extent;

/**
 * Values of one column of a tablet in an extent of their own, which a log record names instead of
 * holding the values. They are written and flushed, and durable after the next drain.
 */
public final class LoggedValues {
  private final Chunk chunk;
  private final Extent extent;
  private final long changes;
  private final int blockBytes;
  private final int[] checksums;

  /**
   * @param changes the chunk's count of changes when these were all of its values; -1 when they are
   *     a part
   */
  LoggedValues(Chunk chunk, Extent extent, long changes, int width, int[] checksums) {
    this.chunk = chunk;
    this.extent = extent;
    this.changes = changes;
    this.blockBytes = BlockChecksums.ROWS * width;
    this.checksums = checksums;
  }

  /** The offset of the first value in the home file. */
  public long offset() {
    return extent.offset();
  }

  public long bytes() {
    return extent.bytes();
  }

  /** Bytes that one checksum is for; the last one may be for fewer. */
  public int blockBytes() {
    return blockBytes;
  }

  /** One checksum for each 1024 rows; not to be changed. */
  public int[] checksums() {
    return checksums;
  }

  public Chunk chunk() {
    return chunk;
  }

  public Extent extent() {
    return extent;
  }

  public long changes() {
    return changes;
  }
}
