package io.gpdb.storage.index;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Inserts the keys of a batch into the pages of a hash index by several threads: hashes are divided
 * by their first bits, so that each page is that of one thread. Used under the index's lock.
 *
 * <p>A part ends before a key that finds no place in its page, and behind one that fills its page:
 * pages are split, and overflow entries made, by the calling thread, which goes on from there. So
 * each page sees its keys in the order of the batch.
 */
final class HashParts {
  /** Keys of a part, about. */
  private static final int PART_KEYS = 512;

  /** Keys whose lines are read before the first of them is inserted. */
  private static final int AHEAD = 128;

  private final HashIndexPage[] directory;
  private final int directoryBits;
  private final OverflowEntries overflow;
  private final long[] hashes;
  private final KeyBatch keys;
  private final KeyRuns runs;
  private final int shift;

  /** The positions of the keys in the batch, part by part, ascending within a part. */
  private final int[] order;

  /** Where each part begins in the order, and where the last one ends. */
  private final int[] starts;

  /** Where the calling thread goes on with a part. */
  private final int[] inserted;

  /** The positions of suspects, those of a part from its beginning on; null if nobody asks. */
  private final int @Nullable [] suspects;

  private final int[] suspectCounts;
  private final int @Nullable [] noted;

  /** Keeps the compiler from dropping what is read ahead. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  /** What the calling thread does with what is left. */
  interface Rest {
    void splitIfFull(long hash);

    /** Inserts key i of the batch; returns what {@link HashIndexPage#insert} does. */
    int insert(int i);
  }

  /** How many bits divide n keys among pages that have at least that many first bits in common. */
  static int bits(int n, int depth) {
    return Math.min(depth, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(n / PART_KEYS | 1));
  }

  /**
   * @param runs entries that are there besides
   * @param bits first bits of a hash by which keys are divided, no more than any page has in common
   * @param noted takes the positions of suspects, or is null
   */
  HashParts(
      HashIndexPage[] directory,
      int directoryBits,
      OverflowEntries overflow,
      long[] hashes,
      KeyBatch keys,
      KeyRuns runs,
      int bits,
      int @Nullable [] noted) {
    this.directory = directory;
    this.directoryBits = directoryBits;
    this.overflow = overflow;
    this.hashes = hashes;
    this.keys = keys;
    this.runs = runs;
    shift = HashIndexLayout.PREFIX_BITS - bits;
    starts = new int[(1 << bits) + 1];
    order = new int[keys.n()];
    this.noted = noted;
    suspects = noted == null ? null : new int[keys.n()];
    suspectCounts = new int[1 << bits];
    divide();
    inserted = starts.clone();
  }

  private int part(int i) {
    return HashIndexLayout.prefix(hashes[i]) >>> shift;
  }

  private void divide() {
    boolean nullable = keys.isNullable();
    int n = keys.n();
    for (int i = 0; i < n; i++) {
      if (!nullable || !keys.isNull(i)) {
        starts[part(i) + 1]++;
      }
    }
    for (int p = 1; p < starts.length; p++) {
      starts[p] += starts[p - 1];
    }
    int[] next = starts.clone();
    for (int i = 0; i < n; i++) {
      if (!nullable || !keys.isNull(i)) {
        order[next[part(i)]++] = i;
      }
    }
  }

  /** Inserts all keys; returns how many suspects it has noted, ascending. */
  int insert(SharedWork workers, Rest rest) {
    workers.share(suspectCounts.length, this::insert);
    int count = 0;
    for (int p = 0; p < suspectCounts.length; p++) {
      finish(p, rest);
      if (suspects != null && noted != null) {
        System.arraycopy(suspects, starts[p], noted, count, suspectCounts[p]);
        count += suspectCounts[p];
      }
    }
    if (noted != null) {
      Arrays.sort(noted, 0, count);
    }
    return count;
  }

  private void insert(int p) {
    int end = starts[p + 1];
    for (int from = starts[p]; from < end; from += AHEAD) {
      int to = Math.min(end, from + AHEAD);
      touch(from, to);
      for (int o = from; o < to; o++) {
        int i = order[o];
        HashIndexPage page = page(hashes[i]);
        int met = runs.met(keys, i);
        int result =
            met == KeyRuns.SAME_ROW
                ? overflow.present(page, hashes[i], keys.row(i) + 1)
                : overflow.insertInPage(page, hashes[i], keys.row(i) + 1);
        if ((result & HashIndexPage.NO_PLACE) != 0) {
          return;
        }
        note(p, i, met == KeyRuns.OTHER_ROW ? result | HashIndexPage.SUSPECT : result);
        inserted[p] = o + 1;
        if (page.isFull()) {
          return;
        }
      }
    }
  }

  private HashIndexPage page(long hash) {
    return directory[
        HashIndexLayout.prefix(hash) >>> (HashIndexLayout.PREFIX_BITS - directoryBits)];
  }

  /** Reads a slot of the line of each key from here to there, so that the waits overlap. */
  private void touch(int from, int to) {
    long sink = 0;
    for (int o = from; o < to; o++) {
      sink += page(hashes[order[o]]).touch(hashes[order[o]]);
    }
    touched = sink;
  }

  /** Inserts what is left of a part. */
  private void finish(int p, Rest rest) {
    int from = inserted[p];
    if (from > starts[p]) {
      rest.splitIfFull(hashes[order[from - 1]]);
    }
    for (int o = from; o < starts[p + 1]; o++) {
      int i = order[o];
      note(p, i, rest.insert(i));
    }
  }

  private void note(int p, int i, int result) {
    if ((result & HashIndexPage.SUSPECT) != 0 && suspects != null) {
      suspects[starts[p] + suspectCounts[p]++] = i;
    }
  }
}
