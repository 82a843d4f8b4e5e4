package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.error.StopSignal;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the accumulators of a {@link Grouping} into columns, ordered by the groups' first rows. */
final class GroupResults {
  private final GridGroupBy plan;
  private final int[] limits;
  private final @Nullable GroupTable table;
  private final MemorySegment accumulators;
  private final List<MemorySegment> totals;
  private final int groups;
  private final int words;

  /**
   * @param table null where the group's number follows from its keys
   */
  GroupResults(
      GridGroupBy plan,
      int[] limits,
      @Nullable GroupTable table,
      MemorySegment accumulators,
      List<MemorySegment> totals,
      int groups) {
    this.plan = plan;
    this.limits = limits;
    this.table = table;
    this.accumulators = accumulators;
    this.totals = totals;
    this.groups = groups;
    words = plan.layout.words().size();
  }

  Groups collect(Scratch scratch, SegmentAllocator results) {
    MemorySegment firstRows = scratch.longs(groups);
    MemorySegment order = scratch.ints(groups);
    int count = 0;
    for (int g = 0; g < groups; g++) {
      StopSignal.poll(g);
      if (word(g, AccumulatorLayout.ROWS) > 0) {
        firstRows.setAtIndex(ValueLayout.JAVA_LONG, count, word(g, AccumulatorLayout.FIRST_ROW));
        order.setAtIndex(ValueLayout.JAVA_INT, count, g);
        count++;
      }
    }
    plan.sort.sort(firstRows, order, count);
    List<DenseColumn> keys = new ArrayList<>();
    for (int k = 0; k < plan.keys.size(); k++) {
      keys.add(keyColumn(k, order, count, results));
    }
    List<DenseColumn> aggregates = new ArrayList<>();
    for (AccumulatorLayout.Slot slot : plan.layout.slots()) {
      aggregates.add(aggregateColumn(slot, order, count, results));
    }
    MemorySegment first = results.allocate((long) count << 3, Long.BYTES);
    MemorySegment.copy(firstRows, 0, first, 0, (long) count << 3);
    return new Groups(count, keys, aggregates, first);
  }

  private long word(int group, int word) {
    return accumulators.getAtIndex(ValueLayout.JAVA_LONG, (long) group * words + word);
  }

  private static int group(MemorySegment order, int i) {
    return order.getAtIndex(ValueLayout.JAVA_INT, i);
  }

  private DenseColumn keyColumn(int key, MemorySegment order, int count, SegmentAllocator results) {
    MemorySegment values = results.allocate((long) count << 3, Long.BYTES);
    Validity validity = new Validity(count, results);
    long stride = 1;
    for (int k = key + 1; k < limits.length; k++) {
      stride *= limits[k] + 1L;
    }
    long[] keyWords = new long[plan.keyWords.count()];
    for (int i = 0; i < count; i++) {
      int group = group(order, i);
      long value;
      boolean isNull;
      if (table == null) {
        value = group / stride % (limits[key] + 1L);
        isNull = value == limits[key];
      } else {
        for (int w = 0; w < keyWords.length; w++) {
          keyWords[w] = table.keyWord(group, w);
        }
        value = keyWords[key];
        isNull = plan.keyWords.isNull(key, keyWords);
      }
      values.setAtIndex(ValueLayout.JAVA_LONG, i, isNull ? 0 : value);
      validity.put(i, !isNull);
    }
    return new DenseColumn(Element.I64, values, validity.bitmap());
  }

  private DenseColumn aggregateColumn(
      AccumulatorLayout.Slot slot, MemorySegment order, int count, SegmentAllocator results) {
    Element element = AccumulatorLayout.resultElement(slot);
    MemorySegment values = results.allocate((long) count * element.bytes(), Long.BYTES);
    Validity validity = new Validity(count, results);
    for (int i = 0; i < count; i++) {
      int group = group(order, i);
      boolean present =
          slot.function() == Aggregate.Function.COUNT || word(group, slot.count()) > 0;
      long raw = present ? raw(slot, group) : 0;
      switch (element) {
        case I32, F32 -> values.setAtIndex(ValueLayout.JAVA_INT, i, (int) raw);
        default -> values.setAtIndex(ValueLayout.JAVA_LONG, i, raw);
      }
      validity.put(i, present);
    }
    return new DenseColumn(element, values, validity.bitmap());
  }

  private long raw(AccumulatorLayout.Slot slot, int group) {
    return switch (slot.function()) {
      case COUNT -> word(group, slot.count());
      case MIN, MAX -> OrderWords.raw(slot.type(), word(group, slot.value()));
      case SUM -> {
        if (slot.floatSum() >= 0) {
          yield totals.get(slot.floatSum()).getAtIndex(ValueLayout.JAVA_LONG, group);
        }
        long low = word(group, slot.value());
        yield slot.type() == Type.I64 ? joined(word(group, slot.value() + 1), low) : low;
      }
    };
  }

  /** high * 2^32 + low, both sums over many rows. */
  private static long joined(long high, long low) {
    long carried = high + (low >>> 32);
    if (carried != (int) carried) {
      BigInteger sum = BigInteger.valueOf(high).shiftLeft(32).add(BigInteger.valueOf(low));
      throw new GpdbException(
          ErrorCode.NUMERIC_OUT_OF_RANGE, "sum does not fit 64 bits: sum=" + sum);
    }
    return (carried << 32) | (low & 0xffffffffL);
  }

  /** A bitmap that comes into being with the first NULL. */
  private static final class Validity {
    private final int count;
    private final SegmentAllocator results;
    private @Nullable MemorySegment bitmap;

    Validity(int count, SegmentAllocator results) {
      this.count = count;
      this.results = results;
    }

    void put(int i, boolean present) {
      if (present) {
        return;
      }
      MemorySegment words = bitmap;
      if (words == null) {
        words = results.allocate(DenseColumn.bitmapBytes(count), Long.BYTES);
        words.fill((byte) 0xff);
        bitmap = words;
      }
      Bitmaps.set(words, i, false);
    }

    @Nullable MemorySegment bitmap() {
      return bitmap;
    }
  }
}
