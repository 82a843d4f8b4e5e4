package io.gpdb.storage.index;

import io.gpdb.storage.column.KeyHash;
import org.jspecify.annotations.Nullable;

/**
 * A batch of keys of one column, of rows next to each other, on its way into a hash index: what
 * ascends by equal steps goes into runs, all else into pages, in the order of the batch. Used under
 * the index's lock.
 */
final class HashBatch {
  /** How far apart keys are at which an ascent is looked for; one that is worth it has two. */
  private static final int LOOK_ROWS = KeyRuns.NEW_ROWS / 2;

  private final HashPages pages;
  private final KeyRuns runs;
  private final KeyBatch keys;
  private final long[] hashes;
  private final int @Nullable [] suspects;
  private final SharedWork workers;

  /** Where the keys begin that are in the index not yet. */
  private int rest;

  private int suspectCount;

  /**
   * @param hashes of all keys, or none
   * @param suspects takes the positions of suspects, or is null
   */
  HashBatch(
      HashPages pages,
      KeyRuns runs,
      KeyBatch keys,
      long[] hashes,
      int @Nullable [] suspects,
      SharedWork workers) {
    this.pages = pages;
    this.runs = runs;
    this.keys = keys;
    this.hashes = hashes;
    this.suspects = suspects;
    this.workers = workers;
  }

  /** Inserts all keys; returns how many suspects were noted. */
  int insert() {
    int n = keys.n();
    int looked = take(0, keys.ascentEnd(0));
    for (int i = looked; i + 2 < n; i += LOOK_ROWS) {
      if (keys.ascends(i)) {
        int begin = keys.ascentBegin(i, rest);
        int end = keys.ascentEnd(i);
        if (end - begin >= KeyRuns.NEW_ROWS) {
          putRest(begin);
          i = take(begin, end) - LOOK_ROWS;
        }
      }
    }
    putRest(n);
    return suspectCount;
  }

  /** Puts an ascent into a run, if one can take it; returns where to look for the next one. */
  private int take(int begin, int end) {
    long step = end - begin > 1 ? keys.step(begin) : 0;
    if (!runs.take(keys.raw(begin, 0), step, end - begin, keys.row(begin))) {
      return end - 1;
    }
    int @Nullable [] noted = suspects;
    if (noted != null && !pages.isEmpty()) {
      for (int i = begin; i < end; i++) {
        if (pages.hasOther(KeyHash.hash(keys.raw(i, 0)), keys.row(i))) {
          noted[suspectCount++] = i;
        }
      }
    }
    rest = end;
    return end;
  }

  /** Puts the keys up to there into pages. */
  private void putRest(int end) {
    int n = end - rest;
    if (n == 0) {
      return;
    }
    int @Nullable [] noted = suspects;
    if (n == keys.n()) {
      suspectCount =
          pages.insertAll(hashes.length == 0 ? keys.hashes() : hashes, keys, runs, noted, workers);
    } else {
      KeyBatch part = keys.part(rest, end);
      int @Nullable [] ofPart = noted == null ? null : new int[n];
      int count = pages.insertAll(part.hashes(), part, runs, ofPart, workers);
      for (int s = 0; noted != null && ofPart != null && s < count; s++) {
        noted[suspectCount++] = rest + ofPart[s];
      }
    }
    rest = end;
  }
}
