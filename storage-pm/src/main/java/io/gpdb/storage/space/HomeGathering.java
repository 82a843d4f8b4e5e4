package io.gpdb.storage.space;

import io.gpdb.storage.home.Extent;
import io.gpdb.storage.home.ExtentAllocator;
import io.gpdb.storage.home.HomeImage;
import io.gpdb.storage.home.SuperblockLayout;
import io.gpdb.storage.table.TableStore;
import io.gpdb.storage.tablet.Chunk;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Has the next checkpoint write what is far behind in the home file anew, to the free space before
 * it, so that the end of the file becomes free. For an orderly close: nobody uses the tables.
 */
final class HomeGathering {
  /** Free space that is never worth it. */
  private static final long LITTLE_BYTES = 1 << 20;

  /** What is moved goes through memory. */
  private static final long MOST_BYTES = 256 << 20;

  private final HomeImage home;
  private final List<Chunk> chunks = new ArrayList<>();
  private final long usedBytes;

  HomeGathering(HomeImage home, Collection<TableStore> tables) {
    this.home = home;
    tables.forEach(table -> table.forEachChunk(chunks::add));
    usedBytes = chunks.stream().mapToLong(HomeGathering::occupiedBytes).sum();
  }

  private static long occupiedBytes(Chunk chunk) {
    Extent extent = chunk.home();
    return extent == null ? 0 : ExtentAllocator.occupiedBytes(extent.bytes());
  }

  /** Whether more than a fifth of the file is free, or will be when no root needs it any more. */
  boolean isDue() {
    return usedBytes <= MOST_BYTES && home.memory().sizeBytes() > limit() + LITTLE_BYTES;
  }

  /** Where what is used would end with a quarter as much again between it. */
  private long limit() {
    return SuperblockLayout.EXTENTS_OFFSET + usedBytes / 4 * 5;
  }

  void run() {
    for (Chunk chunk : chunks) {
      Extent extent = chunk.home();
      if (extent != null && extent.offset() + occupiedBytes(chunk) > limit()) {
        chunk.writeAnew();
      }
    }
  }
}
