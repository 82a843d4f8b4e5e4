package io.gpdb.exec.library.group.partition;

import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.Accumulators;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds the rows of a partition, from all blocks, to the accumulators of its places, which are in
 * arrays meanwhile: some rows at a time, one loop for each word that they change. Float sums are
 * made one by one in row order. Used by one thread at a time, which keeps it for its next
 * partition.
 */
final class PartitionTotals {
  private static final int BATCH_ROWS = RowPartitions.CALL_ROWS;

  private final AccumulatorLayout layout;
  private final StagedRows rows;
  private final int shift;
  private final int words;

  // The partition
  private final long[] sums;
  private final List<long[]> floatSums = new ArrayList<>();

  // A batch of its rows
  private final int[] read = new int[BATCH_ROWS];
  private final int[] places = new int[BATCH_ROWS];
  private final long[] rowNumbers = new long[BATCH_ROWS];
  private final int[] nulls = new int[BATCH_ROWS];
  private final List<long[]> arguments = new ArrayList<>();
  private int count;

  // Those of them whose argument is not NULL, and what orders as they do
  private final int[] somePlaces = new int[BATCH_ROWS];
  private final long[] someValues = new long[BATCH_ROWS];
  private final long[] ordered = new long[BATCH_ROWS];

  PartitionTotals(AccumulatorLayout layout, StagedRows rows, int shift) {
    this.layout = layout;
    this.rows = rows;
    this.shift = shift;
    words = layout.words().size();
    sums = new long[words << shift];
    for (int i = 0; i < layout.floatSums(); i++) {
      floatSums.add(new long[1 << shift]);
    }
    layout.arguments().forEach(_ -> arguments.add(new long[BATCH_ROWS]));
  }

  /**
   * Adds a partition.
   *
   * @param blocks in the order of their rows
   * @param placeCount of all partitions
   */
  void add(int partition, List<RowPartitions.Block> blocks, Accumulators totals, int placeCount) {
    if (blocks.stream().allMatch(b -> b.start(partition) == b.start(partition + 1))) {
      return;
    }
    int first = partition << shift;
    int held = Math.min(1 << shift, placeCount - first);
    HostBuffer words = totals.words(first, held).onHost();
    words.read(0, sums, 0, held * this.words);
    for (int i = 0; i < floatSums.size(); i++) {
      totals.totals().get(i).onHost().read(first, floatSums.get(i), 0, held);
    }
    for (RowPartitions.Block block : blocks) {
      int end = block.start(partition + 1);
      int n;
      for (int from = block.start(partition); from < end; from += n) {
        n = Math.min(end - from, BATCH_ROWS - count);
        take(block, from, n);
        if (count == BATCH_ROWS) {
          addBatch();
        }
      }
    }
    addBatch();
    words.write(0, sums, 0, held * this.words);
    for (int i = 0; i < floatSums.size(); i++) {
      totals.totals().get(i).onHost().write(first, floatSums.get(i), 0, held);
    }
  }

  private void take(RowPartitions.Block block, int from, int n) {
    int at = block.offset() + from;
    rows.places().read(at, read, 0, n);
    findPlaces(n, block.firstRow());
    StagedRows.Column nullBits = rows.nulls();
    if (nullBits != null) {
      nullBits.values().read(at, nulls, count, n);
    }
    for (int i = 0; i < arguments.size(); i++) {
      StagedRows.Column argument = rows.arguments().get(i);
      if (argument.isWide()) {
        argument.values().read(at, arguments.get(i), count, n);
      } else {
        argument.values().read(at, read, 0, n);
        widen(read, n, arguments.get(i), count);
      }
    }
    count += n;
  }

  private void findPlaces(int n, long firstRow) {
    int mask = (1 << shift) - 1;
    for (int i = 0; i < n; i++) {
      places[count + i] = read[i] & mask;
      rowNumbers[count + i] = firstRow + (read[i] >>> shift);
    }
  }

  private static void widen(int[] from, int n, long[] to, int first) {
    for (int i = 0; i < n; i++) {
      to[first + i] = from[i];
    }
  }

