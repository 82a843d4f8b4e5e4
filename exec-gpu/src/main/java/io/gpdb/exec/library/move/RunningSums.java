package io.gpdb.exec.library.move;

import static io.gpdb.exec.library.base.HostLoop.CALL_TURNS;

import io.gpdb.exec.Device;
import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;

/**
 * Running sums made by the host's threads: each takes pieces, sums them up, and when it is known
 * what comes before each piece, writes its sums. By kernels that is three launches or more, whose
 * lanes each walk through neighbouring elements.
 */
final class RunningSums {
  /** Elements that a thread takes at once. */
  static final int PIECE = 1 << 13;

  private final Device device;
  private final int n;
  private final Counts counts;

  private RunningSums(Device device, int n, Counts counts) {
    this.device = device;
    this.n = n;
    this.counts = counts;
  }

  /** What is summed up. */
  private interface Counts {
    /** Reads elements from + 0, from + 1, …, which are not negative. */
    void read(int from, int[] to, int count);
  }

  /** {@code sums[i]} (i64) = sum of counts[0..i) (i32, not negative). */
  static void of(Device device, HostBuffer counts, int n, HostBuffer sums) {
    RunningSums running = new RunningSums(device, n, (from, to, k) -> counts.read(from, to, 0, k));
    running.write(
        running.bases(),
        (from, elements, count, base) -> {
          long[] written = new long[count];
          long sum = base;
          for (int i = 0; i < count; i += CALL_TURNS) {
            sum = running(elements, i, Math.min(count, i + CALL_TURNS), sum, written);
          }
          sums.write(from, written, 0, count);
        });
  }

  /**
   * Adds to the low 32 bits of each word, in its high 32 bits, how many bits are set in those of
   * the words before; returns how many are in all.
   */
  static int ofBits(Device device, HostBuffer words, int n) {
    RunningSums running =
        new RunningSums(
            device,
            n,
            (from, to, count) -> {
              long[] read = new long[count];
              words.read(from, read, 0, count);
              HostLoop.run(0, count, (first, end) -> countBits(read, first, end, to));
            });
    long[] bases = running.bases();
    running.write(
        bases,
        (from, elements, count, base) -> {
          long[] ranked = new long[count];
          words.read(from, ranked, 0, count);
          long sum = base;
          for (int i = 0; i < count; i += CALL_TURNS) {
            sum = rank(elements, i, Math.min(count, i + CALL_TURNS), sum, ranked);
          }
          words.write(from, ranked, 0, count);
        });
    return (int) bases[bases.length - 1];
  }

  /** The sum before each piece, and that of all. */
  private long[] bases() {
    long[] bases = new long[Math.ceilDiv(n, PIECE) + 1];
    each(
        (piece, from, elements, count) -> {
          long sum = 0;
          for (int i = 0; i < count; i += CALL_TURNS) {
            sum += sum(elements, i, Math.min(count, i + CALL_TURNS));
          }
          bases[piece + 1] = sum;
        });
    for (int i = 1; i < bases.length; i++) {
      bases[i] += bases[i - 1];
    }
    return bases;
  }

  private static void countBits(long[] words, int from, int end, int[] to) {
    for (int i = from; i < end; i++) {
      to[i] = Long.bitCount(words[i]);
    }
  }

  private static long sum(int[] elements, int from, int end) {
    long sum = 0;
    for (int i = from; i < end; i++) {
      sum += elements[i];
    }
    return sum;
  }

  /** Writes the sums before each element; returns that behind the last. */
  private static long running(int[] elements, int from, int end, long before, long[] to) {
    long sum = before;
    for (int i = from; i < end; i++) {
      to[i] = sum;
      sum += elements[i];
    }
    return sum;
  }

  /** As {@link #running}, into the high halves. */
  private static long rank(int[] elements, int from, int end, long before, long[] to) {
    long sum = before;
    for (int i = from; i < end; i++) {
      to[i] |= sum << 32;
      sum += elements[i];
    }
    return sum;
  }

  /** Writes what comes of a piece. */
  private interface Writing {
    void write(int from, int[] elements, int count, long base);
  }

  private void write(long[] bases, Writing writing) {
    each((piece, from, elements, count) -> writing.write(from, elements, count, bases[piece]));
  }

  private interface Piece {
    void take(int piece, int from, int[] elements, int count);
  }

  private void each(Piece work) {
    device.share(
        Math.ceilDiv(n, PIECE),
        piece -> {
          StopSignal.poll();
          int from = piece * PIECE;
          int count = Math.min(PIECE, n - from);
          int[] elements = new int[count];
          counts.read(from, elements, count);
          work.take(piece, from, elements, count);
        });
  }
}
