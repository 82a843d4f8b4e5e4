package io.gpdb.exec.library.join;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.move.GridPrefixSum;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The pairs of {@link JoinMatches} whose rows may make several, in pieces, ordered by probe row,
 * then build row. Valid until the matches are closed.
 */
public final class JoinPairs {
  private final PairKernels kernels;
  private final RowsOfKeys rowsOfKeys;
  private final int rows;
  private final DeviceBuffer numbers;
  private final DeviceBuffer counts;
  private final DeviceBuffer offsets;
  private final HostBuffer starts;
  private final long total;
  private int next;

  /** How many pairs of the next row have come already. */
  private int begun;

  /**
   * Some pairs.
   *
   * @param count how many
   * @param probeRows i32 per pair: the place of its probe row among those that make a pair
   * @param buildRows i32 per pair; -1 where a left join found none
   */
  public record Piece(int count, DeviceBuffer probeRows, DeviceBuffer buildRows) {}

  /**
   * The build rows of each key, sorted by its number.
   *
   * @param starts i64 per number, and one more
   * @param order i32: those of number k are starts[k] to starts[k+1] - 1
   */
  record RowsOfKeys(DeviceBuffer starts, DeviceBuffer order) {}

  /**
   * @param numbers i32 per row: its key's number, -1 for none, which makes one pair
   * @param scratch holds the counts
   */
  JoinPairs(
      PairKernels kernels,
      GridPrefixSum prefix,
      RowsOfKeys rowsOfKeys,
      int rows,
      DeviceBuffer numbers,
      Scratch scratch) {
    this.kernels = kernels;
    this.rowsOfKeys = rowsOfKeys;
    this.rows = rows;
    this.numbers = numbers;
    counts = scratch.ints(rows);
    offsets = scratch.longs(rows);
    if (rows > 0) {
      LoadedKernel kernel = kernels.count();
      Arguments arguments =
          new Arguments(kernel.kernel())
              .scalar(PairKernels.ROWS, rows)
              .buffer(PairKernels.NUMBERS, numbers)
              .buffer(PairKernels.STARTS, rowsOfKeys.starts)
              .buffer(PairKernels.COUNTS, counts);
      KernelLibrary.launch(kernel, blocks(rows), arguments);
    }
    total = prefix.exclusive(counts, rows, offsets);
    starts = rows == 0 ? HostBuffer.NONE : offsets.onHost();
  }

  /** How many pairs all rows make. */
  public long total() {
    return total;
  }

  /**
   * The next pairs, at most that many: those of whole rows, or some of a row that makes more; null
   * at the end.
   */
  public @Nullable Piece next(int pairsMax, BufferAllocator results) {
    if (next == rows) {
      return null;
    }
    int from = next;
    long first = start(from);
    long left = start(from + 1) - first - begun;
    if (begun > 0 || left > pairsMax) {
      int count = (int) Math.min(pairsMax, left);
      DeviceBuffer some = results.allocate(Integer.BYTES);
      some.edit(bytes -> bytes.setInt(0, count));
      DeviceBuffer order = rowsOfKeys.order.slice((long) begun << 2);
      Piece piece = written(from, 1, count, some, order, results);
      begun += count;
      if (count == left) {
        begun = 0;
        next++;
      }
      return piece;
    }
    int to = end(from, pairsMax);
    int count = (int) (start(to) - first);
    next = to;
    int n = to - from;
    DeviceBuffer some = counts.slice((long) from << 2, (long) n << 2);
    return written(from, n, count, some, rowsOfKeys.order, results);
  }

  /**
   * @param n rows
   * @param count of all their pairs
   * @param some how many pairs of each row
   * @param order from that of the first pair of a key on
   */
  private Piece written(
      int from, int n, int count, DeviceBuffer some, DeviceBuffer order, BufferAllocator results) {
    DeviceBuffer probeRows = results.allocate((long) count << 2);
    DeviceBuffer buildRows = results.allocate((long) count << 2);
    LoadedKernel kernel = kernels.write();
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(PairKernels.ROWS, n)
            .scalar(PairKernels.FIRST_ROW, from)
            .scalar(PairKernels.FIRST_PAIR, start(from))
            .buffer(PairKernels.NUMBERS, numbers.slice((long) from << 2, (long) n << 2))
            .buffer(PairKernels.COUNTS_READ, some)
            .buffer(PairKernels.OFFSETS, offsets.slice((long) from << 3, (long) n << 3))
            .buffer(PairKernels.STARTS, rowsOfKeys.starts)
            .buffer(PairKernels.ORDER, order)
            .buffer(PairKernels.PROBE_ROWS, probeRows)
            .buffer(PairKernels.BUILD_ROWS, buildRows);
    KernelLibrary.launch(kernel, blocks(n), arguments);
    return new Piece(count, probeRows, buildRows);
  }

  private long start(int row) {
    return row == rows ? total : starts.longAt(row);
  }

  /** The greatest end of a piece that makes at most that many pairs. */
  private int end(int from, int pairsMax) {
    long most = start(from) + pairsMax;
    int low = from + 1;
    int high = rows;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (start(middle) <= most) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  private static int blocks(int n) {
    return LaneKernels.blocks(n, PairKernels.BLOCK_LANES);
  }
}
