package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
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

/**
 * Turns the accumulators of a {@link Grouping} into columns, ordered by the groups' first rows, on
 * the host. Used where groups are few, and for what {@link GroupColumns} does not do.
 */
final class GroupResults {
  private final GridGroupBy plan;
  private final @Nullable GroupSpace places;
  private final HostBuffer accumulators;
  private final HostBuffer keyWords;
  private final List<HostBuffer> totals;
  private final int groups;
  private HostBuffer sorted = HostBuffer.NONE;
  private final int words;

  /**
   * @param places null where the table numbers the groups
   */
  GroupResults(
      GridGroupBy plan, @Nullable GroupSpace places, GroupTable table, Accumulators accumulators) {
    this.plan = plan;
    this.places = places;
    this.totals = accumulators.totals().stream().map(DeviceBuffer::onHost).toList();
    this.groups = places == null ? table.groups() : places.size();
    words = plan.layout.words().size();
    this.accumulators = accumulators.words(0, groups).onHost();
    keyWords = table.keys().onHost();
  }

  Groups collect(List<ElementType> keyElements, Scratch scratch, BufferAllocator results) {
    GroupOrder order = new GroupOrder(scratch, groups);
    for (int g = 0; g < groups; g++) {
      StopSignal.poll(g);
      long firstRow = accumulators.longAt((long) g * words + AccumulatorLayout.FIRST_ROW);
      if (firstRow != AccumulatorLayout.NO_ROW) {
        order.add(g, firstRow);
      }
    }
    order.sort(plan.sort);
    int count = order.count();
    sorted = scratch.pin((long) count * words * Long.BYTES);
    long[] group = new long[words];
    for (int i = 0; i < count; i++) {
      StopSignal.poll(i);
      accumulators.read((long) order.group(i) * words, group, 0, words);
      sorted.write((long) i * words, group, 0, words);
    }
    List<DenseColumn> keys = new ArrayList<>();
    for (int k = 0; k < plan.keys.size(); k++) {
      keys.add(keyColumn(k, keyElements.get(k), order, results));
    }
    List<DenseColumn> aggregates = new ArrayList<>();
    for (AccumulatorLayout.Slot slot : plan.layout.slots()) {
      aggregates.add(aggregateColumn(slot, order, results));
    }
    return new Groups(count, keys, aggregates);
  }

  /** A word of the group that comes {@code i}-th. */
  private long word(int i, int word) {
    return sorted.longAt((long) i * words + word);
  }

  private DenseColumn keyColumn(
      int key, ElementType element, GroupOrder order, BufferAllocator results) {
    int count = order.count();
    HostBuffer values = results.pin((long) count * element.bytes());
    Validity validity = new Validity(count, results);
    long[] row = new long[plan.keyWords.count()];
    for (int i = 0; i < count; i++) {
      int group = order.group(i);
      long value;
      boolean isNull;
      if (places != null) {
        isNull = places.isNull(key, group);
        value = places.key(key, group);
      } else {
        keyWords.read((long) group * row.length, row, 0, row.length);
        value = row[key];
        isNull = plan.keyWords.isNull(key, row);
      }
      element.setRawAt(values, i, isNull ? 0 : value);
      validity.put(i, !isNull);
    }
    return new DenseColumn(LaneInputs.element(element), values, validity.bitmap());
  }

  private DenseColumn aggregateColumn(
      AccumulatorLayout.Slot slot, GroupOrder order, BufferAllocator results) {
    int count = order.count();
    Element element = AccumulatorLayout.resultElement(slot);
    HostBuffer values = results.pin((long) count * element.bytes());
    Validity validity = new Validity(count, results);
    for (int i = 0; i < count; i++) {
      boolean present = slot.function() == Aggregate.Function.COUNT || valueCount(slot, i) > 0;
      long raw = present ? raw(slot, i, order) : 0;
      switch (element) {
        case I32, F32 -> values.setInt(i, (int) raw);
        default -> values.setLong(i, raw);
      }
      validity.put(i, present);
    }
    return new DenseColumn(element, values, validity.bitmap());
  }

  private long valueCount(AccumulatorLayout.Slot slot, int i) {
    long rows = word(i, AccumulatorLayout.ROWS);
    return slot.nulls() == AccumulatorLayout.NO_NULLS ? rows : rows - word(i, slot.nulls());
  }

  private long raw(AccumulatorLayout.Slot slot, int i, GroupOrder order) {
    return switch (slot.function()) {
      case COUNT -> valueCount(slot, i);
      case MIN, MAX -> OrderWords.raw(slot.type(), word(i, slot.value()));
      case SUM -> {
        if (slot.floatSum() >= 0) {
          yield totals.get(slot.floatSum()).longAt(order.group(i));
        }
        long low = word(i, slot.value());
        yield slot.type() == Type.I64 ? joined(word(i, slot.value() + 1), low) : low;
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
