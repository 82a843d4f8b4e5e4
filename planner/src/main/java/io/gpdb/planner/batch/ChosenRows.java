package io.gpdb.planner.batch;

import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.tablet.Tablet;
import java.util.BitSet;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Rows of one stored table, to which an execution may be limited. */
public final class ChosenRows {
  private final int tableId;
  private final TreeMap<Integer, BitSet> byTablet = new TreeMap<>();
  private long count;

  public ChosenRows(int tableId) {
    this.tableId = tableId;
  }

  public int tableId() {
    return tableId;
  }

  public void add(int tablet, int row) {
    BitSet rows = byTablet.computeIfAbsent(tablet, _ -> new BitSet());
    if (!rows.get(row)) {
      rows.set(row);
      count++;
    }
  }

  /** Rows that were not chosen before, numbered one after the other. */
  public void addNew(long first, int n) {
    long row = first;
    long end = first + n;
    while (row < end) {
      int tablet = (int) (row / Tablet.ROWS);
      long limit = Math.min(end, (tablet + 1L) * Tablet.ROWS);
      BitSet rows = byTablet.computeIfAbsent(tablet, _ -> new BitSet());
      int from = (int) (row % Tablet.ROWS);
      int to = from + (int) (limit - row);
      count -= rows.get(from, to).cardinality();
      rows.set(from, to);
      count += to - from;
      row = limit;
    }
  }

  /** Chooses what another one has chosen of the same table. */
  public void addAll(ChosenRows others) {
    others.byTablet.forEach(
        (tablet, rows) -> byTablet.computeIfAbsent(tablet, _ -> new BitSet()).or(rows));
    count = byTablet.values().stream().mapToLong(BitSet::cardinality).sum();
  }

  /** Calls for each row's number, ascending. */
  public void forEach(LongConsumer action) {
    byTablet.forEach(
        (tablet, rows) -> {
          for (int r = rows.nextSetBit(0); r >= 0; r = rows.nextSetBit(r + 1)) {
            StopSignal.poll(r);
            action.accept((long) tablet * Tablet.ROWS + r);
          }
        });
  }

  /** Some rows' numbers. */
  @FunctionalInterface
  public interface Block {
    /** The first n of the numbers, which are the callee's until it returns. */
    void take(long[] rows, int n);
  }

  /** Calls for up to so many rows at a time, ascending. */
  public void forEachBlock(int most, Block action) {
    long[] rows = new long[(int) Math.min(most, count)];
    int[] n = new int[1];
    forEach(
        row -> {
          rows[n[0]++] = row;
          if (n[0] == rows.length) {
            action.take(rows, n[0]);
            n[0] = 0;
          }
        });
    if (n[0] > 0) {
      action.take(rows, n[0]);
    }
  }

  public long count() {
    return count;
  }

  /** The numbers of the tablets that have some, ascending. */
  public int[] tablets() {
    return byTablet.keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  /** Those of a tablet; not to be changed. */
  public @Nullable BitSet of(int tablet) {
    return byTablet.get(tablet);
  }

  /** The first of all, -1 where there is none. */
  public long first() {
    return byTablet.isEmpty()
        ? -1
        : byTablet.firstKey() * (long) Tablet.ROWS + byTablet.firstEntry().getValue().nextSetBit(0);
  }
}
