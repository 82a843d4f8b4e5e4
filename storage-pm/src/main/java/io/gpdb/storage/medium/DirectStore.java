package io.gpdb.storage.medium;

import io.gpdb.storage.memory.MemoryPieces;
import io.gpdb.storage.memory.SharedStore;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A store whose whole blocks go to the disk past the system's cache of the file. Several threads
 * write side by side so, which through the cache take turns, and nothing is left for the sync to
 * write.
 *
 * <p>The system drops what it has cached of these blocks before and after such a write. A block
 * that is changed in the cache meanwhile would be written over it later. So nobody else stores to
 * the file until the end (P2), nor through a mapping of it (P3), and the first and the last block,
 * of which others have bytes (P1), are stored through the cache when all parts are on the disk: the
 * cache may hold and write back a range around what is stored.
 */
final class DirectStore implements SharedStore {
  /** What a thread writes at once. */
  static final int PART_BYTES = DirectChannel.BUFFER_BYTES;

  private static final int BLOCK_BYTES = DirectChannel.BLOCK_BYTES;

  private final FileMemory file;
  private final DirectChannel channel;
  private final List<MemorySegment> pieces;

  /** Where in the file each piece begins, and the last one ends. */
  private final long[] starts;

  /** The whole blocks. */
  private final long from;

  private final long to;

  /** What of the parts was not taken. */
  private final List<Left> left = new ArrayList<>();

  private record Left(long from, long to) {}

  DirectStore(FileMemory file, DirectChannel channel, long offset, List<MemorySegment> pieces) {
    this.file = file;
    this.channel = channel;
    this.pieces = pieces;
    this.starts = new long[pieces.size() + 1];
    starts[0] = offset;
    for (int i = 0; i < pieces.size(); i++) {
      starts[i + 1] = starts[i] + pieces.get(i).byteSize();
    }
    long end = starts[pieces.size()];
    from = Math.min(MemoryPieces.roundUp(offset, BLOCK_BYTES), end);
    to = Math.max(from, end / BLOCK_BYTES * BLOCK_BYTES);
  }

  @Override
  public int parts() {
    return (int) ((to - from + PART_BYTES - 1) / PART_BYTES);
  }

  @Override
  public void store(int part) {
    long at = from + (long) part * PART_BYTES;
    long end = Math.min(to, at + PART_BYTES);
    assert (at | end) % BLOCK_BYTES == 0 : "P1: a part that is not of whole blocks";
    MemorySegment buffer = channel.takeBuffer();
    try {
      copy(at, end, buffer);
      long taken = file.writeDirect(channel, at, buffer.asSlice(0, end - at));
      if (taken < end - at) {
        noteLeft(at + taken, end);
      }
    } finally {
      channel.giveBuffer(buffer);
    }
  }

  private synchronized void noteLeft(long leftFrom, long leftTo) {
    left.add(new Left(leftFrom, leftTo));
  }

  private void copy(long at, long end, MemorySegment target) {
    long next = at;
    for (MemorySegment slice : slices(at, end)) {
      MemorySegment.copy(slice, 0, target, next - at, slice.byteSize());
      next += slice.byteSize();
    }
  }

  /** What goes to a range of the file. */
  private List<MemorySegment> slices(long at, long end) {
    List<MemorySegment> slices = new ArrayList<>();
    for (int i = pieceAt(at); i < pieces.size() && starts[i] < end; i++) {
      long sliceFrom = Math.max(at, starts[i]);
      long sliceTo = Math.min(end, starts[i + 1]);
      if (sliceTo > sliceFrom) {
        slices.add(pieces.get(i).asSlice(sliceFrom - starts[i], sliceTo - sliceFrom));
      }
    }
    return slices;
  }

  /** The last piece that begins there or before. */
  private int pieceAt(long at) {
    int low = 0;
    int high = pieces.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (starts[middle] <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  @Override
  public void end() {
    for (Left range : left) {
      file.store(range.from, slices(range.from, range.to));
    }
    file.store(starts[0], slices(starts[0], from));
    file.store(to, slices(to, starts[pieces.size()]));
    long stored = to - from;
    for (Left range : left) {
      stored -= range.to - range.from;
    }
    file.counters().stored(stored);
  }
}
