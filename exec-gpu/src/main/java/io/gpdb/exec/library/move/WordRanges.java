package io.gpdb.exec.library.move;

import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;

/** The least and the greatest value of each of some rows' words, and which words never fall. */
final class WordRanges {
  private final long[] least;
  private final long[] greatest;
  private final boolean[] ascends;
  private final long[] last; // of the rows added so far

  private WordRanges(int words) {
    least = new long[words];
    greatest = new long[words];
    ascends = new boolean[words];
    last = new long[words];
  }

  /**
   * Those of rows {@code from} to {@code to}-1, which are some.
   *
   * @param words unsigned
   * @param scratch of as many elements as there are rows
   */
  static WordRanges of(List<HostBuffer> words, int from, int to, long[] scratch) {
    WordRanges ranges = new WordRanges(words.size());
    for (int w = 0; w < words.size(); w++) {
      HostBuffer word = words.get(w);
      word.read(from, scratch, 0, to - from);
      ranges.begin(w, from == 0 ? scratch[0] : word.longAt(from - 1));
      int of = w;
      HostLoop.run(0, to - from, (first, end) -> ranges.add(of, scratch, first, end));
    }
    return ranges;
  }

  /** Of no row yet, behind a row of that value. */
  private void begin(int w, long before) {
    last[w] = before;
    least[w] = -1;
    greatest[w] = 0;
    ascends[w] = true;
  }

  /** Signed comparisons of words whose highest bit is turned over are unsigned ones. */
  private void add(int w, long[] values, int from, int end) {
    long before = last[w] ^ Long.MIN_VALUE;
    long min = least[w] ^ Long.MIN_VALUE;
    long max = greatest[w] ^ Long.MIN_VALUE;
    boolean falls = false;
    for (int i = from; i < end; i++) {
      long value = values[i] ^ Long.MIN_VALUE;
      min = Math.min(min, value);
      max = Math.max(max, value);
      falls |= value < before;
      before = value;
    }
    last[w] = values[end - 1];
    least[w] = min ^ Long.MIN_VALUE;
    greatest[w] = max ^ Long.MIN_VALUE;
    ascends[w] &= !falls;
  }

  /** Those of all rows, of those of the rows of each piece. */
  static WordRanges together(WordRanges[] pieces) {
    WordRanges all = pieces[0];
    for (WordRanges piece : pieces) {
      for (int w = 0; w < all.least.length; w++) {
        all.least[w] = unsignedMin(all.least[w], piece.least[w]);
        all.greatest[w] = ~unsignedMin(~all.greatest[w], ~piece.greatest[w]);
        all.ascends[w] &= piece.ascends[w];
      }
    }
    return all;
  }

  private static long unsignedMin(long a, long b) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  long least(int word) {
    return least[word];
  }

  long greatest(int word) {
    return greatest[word];
  }

  /** How many words decide: where rows ascend by the last ones, equal rows are in order. */
  int deciding() {
    int words = least.length;
    while (words > 0 && ascends[words - 1]) {
      words--;
    }
    return words;
  }
}
