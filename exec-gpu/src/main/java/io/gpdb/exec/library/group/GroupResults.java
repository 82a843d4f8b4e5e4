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
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the accumulators of a {@link Grouping} into columns, ordered by the groups' first rows. */
final class GroupResults {
  private final GridGroupBy plan;
  private final int[] limits;
  private final @Nullable GroupTable table;
  private final HostBuffer accumulators;
  private final HostBuffer keyWords;
  private final List<HostBuffer> totals;
  private final int groups;
  private final int words;

  /**
   * @param table null where the group's number follows from its keys
   */
  GroupResults(
      GridGroupBy plan,
      int[] limits,
      @Nullable GroupTable table,
      DeviceBuffer accumulators,
      List<DeviceBuffer> totals,
      int groups) {
    this.plan = plan;
    this.limits = limits;
    this.table = table;
    this.totals = totals.stream().map(DeviceBuffer::onHost).toList();
    this.groups = groups;
    words = plan.layout.words().size();
    this.accumulators = accumulators.slice(0, (long) groups * words * Long.BYTES).onHost();
    keyWords = table == null ? HostBuffer.NONE : table.keys().onHost();
  }

  Groups collect(Scratch scratch, BufferAllocator results) {
    HostBuffer firstRows = scratch.pin((long) groups << 3);
    HostBuffer order = scratch.pin((long) groups << 2);
    int count = 0;
    for (int g = 0; g < groups; g++) {
      StopSignal.poll(g);
      if (word(g, AccumulatorLayout.ROWS) > 0) {
        firstRows.setLong(count, word(g, AccumulatorLayout.FIRST_ROW));
        order.setInt(count, g);
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
    DeviceBuffer first = results.allocate((long) count << 3);
    first.copyFrom(firstRows, 0, 0, (long) count << 3);
    return new Groups(count, keys, aggregates, first);
  }

  private long word(int group, int word) {
    return accumulators.longAt((long) group * words + word);
  }

  private static int group(HostBuffer order, int i) {
    return order.intAt(i);
  }

  private DenseColumn keyColumn(int key, HostBuffer order, int count, BufferAllocator results) {
    HostBuffer values = results.pin((long) count << 3);
    Validity validity = new Validity(count, results);
    long stride = 1;
    for (int k = key + 1; k < limits.length; k++) {
      stride *= limits[k] + 1L;
    }
    long[] row = new long[plan.keyWords.count()];
    for (int i = 0; i < count; i++) {
      int group = group(order, i);
      long value;
      boolean isNull;
      if (table == null) {
        value = group / stride % (limits[key] + 1L);
        isNull = value == limits[key];
      } else {
        keyWords.read((long) group * row.length, row, 0, row.length);
        value = row[key];
        isNull = plan.keyWords.isNull(key, row);
      }
      values.setLong(i, isNull ? 0 : value);
      validity.put(i, !isNull);
    }
    return new DenseColumn(Element.I64, values, validity.bitmap());
  }

  private DenseColumn aggregateColumn(
      AccumulatorLayout.Slot slot, HostBuffer order, int count, BufferAllocator results) {
    Element element = AccumulatorLayout.resultElement(slot);
    HostBuffer values = results.pin((long) count * element.bytes());
    Validity validity = new Validity(count, results);
    for (int i = 0; i < count; i++) {
      int group = group(order, i);
      boolean present =
          slot.function() == Aggregate.Function.COUNT || word(group, slot.count()) > 0;
      long raw = present ? raw(slot, group) : 0;
      switch (element) {
        case I32, F32 -> values.setInt(i, (int) raw);
        default -> values.setLong(i, raw);
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
          yield totals.get(slot.floatSum()).longAt(group);
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
    private final BufferAllocator results;
    private @Nullable HostBuffer bitmap;

    Validity(int count, BufferAllocator results) {
      this.count = count;
      this.results = results;
    }

    void put(int i, boolean present) {
      if (present) {
        return;
      }
      HostBuffer words = bitmap;
      if (words == null) {
        words = results.pin(DenseColumn.bitmapBytes(count));
        words.fill((byte) 0xff);
        bitmap = words;
      }
      Bitmaps.set(words, i, false);
    }

    @Nullable DeviceBuffer bitmap() {
      return bitmap;
    }
  }
}
