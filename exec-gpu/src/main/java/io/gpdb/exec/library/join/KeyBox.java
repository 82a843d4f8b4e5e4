package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What one launch finds out about a build side's keys, which are whole numbers. Called by {@link
 * JoinBuild}.
 *
 * @param ascending whether every row takes part and has a greater key than the row before it
 */
record KeyBox(KeySpace space, boolean ascending) {
  /**
   * Null where the space would be too large for the number of rows.
   *
   * @param probes how many rows will be looked up, about
   */
  static @Nullable KeyBox of(
      KeyRankKernels kernels,
      int words,
      DeviceBuffer staged,
      DeviceBuffer slotOf,
      int rows,
      long probes) {
    int blocks = LaneKernels.blocks(rows, KeyRankKernels.BLOCK_LANES);
    long[] least = new long[words];
    long[] greatest = new long[words];
    Arrays.fill(least, Long.MAX_VALUE);
    Arrays.fill(greatest, Long.MIN_VALUE);
    long outOfOrder = 0;
    try (Scratch scratch = new Scratch()) {
      int perBlock = KeyRankKernels.extremesPerBlock(words);
      DeviceBuffer extremes = scratch.longs((long) perBlock * blocks);
      LoadedKernel kernel = kernels.extremes(words);
      Arguments arguments =
          new Arguments(kernel.kernel())
              .scalar(KeyRankKernels.ROWS, rows)
              .buffer(KeyRankKernels.SLOT_OF, slotOf)
              .buffer(KeyRankKernels.STAGED, staged)
              .buffer(KeyRankKernels.EXTREMES, extremes);
      KernelLibrary.launch(kernel, blocks, arguments);
      HostBuffer found = extremes.onHost();
      for (long first = 0; first < (long) perBlock * blocks; first += perBlock) {
        for (int w = 0; w < words; w++) {
          least[w] = Math.min(least[w], found.longAt(first + 2L * w));
          greatest[w] = Math.max(greatest[w], found.longAt(first + 2L * w + 1));
        }
        outOfOrder += found.longAt(first + 2L * words);
      }
    }
    KeySpace space = KeySpace.of(least, greatest, rows, probes);
    return space == null ? null : new KeyBox(space, outOfOrder == 0);
  }
}
