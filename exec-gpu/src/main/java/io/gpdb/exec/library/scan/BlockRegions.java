package io.gpdb.exec.library.scan;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A region for each block of some tablets, for the rows of the block that pass, and the number of
 * these rows: in the part of the device's memory that has the tablets.
 */
final class BlockRegions {
  private final int blockRows;
  private final int part;
  private final List<Arguments> arguments = new ArrayList<>();
  private final List<Integer> blocksOf = new ArrayList<>();
  private int blocks;
  private int placed;
  private DeviceBuffer counts = HostBuffer.NONE;

  // Arrays: there are tens of thousands of blocks, and loops over buffers look at each index.
  private int[] countsOnHost = {};
  private long[] offsets = {};

  BlockRegions(int blockRows, int part) {
    this.blockRows = blockRows;
    this.part = part;
  }

  void add(Arguments tablet, int rows) {
    int own = LaneKernels.blocks(rows, blockRows);
    arguments.add(tablet);
    blocksOf.add(own);
    blocks += own;
  }

  int blocks() {
    return blocks;
  }

  /** Takes and binds an element for each block. */
  void bindCounts(int buffer, Scratch scratch) {
    counts = bind(buffer, Integer.BYTES, scratch);
  }

  /** Takes and binds an element for each row; nothing where the kernel has no such buffer. */
  DeviceBuffer bindRows(int buffer, int width, Scratch scratch) {
    return buffer < 0 ? HostBuffer.NONE : bind(buffer, (long) blockRows * width, scratch);
  }

  private DeviceBuffer bind(int buffer, long bytesOfBlock, Scratch scratch) {
    DeviceBuffer all = scratch.allocate(blocks * bytesOfBlock, part);
    long at = 0;
    for (int i = 0; i < arguments.size(); i++) {
      long bytes = blocksOf.get(i) * bytesOfBlock;
      arguments.get(i).buffer(buffer, all.slice(at, bytes));
      at += bytes;
    }
    return all;
  }

  /** Reads the counts, after the launch. */
  void count() {
    countsOnHost = new int[blocks];
    counts.onHost().read(0, countsOnHost, 0, blocks);
    offsets = new long[blocks];
  }

  /**
   * Says where the rows of the next tablet's blocks are to be.
   *
   * @param at where those of its first block are
   * @return how many the tablet has
   */
  int place(int tablet, long at) {
    int count = 0;
    int end = placed + blocksOf.get(tablet);
    for (int block = placed; block < end; block++) {
      offsets[block] = at + count;
      count += countsOnHost[block];
    }
    placed = end;
    return count;
  }

  DeviceBuffer counts() {
    return counts;
  }

  /** Where the rows of each block are to be, once all tablets are placed. */
  HostBuffer offsets(Scratch scratch) {
    HostBuffer pinned = scratch.pin((long) blocks << 3);
    pinned.write(0, offsets, 0, blocks);
    return pinned;
  }
}
