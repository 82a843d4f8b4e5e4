package io.gpdb.storage.index;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.home.RootImage.RunImage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Entries of a hash index whose keys ascend from row to row by equal steps, as keys do that are
 * counted up: four numbers for as many as there are.
 *
 * <pre>
 *   run:  first key | step | count | first row      its entries: first key + i * step, first row + i
 * </pre>
 *
 * <p>Invariant: runs are in the order of their keys and apart, so that no key of one is between the
 * first and the last of another. A run grows at its end, and is never cut but by {@link #remove}.
 *
 * <p>Guarded by the index's lock, but for {@link #rowOf}, whose caller finds out afterwards whether
 * runs changed meanwhile.
 */
final class KeyRuns {
  /** Rows that a new run must have, those counted that are in pages already. */
  static final int NEW_ROWS = 64;

  /** Results of {@link #met}. */
  static final int NOT_MET = 0;

  static final int SAME_ROW = 1;
  static final int OTHER_ROW = 2;

  private static final int STEP = 1;
  private static final int COUNT = 2;
  private static final int ROW = 3;
  private static final int FIELDS = 4;

  private volatile Runs runs = new Runs(new long[FIELDS], 0);

  /** The entries inserted last that no run has: how many in a row ascend by one step. */
  private long lastKey;

  private long lastRow = -2;
  private long lastStep;
  private long streak;

  /**
   * @param fields those of one run after the other; counts may grow
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Runs(long[] fields, int size) {
    long firstKey(int run) {
      return fields[run * FIELDS];
    }

    long step(int run) {
      return fields[run * FIELDS + STEP];
    }

    long count(int run) {
      return fields[run * FIELDS + COUNT];
    }

    long firstRow(int run) {
      return fields[run * FIELDS + ROW];
    }

    long lastKey(int run) {
      return firstKey(run) + (count(run) - 1) * step(run);
    }

    /** The last run whose first key is not above, or -1. */
    int floor(long key) {
      int low = 0;
      int high = size - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        if (firstKey(middle) <= key) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return high;
    }

    /** Which of a run's steps leads to the key, which is not below it; -1 where none does. */
    long position(int run, long key) {
      long step = step(run);
      long distance = key - firstKey(run);
      if (step == 1) {
        return distance < 0 ? -1 : distance;
      }
      long steps = Long.divideUnsigned(distance, step);
      return steps * step == distance ? steps : -1;
    }
  }

  boolean isEmpty() {
    return runs.size == 0;
  }

  /** The row of the key, or -1. */
  long rowOf(long key) {
    Runs all = runs;
    int run = all.floor(key);
    if (run < 0) {
      return -1;
    }
    long position = all.position(run, key);
    return position >= 0 && position < all.count(run) ? all.firstRow(run) + position : -1;
  }

  /** How the first column of key i is met by the runs. */
  int met(KeyBatch keys, int i) {
    long row = isEmpty() ? -1 : rowOf(keys.raw(i, 0));
    if (row < 0) {
      return NOT_MET;
    }
    return row == keys.row(i) ? SAME_ROW : OTHER_ROW;
  }

  long entryCount() {
    Runs all = runs;
    long count = 0;
    for (int run = 0; run < all.size; run++) {
      count += all.count(run);
    }
    return count;
  }

  /**
   * Takes n entries whose keys and rows ascend, the keys by {@code step}, which says nothing of one
   * entry alone. Some or all may be there. Returns false where they are to go into pages.
   */
  boolean take(long key, long step, long n, long row) {
    return extend(key, step, n, row) || begin(key, step, n, row);
  }

  private boolean extend(long key, long step, long n, long row) {
    Runs all = runs;
    int run = all.floor(key);
    if (run < 0 || (n > 1 && step != all.step(run))) {
      return false;
    }
    long position = all.position(run, key);
    long count = all.count(run);
    if (position < 0 || position > count || row != all.firstRow(run) + position) {
      return false;
    }
    long grown = position + n;
    if (grown <= count) {
      return true;
    }
    if (!isPossible(all.firstKey(run), all.step(run), grown)) {
      return false;
    }
    long last = all.firstKey(run) + (grown - 1) * all.step(run);
    if (run + 1 < all.size && last >= all.firstKey(run + 1)) {
      return false;
    }
    all.fields[run * FIELDS + COUNT] = grown;
    return true;
  }

  /** Whether all keys of such a run are longs. */
  private static boolean isPossible(long firstKey, long step, long count) {
    return Long.compareUnsigned(count - 1, Long.divideUnsigned(Long.MAX_VALUE - firstKey, step))
        <= 0;
  }

  private boolean begin(long key, long step, long n, long row) {
    long gap = key - lastKey;
    boolean follows = row == lastRow + 1 && key > lastKey && gap > 0;
    boolean goesOn = follows && (streak == 1 || gap == lastStep) && (n == 1 || gap == step);
    streak = goesOn ? streak + n : n;
    lastStep = n > 1 ? step : gap;
    lastKey = key + (n - 1) * step;
    lastRow = row + n - 1;
    Runs all = runs;
    if (streak < NEW_ROWS || all.size == HashIndexLayout.RUNS_MAX) {
      return false;
    }
    int before = all.floor(key);
    boolean apart =
        (before < 0 || all.lastKey(before) < key)
            && (before + 1 == all.size || lastKey < all.firstKey(before + 1));
    if (apart) {
      insert(before + 1, key, lastStep, n, row);
      streak = 0;
      lastRow = -2;
    }
    return apart;
  }

  private void insert(int at, long key, long step, long count, long row) {
    Runs all = runs;
    int size = all.size;
    long[] fields = all.fields;
    if (at < size || (size + 1) * FIELDS > fields.length) {
      // Others may be reading the old ones.
      fields = Arrays.copyOf(fields, Math.max(size + 1, size * 3 / 2) * FIELDS);
      System.arraycopy(all.fields, at * FIELDS, fields, (at + 1) * FIELDS, (size - at) * FIELDS);
    }
    fields[at * FIELDS] = key;
    fields[at * FIELDS + STEP] = step;
    fields[at * FIELDS + COUNT] = count;
    fields[at * FIELDS + ROW] = row;
    runs = new Runs(fields, size + 1);
  }

  /** Takes the entry of the key out, if it is there with that row. */
  boolean remove(long key, long row) {
    if (rowOf(key) != row) {
      return false;
    }
    Runs all = runs;
    int run = all.floor(key);
    long step = all.step(run);
    long before = all.position(run, key);
    long behind = all.count(run) - before - 1;
    if (before > 0) {
      all.fields[run * FIELDS + COUNT] = before;
    } else {
      drop(run);
    }
    if (behind > 0) {
      insert(before > 0 ? run + 1 : run, key + step, step, behind, row + 1);
    }
    return true;
  }

  private void drop(int run) {
    Runs all = runs;
    long[] fields = all.fields.clone();
    System.arraycopy(
        fields, (run + 1) * FIELDS, fields, run * FIELDS, (all.size - run - 1) * FIELDS);
    runs = new Runs(fields, all.size - 1);
  }

  void clear() {
    runs = new Runs(new long[FIELDS], 0);
    streak = 0;
    lastRow = -2;
  }

  List<RunImage> image() {
    Runs all = runs;
    List<RunImage> images = new ArrayList<>(all.size);
    for (int run = 0; run < all.size; run++) {
      images.add(new RunImage(all.firstKey(run), all.step(run), all.count(run), all.firstRow(run)));
    }
    return images;
  }

  /** Takes what an image has; CORRUPTION where that cannot be. */
  void load(List<RunImage> images, String place) {
    long[] fields = new long[Math.max(1, images.size()) * FIELDS];
    long least = Long.MIN_VALUE;
    for (int run = 0; run < images.size(); run++) {
      RunImage image = images.get(run);
      if (!isPossible(image)
          || (run > 0 && image.firstKey() <= least)
          || run >= HashIndexLayout.RUNS_MAX) {
        throw new GpdbException(
            ErrorCode.CORRUPTION, place + ": runs of an index are damaged: " + image);
      }
      least = image.firstKey() + (image.count() - 1) * image.step();
      fields[run * FIELDS] = image.firstKey();
      fields[run * FIELDS + STEP] = image.step();
      fields[run * FIELDS + COUNT] = image.count();
      fields[run * FIELDS + ROW] = image.firstRow();
    }
    runs = new Runs(fields, images.size());
  }

  private static boolean isPossible(RunImage run) {
    return run.step() > 0
        && run.count() > 0
        && run.firstRow() >= 0
        && run.firstRow() <= HashIndexLayout.ROWS_MAX
        && run.count() - 1 <= HashIndexLayout.ROWS_MAX - run.firstRow()
        && isPossible(run.firstKey(), run.step(), run.count());
  }
}
