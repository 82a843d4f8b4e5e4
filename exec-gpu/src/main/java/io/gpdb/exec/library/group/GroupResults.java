package io.gpdb.exec.library.group;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.HostLoop;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.Accumulators;
import io.gpdb.exec.library.group.accumulator.GroupSpace;
import io.gpdb.exec.library.key.GroupTable;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.reduce.Aggregate;
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
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Turns the accumulators of a {@link Grouping} into columns, ordered by the groups' first rows, by
 * the host's threads, which share pieces of that order. On a GPU it is used where groups are few,
 * and for what {@link GroupColumns} does not do.
 */
final class GroupResults {
  /** Groups that a thread takes at once. */
  private static final int SHARED_GROUPS = 16 * GroupPiece.GROUPS;

  private final GridGroupBy plan;
  private final @Nullable GroupSpace places;
  private final HostBuffer accumulators;
  private final HostBuffer keyWords;
  private final List<HostBuffer> totals;
  private final int groups;
  private final long rows;

  /** Of all sums that do not fit 64 bits, the group that comes first. */
  private final AtomicInteger tooLarge = new AtomicInteger(Integer.MAX_VALUE);

  /**
   * @param places null where the table numbers the groups
   * @param rows above the numbers of all rows
   */
  GroupResults(
      GridGroupBy plan,
      @Nullable GroupSpace places,
      GroupTable table,
      Accumulators accumulators,
      long rows) {
    this.plan = plan;
    this.places = places;
    this.rows = rows;
    this.totals = accumulators.totals().stream().map(DeviceBuffer::onHost).toList();
    this.groups = places == null ? table.groups() : places.size();
    this.accumulators = accumulators.words(0, groups).onHost();
    keyWords = table.keys().onHost();
  }

  Groups collect(List<ElementType> keyElements, Scratch scratch, BufferAllocator results) {
    int words = plan.layout.words().size();
    GroupOrder order =
        GroupOrder.of(plan.device, plan.sort, accumulators, words, groups, rows, scratch);
    int count = order.count();
    List<GroupPiece.Column> keys = new ArrayList<>();
    for (int k = 0; k < keyElements.size(); k++) {
      boolean nullable = places != null || plan.keyWords.isNullable(k);
      keys.add(column(keyElements.get(k), count, nullable, results));
    }
    List<GroupPiece.Column> aggregates = new ArrayList<>();
    for (AccumulatorLayout.Slot slot : plan.layout.slots()) {
      boolean nullable =
          slot.nulls() != AccumulatorLayout.NO_NULLS && slot.function() != Aggregate.Function.COUNT;
      aggregates.add(column(element(slot), count, nullable, results));
    }
    Queue<GroupPiece> idle = new ConcurrentLinkedQueue<>();
    plan.device.share(
        Math.ceilDiv(count, SHARED_GROUPS),
        i -> {
          StopSignal.poll();
          GroupPiece polled = idle.poll();
          GroupPiece piece = polled == null ? new GroupPiece(plan.layout, plan.keyWords) : polled;
          int end = Math.min(count, (i + 1) * SHARED_GROUPS);
          HostLoop.run(
              i * SHARED_GROUPS,
              end,
              (from, to) -> {
                piece.take(order, from, to, accumulators, places == null ? keyWords : null);
                write(piece, keys, aggregates);
              });
          idle.add(piece);
        });
    if (tooLarge.get() < count) {
      raiseTooLarge(order.groups().intAt(tooLarge.get()));
    }
    return new Groups(
        count,
        keys.stream().map(GroupResults::dense).toList(),
        aggregates.stream().map(GroupResults::dense).toList());
  }

  private void write(
      GroupPiece piece, List<GroupPiece.Column> keys, List<GroupPiece.Column> aggregates) {
    for (int k = 0; k < keys.size(); k++) {
      if (places == null) {
        piece.writeKey(keys.get(k), k);
      } else {
        int width = (int) (long) places.widths().get(k);
        piece.writeDigit(keys.get(k), (int) places.stride(k), width, places.least().get(k));
      }
    }
    for (int a = 0; a < aggregates.size(); a++) {
      AccumulatorLayout.Slot slot = plan.layout.slots().get(a);
      HostBuffer sums = slot.floatSum() < 0 ? null : totals.get(slot.floatSum());
      int beyond = piece.writeAggregate(aggregates.get(a), slot, sums);
      if (beyond >= 0) {
        tooLarge.accumulateAndGet(beyond, Math::min);
      }
    }
  }

  private static GroupPiece.Column column(
      ElementType element, int count, boolean nullable, BufferAllocator results) {
    return new GroupPiece.Column(
        element,
        results.pin((long) count * element.bytes()),
        nullable ? results.pin(DenseColumn.bitmapBytes(count)) : null);
  }

  private static ElementType element(AccumulatorLayout.Slot slot) {
    Element element = AccumulatorLayout.resultElement(slot);
    return switch (element) {
      case I32 -> ElementType.I32;
      case I64 -> ElementType.I64;
      case F32 -> ElementType.F32;
      case F64 -> ElementType.F64;
      case I8, I16 -> throw new IllegalStateException("no result is " + element);
    };
  }

  private static DenseColumn dense(GroupPiece.Column column) {
    return new DenseColumn(
        LaneInputs.element(column.element()), column.values(), column.validity());
  }

  private void raiseTooLarge(int group) {
    for (AccumulatorLayout.Slot slot : plan.layout.slots()) {
      if (slot.isWideSum()) {
        long at = (long) group * plan.layout.words().size() + slot.value();
        BigInteger high = BigInteger.valueOf(accumulators.longAt(at + 1)).shiftLeft(32);
        BigInteger sum = high.add(BigInteger.valueOf(accumulators.longAt(at)));
        if (sum.bitLength() > Long.SIZE - 1) {
          throw new GpdbException(
              ErrorCode.NUMERIC_OUT_OF_RANGE, "sum does not fit 64 bits: sum=" + sum);
        }
      }
    }
    throw new IllegalStateException("no sum is too large: group=" + group);
  }
}
