package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.ir.Kernel.BufferParam;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.move.RankedBits;
import io.gpdb.storage.memory.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Numbers keys that are whole numbers close together by their rank: a bit for each place of their
 * {@link KeySpace}, as {@link RankedBits}.
 *
 * <p>Called by {@link JoinBuild}. The bits are what Schuh et al. ("An experimental comparison of
 * thirteen relational equi-joins", SIGMOD 2016) index an array by; the ranks keep it dense.
 *
 * @param space the places of keys
 * @param words one at least
 * @param keys how many different keys there are
 */
record KeyRanks(KeySpace space, DeviceBuffer words, int keys) {
  /** In {@code slotOf}: the row takes no part. */
  static final int NO_PART = -1;

  /** The ranks of staged keys; their memory is the scratch's. */
  static KeyRanks of(
      KeyRankKernels kernels,
      RankedBits bits,
      KeySpace space,
      DeviceBuffer staged,
      DeviceBuffer slotOf,
      int rows,
      Scratch scratch) {
    int count = (int) Math.max(1, RankedBits.words(space.size()));
    DeviceBuffer words = scratch.longs(count);
    words.fill((byte) 0);
    KeyRanks unranked = new KeyRanks(space, words, 0);
    unranked.launch(kernels.mark(space.least().size()), staged, slotOf, rows, null, null);
    return new KeyRanks(space, words, bits.rank(words, count));
  }

  /** Writes each row's number (i32) where it takes part. */
  void numbers(
      KeyRankKernels kernels,
      DeviceBuffer staged,
      DeviceBuffer slotOf,
      int rows,
      DeviceBuffer groupOf) {
    launch(
        kernels.group(space.least().size()),
        staged,
        slotOf,
        rows,
        KeyRankKernels.GROUP_OF,
        groupOf);
  }

  /** Writes each number's row (i32), for keys that have one row each. */
  void rows(
      KeyRankKernels kernels,
      DeviceBuffer staged,
      DeviceBuffer slotOf,
      int rows,
      DeviceBuffer order) {
    launch(kernels.order(space.least().size()), staged, slotOf, rows, KeyRankKernels.ORDER, order);
  }

  private void launch(
      LoadedKernel kernel,
      DeviceBuffer staged,
      DeviceBuffer slotOf,
      int rows,
      @Nullable BufferParam target,
      @Nullable DeviceBuffer bound) {
    Arguments arguments =
        space
            .bind(new Arguments(kernel.kernel()).scalar(KeyRankKernels.ROWS, rows))
            .buffer(KeyRankKernels.SLOT_OF, slotOf)
            .buffer(KeyRankKernels.STAGED, staged)
            .buffer(KeyRankKernels.RANKS, words);
    if (target != null && bound != null) {
      arguments.buffer(target, bound);
    }
    KernelLibrary.launch(kernel, blocks(rows), arguments);
  }

  private static int blocks(int n) {
    return LaneKernels.blocks(n, KeyRankKernels.BLOCK_LANES);
  }
}
