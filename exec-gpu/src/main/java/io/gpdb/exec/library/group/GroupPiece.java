package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.OrderWords;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.partition.RowPartitions;
import io.gpdb.exec.library.key.KeyWords;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.memory.HostBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Some groups that follow each other in the order, and their values column by column: loops over
 * arrays of the heap. Used by one thread at a time, which keeps it for its next groups.
 */
public final class GroupPiece {
  /** As few as a loop should take at a call; a multiple of the bits of a bitmap's word. */
  static final int GROUPS = RowPartitions.CALL_ROWS;

  private final KeyWords keyWords;
  private final int words;
  private final int[] groups = new int[GROUPS];
  private final long[] records;
  private final long[] keys;
  private final long[] values = new long[GROUPS];
  private final boolean[] isNull = new boolean[GROUPS];
  private int first;
  private int count;

  GroupPiece(AccumulatorLayout layout, KeyWords keyWords) {
    this.keyWords = keyWords;
    words = layout.words().size();
    records = new long[GROUPS * words];
    keys = new long[GROUPS * keyWords.count()];
  }

  /** A column in the making; threads write different groups of it. */
  static final class Column {
    private final ElementType element;
    private final HostBuffer values;
    private final @Nullable HostBuffer validity;
    private volatile boolean hasNull;

    /**
     * @param validity null where no value may be NULL
     */
    Column(ElementType element, HostBuffer values, @Nullable HostBuffer validity) {
      this.element = element;
      this.values = values;
      this.validity = validity;
    }

    ElementType element() {
      return element;
    }

    HostBuffer values() {
      return values;
    }

    /** A bitmap without a NULL is none. */
    @Nullable HostBuffer validity() {
      return hasNull ? validity : null;
    }
  }

  /** Takes groups {@code from} to {@code to}-1 of the order, at most {@link #GROUPS}. */
  void take(
      GroupOrder order,
      int from,
      int to,
      HostBuffer accumulators,
      @Nullable HostBuffer keyRecords) {
    first = from;
    count = to - from;
    order.groups().read(from, groups, 0, count);
    gather(accumulators, groups, count, words, records);
    if (keyRecords != null) {
      gather(keyRecords, groups, count, keyWords.count(), keys);
    }
  }

  private static void gather(HostBuffer from, int[] groups, int n, int words, long[] to) {
    int at = 0;
    for (int i = 0; i < n; i++) {
      long group = (long) groups[i] * words;
      for (int w = 0; w < words; w++) {
        to[at++] = from.longAt(group + w);
      }
    }
  }

  /** Key k where places say it: from {@code least} on, and NULL at {@code width}. */
  void writeDigit(Column to, int stride, int width, long least) {
    for (int i = 0; i < count; i++) {
      int digit = stride == 1 ? groups[i] : groups[i] / stride;
      digit = digit <= width ? digit : digit % (width + 1);
      isNull[i] = digit == width;
      values[i] = isNull[i] ? 0 : least + digit;
    }
    write(to, true);
  }

  /** Key k where the table has its words. */
  void writeKey(Column to, int k) {
    int ofKey = keyWords.count();
    boolean nullable = keyWords.isNullable(k);
    for (int i = 0; i < count; i++) {
      values[i] = keys[i * ofKey + k];
    }
    if (nullable && keyWords.hasNullBit(k)) {
      for (int i = 0; i < count; i++) {
        isNull[i] = (keys[(i + 1) * ofKey - 1] >>> k & 1) != 0;
      }
    } else if (nullable) {
      for (int i = 0; i < count; i++) {
        isNull[i] = values[i] == KeyWords.NARROW_NULL;
      }
    }
    write(to, nullable);
  }

  /**
   * An aggregate.
   *
   * @param totals of its float sum, if it is one
   * @return the first of the groups whose sum does not fit 64 bits, or -1
   */
  int writeAggregate(Column to, AccumulatorLayout.Slot slot, @Nullable HostBuffer totals) {
    int tooLarge = -1;
    boolean isCount = slot.function() == Aggregate.Function.COUNT;
    boolean nullable = slot.nulls() != AccumulatorLayout.NO_NULLS;
    if (isCount) {
      countValues(slot);
    } else if (totals != null) {
      for (int i = 0; i < count; i++) {
        values[i] = totals.longAt(groups[i]);
      }
    } else if (slot.isWideSum()) {
      tooLarge = joinHalves(slot.value());
    } else {
      copy(slot.value());
      if (slot.function() != Aggregate.Function.SUM) {
        makeRaw(slot.type());
      }
    }
    if (nullable && !isCount) {
      for (int i = 0; i < count; i++) {
        isNull[i] =
            records[i * words + slot.nulls()] == records[i * words + AccumulatorLayout.ROWS];
      }
    }
    write(to, nullable && !isCount);
    return tooLarge < 0 ? -1 : first + tooLarge;
  }

  private void copy(int word) {
    for (int i = 0; i < count; i++) {
      values[i] = records[i * words + word];
    }
  }

  private void countValues(AccumulatorLayout.Slot slot) {
    copy(AccumulatorLayout.ROWS);
    if (slot.nulls() != AccumulatorLayout.NO_NULLS) {
      for (int i = 0; i < count; i++) {
        values[i] -= records[i * words + slot.nulls()];
      }
    }
  }

  private void makeRaw(Type type) {
    if (type == Type.F32 || type == Type.F64) {
      for (int i = 0; i < count; i++) {
        values[i] = OrderWords.raw(type, values[i]);
      }
    }
  }

  /** high * 2^32 + low, both sums over many rows. */
  private int joinHalves(int word) {
    int tooLarge = -1;
    for (int i = 0; i < count; i++) {
      long low = records[i * words + word];
      long carried = records[i * words + word + 1] + (low >>> 32);
      if (carried != (int) carried && tooLarge < 0) {
        tooLarge = i;
      }
      values[i] = (carried << 32) | (low & 0xffffffffL);
    }
    return tooLarge;
  }

  private void write(Column to, boolean nullable) {
    if (nullable) {
      writeValidity(to);
    }
    switch (to.element) {
      case I64, F64 -> to.values.write(first, values, 0, count);
      case I32, F32, CODE -> {
        int[] narrow = new int[count];
        for (int i = 0; i < count; i++) {
          narrow[i] = (int) values[i];
        }
        to.values.write(first, narrow, 0, count);
      }
      case I8, I16 -> {
        for (int i = 0; i < count; i++) {
          to.element.setRawAt(to.values, first + i, values[i]);
        }
      }
    }
  }

  private void writeValidity(Column to) {
    int[] bits = new int[Math.ceilDiv(count, Integer.SIZE)];
    Arrays.fill(bits, -1);
    boolean any = false;
    for (int i = 0; i < count; i++) {
      if (isNull[i]) {
        bits[i >> 5] &= ~(1 << i);
        values[i] = 0;
        any = true;
      }
    }
    HostBuffer validity = to.validity;
    if (validity == null) {
      throw new IllegalStateException("a column that may be NULL has no bitmap");
    }
    validity.write(first >> 5, bits, 0, bits.length);
    if (any) {
      to.hasNull = true;
    }
  }
}