  private void addBatch() {
    StopSignal.poll();
    least(sums, places, AccumulatorLayout.FIRST_ROW, words, rowNumbers, count);
    if (layout.countsRows()) {
      count(sums, places, AccumulatorLayout.ROWS, words, count);
    }
    int bit = 0;
    for (int i = 0; i < arguments.size(); i++) {
      if (layout.argumentTypes().get(i).isNullable()) {
        int some = select(arguments.get(i), 1 << bit, layout.nullWord(i));
        add(i, somePlaces, someValues, some);
        bit++;
      } else {
        add(i, places, arguments.get(i), count);
      }
    }
    count = 0;
  }

  /** Selects the values that are not NULL, and counts the others; returns how many there are. */
  private int select(long[] argument, int bit, int nullWord) {
    int some = 0;
    for (int i = 0; i < count; i++) {
      if ((nulls[i] & bit) == 0) {
        somePlaces[some] = places[i];
        someValues[some++] = argument[i];
      } else {
        sums[places[i] * words + nullWord]++;
      }
    }
    return some;
  }

  private void add(int argument, int[] at, long[] values, int n) {
    Type type = layout.argumentTypes().get(argument).type();
    for (AccumulatorLayout.Slot slot : layout.slots()) {
      if (slot.argument() == argument) {
        switch (slot.function()) {
          case COUNT -> {}
          case MIN -> least(sums, at, slot.value(), words, ordered(type, values, n), n);
          case MAX -> greatest(sums, at, slot.value(), words, ordered(type, values, n), n);
          case SUM -> addSum(slot, type, at, values, n);
        }
      }
    }
  }

  private void addSum(AccumulatorLayout.Slot slot, Type type, int[] at, long[] values, int n) {
    if (slot.floatSum() >= 0 && type == Type.F32) {
      addNarrowFloats(floatSums.get(slot.floatSum()), at, values, n);
    } else if (slot.floatSum() >= 0) {
      addFloats(floatSums.get(slot.floatSum()), at, values, n);
    } else if (slot.type() == Type.I64) {
      addHalves(sums, at, slot.value(), words, values, n);
    } else {
      add(sums, at, slot.value(), words, values, n);
    }
  }

  private long[] ordered(Type type, long[] values, int n) {
    if (type != Type.F32 && type != Type.F64) {
      return values;
    }
    for (int i = 0; i < n; i++) {
      ordered[i] = OrderWords.word(type, values[i]);
    }
    return ordered;
  }

  private static void count(long[] sums, int[] at, int word, int words, int n) {
    for (int i = 0; i < n; i++) {
      sums[at[i] * words + word]++;
    }
  }

  private static void add(long[] sums, int[] at, int word, int words, long[] values, int n) {
    for (int i = 0; i < n; i++) {
      sums[at[i] * words + word] += values[i];
    }
  }

  /** The low halves to a word, the high ones to the next. */
  private static void addHalves(long[] sums, int[] at, int word, int words, long[] values, int n) {
    for (int i = 0; i < n; i++) {
      int low = at[i] * words + word;
      sums[low] += values[i] & 0xffffffffL;
      sums[low + 1] += values[i] >> 32;
    }
  }

  private static void least(long[] sums, int[] at, int word, int words, long[] values, int n) {
    for (int i = 0; i < n; i++) {
      int to = at[i] * words + word;
      if (values[i] < sums[to]) {
        sums[to] = values[i];
      }
    }
  }

  private static void greatest(long[] sums, int[] at, int word, int words, long[] values, int n) {
    for (int i = 0; i < n; i++) {
      int to = at[i] * words + word;
      if (values[i] > sums[to]) {
        sums[to] = values[i];
      }
    }
  }

  private static void addFloats(long[] sums, int[] at, long[] values, int n) {
    for (int i = 0; i < n; i++) {
      double sum = Double.longBitsToDouble(sums[at[i]]) + Double.longBitsToDouble(values[i]);
      sums[at[i]] = Double.doubleToRawLongBits(sum);
    }
  }

  private static void addNarrowFloats(long[] sums, int[] at, long[] values, int n) {
    for (int i = 0; i < n; i++) {
      double sum = Double.longBitsToDouble(sums[at[i]]) + Float.intBitsToFloat((int) values[i]);
      sums[at[i]] = Double.doubleToRawLongBits(sum);
    }
  }
}
