package io.gpdb.exec.library.scan;

import io.gpdb.exec.Device;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds which rows pass a test of the host, by all of its threads, as bits of bitmaps. */
public final class PassingRows {
  /** Rows that a thread takes at a time. */
  public static final int PIECE_ROWS = 1 << 13;

  /** Rows of a word of a bitmap. */
  public static final int WORD_ROWS = Integer.SIZE;

  private static final VarHandle FLAGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Moves the lowest bits of eight bytes to the highest byte, that of the first byte lowest. */
  private static final long GATHER = 0x0102040810204080L;

  private static final int GATHERED_SHIFT = 56;

  private PassingRows() {}

  /** Some rows of a column, which is dense and of 4 or 8 bytes a row. */
  public record Column(HostBuffer values, @Nullable HostBuffer validity, int rows) {}

  /**
   * Rows that are asked about.
   *
   * @param live the rows that exist; null where all do
   * @param passing bitmap of as many rows, whose words are all written
   */
  public record Rows(int count, @Nullable HostBuffer live, HostBuffer passing) {}

  /** The test of a piece of the rows. */
  @FunctionalInterface
  public interface Test {
    /**
     * @param of which of the rows that are asked about together
     * @param from a multiple of {@link #PIECE_ROWS}
     * @param count up to {@link #PIECE_ROWS}
     * @param passing gets the bits; those of rows from {@code count} on do not matter
     */
    void find(int of, int from, int count, int[] passing);
  }

  /**
   * Says which rows pass, of several together: one piece of work for all threads.
   *
   * @return how many do, of each
   */
  public static int[] of(Device device, List<Rows> all, Test test) {
    int[] first = new int[all.size() + 1];
    for (int i = 0; i < all.size(); i++) {
      first[i + 1] = first[i] + Math.ceilDiv(all.get(i).count, PIECE_ROWS);
    }
    AtomicIntegerArray counts = new AtomicIntegerArray(all.size());
    device.share(
        first[all.size()],
        piece -> {
          StopSignal.poll();
          int at = Arrays.binarySearch(first, piece);
          int i = at < 0 ? -at - 2 : lastOf(first, at);
          counts.addAndGet(i, pass(i, all.get(i), (piece - first[i]) * PIECE_ROWS, test));
        });
    return IntStream.range(0, all.size()).map(counts::get).toArray();
  }

  /** Of several that begin with one piece, because they have none, the one that has it. */
  private static int lastOf(int[] first, int at) {
    int last = at;
    while (last + 1 < first.length && first[last + 1] == first[at]) {
      last++;
    }
    return last;
  }

  private static int pass(int of, Rows rows, int from, Test test) {
    int count = Math.min(PIECE_ROWS, rows.count - from);
    int[] found = new int[Math.ceilDiv(count, WORD_ROWS)];
    test.find(of, from, count, found);
    and(found, rows.live, from);
    if (count % WORD_ROWS != 0) {
      found[found.length - 1] &= (1 << count % WORD_ROWS) - 1;
    }
    rows.passing.write(from / WORD_ROWS, found, 0, found.length);
    int all = 0;
    for (int word : found) {
      all += Integer.bitCount(word);
    }
    return all;
  }

  /**
   * Makes bits of flags, which are 0 or 1, a byte for each row: HotSpot makes vectors of a loop
   * that stores bytes, and none of one that shifts each bit to its place in a word.
   *
   * @param from a multiple of {@link #WORD_ROWS}, as {@code end} is
   */
  public static void pack(byte[] flags, int from, int end, int[] words) {
    for (int first = from; first < end; first += WORD_ROWS) {
      long low = gathered(flags, first) | gathered(flags, first + 8) << 8;
      long high = gathered(flags, first + 16) | gathered(flags, first + 24) << 8;
      words[first / WORD_ROWS] = (int) (low | high << 16);
    }
  }

  private static long gathered(byte[] flags, int first) {
    return ((long) FLAGS.get(flags, first) * GATHER) >>> GATHERED_SHIFT;
  }

  /** Leaves the bits that a bitmap has, too, from a row on. */
  public static void and(int[] words, @Nullable HostBuffer bitmap, int fromRow) {
    if (bitmap != null) {
      int[] others = new int[words.length];
      bitmap.read(fromRow / WORD_ROWS, others, 0, others.length);
      for (int i = 0; i < words.length; i++) {
        words[i] &= others[i];
      }
    }
  }
}
