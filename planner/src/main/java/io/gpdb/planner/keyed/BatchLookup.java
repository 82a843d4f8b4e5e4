package io.gpdb.planner.keyed;

import io.gpdb.planner.query.KeyCondition;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TableWriter;
import java.util.Arrays;

/** Finds the rows that a batch names by key, all together. */
final class BatchLookup {
  private BatchLookup() {}

  /**
   * The rows of batch rows {@code first} to {@code first + n}; -1 where no row has the key.
   *
   * @param bound is moved over the batch
   */
  static long[] rows(
      KeyCondition key, BatchRow bound, int first, int n, TableReader reader, TableWriter writer) {
    int sole = key.soleParameter();
    long[] there = sole < 0 ? null : bound.raws(sole, first, n);
    if (there != null) {
      long[] rows = new long[n];
      writer.findByKeys(key.keyOrdinal(), there, n, rows);
      return rows;
    }
    int width = key.columnCount();
    long[] keyValues = new long[width];
    long[] keys = new long[n * width];
    int[] positions = new int[n];
    int count = 0;
    for (int i = 0; i < n; i++) {
      StopSignal.poll(i);
      bound.moveTo(first + i);
      if (key.fill(keyValues, bound, reader)) {
        System.arraycopy(keyValues, 0, keys, count * width, width);
        positions[count++] = i;
      } else {
        reader.noteMissing(key.keyOrdinal());
      }
    }
    long[] found = new long[n];
    writer.findByKeys(key.keyOrdinal(), keys, count, found);
    if (count == n) {
      return found;
    }
    long[] rows = new long[n];
    Arrays.fill(rows, -1);
    for (int k = 0; k < count; k++) {
      rows[positions[k]] = found[k];
    }
    return rows;
  }
}
