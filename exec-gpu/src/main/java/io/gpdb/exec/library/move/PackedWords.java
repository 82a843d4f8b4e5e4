package io.gpdb.exec.library.move;

import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows' words and numbers as one i64 each, which order as the words do: of each word the distance
 * from its least value, in as many bits as the greatest distance takes, one word after the other,
 * and the row's number in the lowest bits. Where that is more than 63 bits, the last words are cut;
 * the others decide.
 */
final class PackedWords {
  private static final int BITS_MAX = Long.SIZE - 1;

  /** Of the first words, as many as there is room for. */
  private final List<Part> parts = new ArrayList<>();

  private final int rowBits;
  private final boolean cut;

  /**
   * A word.
   *
   * @param bits that are kept of the distance
   * @param dropped its lowest bits, which are not
   */
  private record Part(HostBuffer word, long least, int bits, int dropped) {
    void add(long[] values, long[] to, int from, int end) {
      for (int i = from; i < end; i++) {
        to[i] = to[i] << bits | (values[i] - least) >>> dropped;
      }
    }
  }

  /**
   * @param words unsigned, most significant first
   * @param rows 1 or more
   */
  PackedWords(List<HostBuffer> words, WordRanges ranges, int rows) {
    rowBits = bits(rows - 1);
    int left = BITS_MAX - rowBits;
    boolean cuts = false;
    for (int w = 0; w < words.size(); w++) {
      int needed = bits(ranges.greatest(w) - ranges.least(w));
      int kept = Math.min(needed, left);
      if (kept > 0) {
        parts.add(new Part(words.get(w), ranges.least(w), kept, needed - kept));
      }
      cuts |= kept < needed;
      left -= kept;
    }
    cut = cuts;
  }

  private static int bits(long unsigned) {
    return Long.SIZE - Long.numberOfLeadingZeros(unsigned);
  }

  /** Whether rows may differ in bits that are not here. */
  boolean isCut() {
    return cut;
  }

  int rowBits() {
    return rowBits;
  }

  /** The rows' numbers of packed words. */
  void rows(long[] packed, int[] to) {
    HostLoop.run(0, packed.length, (from, end) -> rows(packed, from, end, (1L << rowBits) - 1, to));
  }

  private static void rows(long[] packed, int from, int end, long mask, int[] to) {
    for (int i = from; i < end; i++) {
      to[i] = (int) (packed[i] & mask);
    }
  }

  /** Writes those of rows from + 0, from + 1, … */
  void pack(int from, int count, long[] to, long[] scratch) {
    Arrays.fill(to, 0, count, 0);
    for (Part part : parts) {
      part.word.read(from, scratch, 0, count);
      HostLoop.run(0, count, (first, end) -> part.add(scratch, to, first, end));
    }
    HostLoop.run(0, count, (first, end) -> addRows(rowBits, from, to, first, end));
  }

  private static void addRows(int bits, int row, long[] to, int from, int end) {
    for (int i = from; i < end; i++) {
      to[i] = to[i] << bits | (row + i);
    }
  }

  /** That of one row. */
  long packed(int row) {
    long key = 0;
    for (Part part : parts) {
      key = key << part.bits | (part.word.longAt(row) - part.least) >>> part.dropped;
    }
    return key << rowBits | row;
  }
}
