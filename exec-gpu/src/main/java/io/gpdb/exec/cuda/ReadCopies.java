package io.gpdb.exec.cuda;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The copies on the GPU of mapped memory that does not change: columns as the last checkpoint wrote
 * them. A copy is made when a launch first reads the memory. It makes room for others when it was
 * not read for long; where all were, what is not copied is read over the bus. Thread-safe.
 */
final class ReadCopies {
  /**
   * A copy gives way when nobody has asked for it during this many rounds, a round being as many
   * requests as there are copies. A table that is read from end to end again and again, and is up
   * to this many times as large as the limit, keeps the part that is there.
   */
  private static final int IDLE_ROUNDS = 8;

  private final DeviceBlocks blocks;
  private final long bytesMax;

  /** Those that have a copy, the one that was asked for longest ago first; guarded by this. */
  private final LinkedHashSet<ReadCopy> copies = new LinkedHashSet<>();

  private long bytes;
  private long requests;

  /** How often a copy was given up. */
  private volatile long drops;

  /** Fills a block of the GPU's memory before anything reads it. */
  @FunctionalInterface
  interface Fill {
    void from(ReadCopy copy, long address);
  }

  ReadCopies(DeviceBlocks blocks, long bytesMax) {
    this.blocks = blocks;
    this.bytesMax = bytesMax;
  }

  /** Where the copy is, for a launch that releases it at its end; 0 where there is no room. */
  synchronized long read(ReadCopy copy, Fill fill) {
    requests++;
    if (copy.address == 0) {
      if (copy.isGone || !makeRoom(size(copy)) || !take(copy)) {
        return 0;
      }
      fill.from(copy, copy.address);
    }
    copy.askedAt = requests;
    copies.remove(copy);
    copies.add(copy);
    copy.readers++;
    return copy.address;
  }

  private static long size(ReadCopy copy) {
    return DeviceBlocks.blockBytes(copy.source().byteSize());
  }

  private boolean makeRoom(long size) {
    while (bytes + size > bytesMax) {
      ReadCopy oldest = copies.isEmpty() ? null : copies.getFirst();
      if (oldest == null || oldest.readers > 0 || !isIdle(oldest)) {
        return false;
      }
      drop(oldest);
    }
    return true;
  }

  private boolean isIdle(ReadCopy copy) {
    return requests - copy.askedAt > (long) IDLE_ROUNDS * copies.size();
  }

  private boolean take(ReadCopy copy) {
    long size = size(copy);
    try {
      copy.address = blocks.take(size);
    } catch (GpdbException e) {
      if (e.code() == ErrorCode.OUT_OF_MEMORY) {
        return false;
      }
      throw e;
    }
    bytes += size;
    return true;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // under this object's monitor
  private void drop(ReadCopy copy) {
    copies.remove(copy);
    if (copy.address != 0) {
      drops++;
      long size = size(copy);
      blocks.give(copy.address, size);
      bytes -= size;
      copy.address = 0;
    }
  }

  /** The launch that was given the copy has ended, or is in the queue. */
  synchronized void release(ReadCopy copy) {
    copy.readers--;
    if (copy.isGone && copy.readers == 0) {
      drop(copy);
    }
  }

  /** Grows when a copy is given up: what was read of the others until then was theirs. */
  long drops() {
    return drops;
  }

  /**
   * As many {@link #read}s of copies as there are in the list, by a launch that has kept where they
   * are; they are made the latest again where a round has passed since.
   *
   * @return when they were asked for last, to be given next time
   */
  synchronized long read(List<ReadCopy> kept, long askedAt) {
    if (requests - askedAt <= copies.size()) {
      return askedAt;
    }
    requests += kept.size();
    for (ReadCopy copy : kept) {
      copy.askedAt = requests;
      if (copies.remove(copy)) {
        copies.add(copy);
      }
    }
    return requests;
  }

  /** The memory is not mapped any more. */
  synchronized void end(ReadCopy copy) {
    copy.isGone = true;
    if (copy.readers == 0) {
      drop(copy);
    }
  }

  /** Gives the memory of all copies that nobody reads; whether there were any. */
  synchronized boolean dropAll() {
    boolean any = false;
    for (ReadCopy copy : copies.toArray(ReadCopy[]::new)) {
      if (copy.readers == 0) {
        drop(copy);
        any = true;
      }
    }
    return any;
  }

  synchronized long bytes() {
    return bytes;
  }
}
