package io.gpdb.exec.library.sort;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One launch of {@link TopCandidates} over tablets, a group for each, and what its blocks have left
 * in their regions; a launch for each variant of the kernel. Used by one thread.
 */
final class TopRegions {
  private final TopCandidates kernels;
  private final boolean sample;
  private final int words;
  private final List<Tablet> tablets = new ArrayList<>();
  private HostBuffer counts = HostBuffer.NONE;
  private HostBuffer rows = HostBuffer.NONE;
  private final List<HostBuffer> ofWords = new ArrayList<>();

  /** A tablet with the blocks that are its own. */
  private record Tablet(Ready<ByName> ready, Arguments arguments, int firstBlock, int blocks) {
    DeviceBuffer own(DeviceBuffer all, long bytesOfBlock) {
      return all.slice(firstBlock * bytesOfBlock, blocks * bytesOfBlock);
    }
  }

  /** Takes a candidate: its row in the tablet, and its place in {@link #word}. */
  interface Candidate {
    void take(int row, long place);
  }

  TopRegions(TopCandidates kernels, boolean sample, int words) {
    this.kernels = kernels;
    this.sample = sample;
    this.words = words;
  }

  private int blocks() {
    return tablets.isEmpty() ? 0 : tablets.getLast().firstBlock + tablets.getLast().blocks;
  }

  /** Adds a tablet; what is bound must stay valid until {@link #launch} returns. */
  void add(LaneBindings bindings, int tabletRows, @Nullable DeviceBuffer live) {
    add(bindings, tabletRows, live, tabletRows, 1);
  }

  /**
   * Adds every {@code stride}-th row of a tablet.
   *
   * @param lanes how many rows
   */
  void add(
      LaneBindings bindings, int tabletRows, @Nullable DeviceBuffer live, int lanes, int stride) {
    Ready<ByName> ready = kernels.ready(sample, bindings, live != null);
    Arguments arguments =
        LaneScan.bind(ready, bindings, Math.min(tabletRows, lanes * stride), live);
    if (sample) {
      arguments.scalar(TopCandidates.STRIDE, stride);
    }
    int own = LaneKernels.blocks(lanes, TopCandidates.BLOCK_LANES);
    tablets.add(new Tablet(ready, arguments, blocks(), own));
  }

  /** Finds the rows that are within the thresholds. */
  void launch(long[] thresholds, Scratch scratch) {
    int blocks = blocks();
    int region = TopCandidates.regionRows(sample);
    counts = scratch.pin((long) blocks * Integer.BYTES);
    rows = scratch.pin((long) blocks * region * Integer.BYTES);
    for (int w = 0; w < words; w++) {
      ofWords.add(scratch.pin((long) blocks * region * Long.BYTES));
    }
    Map<Ready<ByName>, List<LaunchGroup>> launches = new LinkedHashMap<>();
    for (Tablet tablet : tablets) {
      for (int i = 0; i < thresholds.length; i++) {
        tablet.arguments.scalar(TopCandidates.threshold(i), thresholds[i]);
      }
      tablet
          .arguments
          .buffer(TopCandidates.COUNTS, tablet.own(counts, Integer.BYTES))
          .buffer(TopCandidates.ROWS, tablet.own(rows, (long) region * Integer.BYTES));
      for (int w = 0; w < words; w++) {
        tablet.arguments.buffer(
            TopCandidates.word(w), tablet.own(ofWords.get(w), (long) region * Long.BYTES));
      }
      if (tablet.blocks > 0) {
        launches
            .computeIfAbsent(tablet.ready, _ -> new ArrayList<>())
            .add(new LaunchGroup(tablet.blocks, tablet.arguments));
      }
    }
    launches.forEach((ready, groups) -> KernelLibrary.launch(ready.kernel(), groups));
  }

  /** How many rows of a tablet pass; -1 where regions do not hold them. */
  int passed(int tablet) {
    Tablet of = tablets.get(tablet);
    int sum = 0;
    for (int block = of.firstBlock; block < of.firstBlock + of.blocks; block++) {
      int count = counts.intAt(block);
      if (count > TopCandidates.regionRows(sample)) {
        return -1;
      }
      sum += count;
    }
    return sum;
  }

  /** The rows of a tablet that pass, in their order. */
  void forEach(int tablet, Candidate candidate) {
    Tablet of = tablets.get(tablet);
    for (int block = of.firstBlock; block < of.firstBlock + of.blocks; block++) {
      long first = (long) block * TopCandidates.regionRows(sample);
      int count = counts.intAt(block);
      for (long at = first; at < first + count; at++) {
        candidate.take(rows.intAt(at), at);
      }
    }
  }

  long word(int word, long place) {
    return ofWords.get(word).longAt(place);
  }
}
