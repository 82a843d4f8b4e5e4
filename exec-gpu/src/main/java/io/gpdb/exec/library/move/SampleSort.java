package io.gpdb.exec.library.move;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The order of rows by their words, found by the host's threads. Called by {@code GridSort} and
 * {@link GridRadixSort} where the host reads the device's memory: a radix sort by kernels takes
 * some five launches for each digit.
 *
 * <p>Words are packed with the row's number ({@link PackedWords}), so no two are equal. Values of a
 * sample divide them into buckets of about as many rows each, whatever the keys are like (Frazer
 * and McKellar, "Samplesort", JACM 1970): threads share pieces of the rows, which they put in the
 * order of buckets, then the buckets, which they sort. Rows whose packed words are equal as far as
 * these go are sorted again by the rest. The order depends on the words alone.
 */
public final class SampleSort {
  /** Rows of a piece, at least. */
  static final int PIECE_ROWS_MIN = 1 << 14;

  private static final int PIECES_MAX = 512;

  /** Rows of a bucket, about. */
  static final int BUCKET_ROWS = 1 << 14;

  private static final int BUCKETS_MAX = 1024;

  /** Of each bucket, as many values are in the sample. */
  private static final int SAMPLE_PER_BUCKET = 16;

  /** More equal rows than these are sorted by all threads. */
  static final int TIES_ALONE_MAX = 1 << 16;

  private final Device device;
  private final List<HostBuffer> words;
  private final int rows;
  private final int pieceRows;
  private final int pieces;

  private SampleSort(Device device, List<HostBuffer> words, int rows) {
    this.device = device;
    this.words = words;
    this.rows = rows;
    pieceRows = Math.max(PIECE_ROWS_MIN, Math.ceilDiv(rows, PIECES_MAX));
    pieces = Math.ceilDiv(rows, pieceRows);
  }

  /**
   * Writes the order of rows, 1 or more: their i32 numbers; equal rows stay in row order.
   *
   * @param words unsigned i64 of each row, most significant first
   */
  public static void order(Device device, List<HostBuffer> words, int rows, HostBuffer order) {
    WordRanges ranges = new SampleSort(device, words, rows).ranges();
    List<HostBuffer> deciding = words.subList(0, ranges.deciding());
    if (deciding.isEmpty()) {
      for (int row = 0; row < rows; row++) {
        order.setInt(row, row);
      }
      return;
    }
    new SampleSort(device, deciding, rows).order(new PackedWords(deciding, ranges, rows), order);
  }

  private int end(int piece) {
    return Math.min(rows, (piece + 1) * pieceRows);
  }

  private WordRanges ranges() {
    WordRanges[] found = new WordRanges[pieces];
    device.share(
        pieces,
        i -> {
          int from = i * pieceRows;
          found[i] = WordRanges.of(words, from, end(i), new long[end(i) - from]);
        });
    return WordRanges.together(found);
  }

  private void order(PackedWords packing, HostBuffer order) {
    int wanted = Integer.highestOneBit(Math.max(1, rows / BUCKET_ROWS));
    SortBuckets buckets = new SortBuckets(sample(packing, Math.min(BUCKETS_MAX, wanted)), pieces);
    try (Scratch scratch = new Scratch()) {
      HostBuffer packed = scratch.pin((long) rows << 3);
      device.share(
          pieces,
          i -> {
            int from = i * pieceRows;
            int count = end(i) - from;
            long[] values = new long[count];
            long[] other = new long[count];
            packing.pack(from, count, values, other);
            packed.write(from, buckets.divided(i, values, other), 0, count);
          });
      int[] starts = buckets.starts();
      HostBuffer sorted = packing.isCut() ? scratch.pin((long) rows << 3) : HostBuffer.NONE;
      device.share(
          buckets.count(),
          b -> {
            StopSignal.poll();
            long[] bucket = buckets.gathered(b, packed, pieceRows);
            bucket = PackedRuns.sorted(bucket, packing.rowBits());
            int[] numbers = new int[bucket.length];
            packing.rows(bucket, numbers);
            order.write(starts[b], numbers, 0, numbers.length);
            if (packing.isCut()) {
              sorted.write(starts[b], bucket, 0, bucket.length);
            }
          });
      if (packing.isCut()) {
        sortTies(sorted, packing.rowBits(), order);
      }
    }
  }

  /** All buckets' bounds but the last, in order. */
  private long[] sample(PackedWords packing, int buckets) {
    long[] sample = new long[buckets * SAMPLE_PER_BUCKET];
    long number = 0;
    for (int i = 0; i < sample.length; i++) {
      // Steps of the golden ratio: spread evenly, but in no step with what repeats in the rows.
      number += 0x9E3779B97F4A7C15L;
      sample[i] = packing.packed((int) Math.unsignedMultiplyHigh(number, rows));
    }
    Arrays.sort(sample);
    long[] bounds = new long[buckets - 1];
    for (int b = 0; b < bounds.length; b++) {
      bounds[b] = sample[(b + 1) * SAMPLE_PER_BUCKET];
    }
    return bounds;
  }

  /** Rows from a place on that are equal as far as they are packed. */
  private record Ties(int from, int to) {}

  private void sortTies(HostBuffer sorted, int rowBits, HostBuffer order) {
    Queue<Ties> many = new ConcurrentLinkedQueue<>();
    device.share(
        pieces,
        i -> {
          for (int from = i * pieceRows; from < end(i); ) {
            StopSignal.poll(from);
            long key = sorted.longAt(from) >>> rowBits;
            boolean begins = from == 0 || sorted.longAt(from - 1) >>> rowBits != key;
            int to = from + 1;
            while (to < rows && (begins || to < end(i)) && sorted.longAt(to) >>> rowBits == key) {
              to++;
            }
            if (begins && to - from > TIES_ALONE_MAX) {
              many.add(new Ties(from, to));
            } else if (begins && to - from > 1) {
              new TiedRows(words, order).sort(from, to);
            }
            from = to;
          }
        });
    for (Ties ties : many) {
      sortAgain(ties, order);
    }
  }

  /** Their words differ in fewer bits than those of all rows. */
  private void sortAgain(Ties ties, HostBuffer order) {
    int count = ties.to - ties.from;
    int[] tied = new int[count];
    order.read(ties.from, tied, 0, count);
    try (Scratch scratch = new Scratch()) {
      List<HostBuffer> own =
          words.stream()
              .map(
                  word -> {
                    HostBuffer gathered = scratch.pin((long) count << 3);
                    for (int i = 0; i < count; i++) {
                      gathered.setLong(i, word.longAt(tied[i]));
                    }
                    return gathered;
                  })
              .toList();
      HostBuffer numbers = scratch.pin((long) count << 2);
      order(device, own, count, numbers);
      for (int i = 0; i < count; i++) {
        order.setInt(ties.from + i, tied[numbers.intAt(i)]);
      }
    }
  }
}
