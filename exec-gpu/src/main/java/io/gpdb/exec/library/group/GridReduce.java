package io.gpdb.exec.library.group;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scan, filter and several aggregates without groups, in one kernel and one pass. Called by the
 * planner, one launch per tablet. One lane per row; a row that does not pass contributes the
 * identity of each reduction, so that the usual kernel has no branch but the range check. Each
 * block leaves one partial result per aggregate; the host combines them in block order, and {@link
 * Partial#merge} tablets in the order in which the caller passes them. Thread-safe.
 *
 * <p><b>Order of float sums</b>: in a block of 1024 rows the tree of {@link
 * io.gpdb.exec.ir.Op.BlockReduce} over all lanes, in which rows that do not count are 0.0; blocks
 * from the first to the last; then tablets. It depends on row numbers only, so it is the same on
 * every device. Sums of f32 are made in f64.
 *
 * <p><b>Integer sums</b> are exact: i64 arguments are summed as high and low halves, so that no
 * partial sum can wrap before 2^31 blocks.
 */
public final class GridReduce {
  private final String name;
  private final List<Aggregate> aggregates;
  private final LaneKernels<ReduceText.Places> kernels;

  /**
   * @param filter null lets every live row through
   */
  public GridReduce(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<Aggregate> aggregates) {
    this.name = KernelLibrary.identifier(name);
    this.aggregates = List.copyOf(aggregates);
    this.kernels =
        new LaneKernels<>(
            device,
            variant -> new ReduceText(this.name, inputs, variant, filter, this.aggregates).write());
  }

  /**
   * Reduces one tablet.
   *
   * @param live bitmap, bit set = row exists; null when all do
   */
  public Partial run(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    Ready<ReduceText.Places> ready = kernels.get(LaneVariant.of(bindings, live != null));
    int blocks = LaneKernels.blocks(rows, ReduceText.BLOCK_LANES);
    Arguments arguments = LaneScan.bind(ready, bindings, rows, live);
    try (Scratch scratch = new Scratch()) {
      List<DeviceBuffer> partials = new ArrayList<>();
      for (ReducePart part : ready.places().parts()) {
        DeviceBuffer partial = scratch.allocate((long) blocks * part.element().bytes());
        arguments.buffer(part.buffer(), partial);
        partials.add(partial);
      }
      KernelLibrary.launch(ready.kernel(), blocks, arguments);
      return combine(ready.places(), partials.stream().map(DeviceBuffer::onHost).toList(), blocks);
    }
  }

  /** The partial of no rows. */
  public Partial empty() {
    ReduceText.Places places = kernels.written(LaneVariant.plain()).places();
    return combine(places, Collections.nCopies(places.parts().size(), HostBuffer.NONE), 0);
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return kernels.text(LaneVariant.plain());
  }

  Kernel kernel(LaneVariant variant) {
    return kernels.text(variant);
  }

  private Partial combine(ReduceText.Places places, List<HostBuffer> partials, int blocks) {
    long rows = sumOfInts(partials.get(0), blocks);
    List<ReduceValue> values = new ArrayList<>();
    for (int i = 0; i < aggregates.size(); i++) {
      ReduceText.Sources sources = places.sources().get(i);
      long count = sources.count() == 0 ? rows : sumOfInts(partials.get(sources.count()), blocks);
      Aggregate.Function function = aggregates.get(i).function();
      values.add(
          switch (function) {
            case COUNT -> new ReduceValue(function, Type.I64, count, 0, 0);
            case SUM -> sum(places, partials, sources, count, blocks);
            case MIN, MAX -> extreme(function, places, partials, sources, count, blocks);
          });
    }
    return new Partial(rows, values);
  }

  private static ReduceValue sum(
      ReduceText.Places places,
      List<HostBuffer> partials,
      ReduceText.Sources sources,
      long count,
      int blocks) {
    HostBuffer low = partials.get(sources.value());
    if (places.parts().get(sources.value()).type() == Type.F64) {
      double total = 0.0;
      for (int i = 0; i < blocks; i++) {
        total += low.doubleAt(i);
      }
      long bits = Double.doubleToRawLongBits(total);
      return new ReduceValue(Aggregate.Function.SUM, Type.F64, count, 0, bits);
    }
    long lowSum = sumOfLongs(low, blocks);
    long highSum = sources.high() < 0 ? 0 : sumOfLongs(partials.get(sources.high()), blocks);
    return new ReduceValue(Aggregate.Function.SUM, Type.I64, count, highSum, lowSum);
  }

  private static ReduceValue extreme(
      Aggregate.Function function,
      ReduceText.Places places,
      List<HostBuffer> partials,
      ReduceText.Sources sources,
      long count,
      int blocks) {
    Type type = places.parts().get(sources.value()).type();
    HostBuffer extremes = partials.get(sources.value());
    ReduceValue result = new ReduceValue(function, type, 0, 0, 0);
    for (int i = 0; i < blocks && count > 0; i++) {
      result = result.merge(new ReduceValue(function, type, 1, 0, raw(type, extremes, i)));
    }
    return new ReduceValue(function, type, count, 0, result.bits());
  }

  private static long raw(Type type, HostBuffer buffer, long index) {
    return switch (type) {
      case I32, F32 -> buffer.intAt(index);
      case I64, F64 -> buffer.longAt(index);
      case PRED -> throw new IllegalArgumentException("no predicates in memory");
    };
  }

  private static long sumOfInts(HostBuffer buffer, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += buffer.intAt(i);
    }
    return sum;
  }

  private static long sumOfLongs(HostBuffer buffer, int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      sum += buffer.longAt(i);
    }
    return sum;
  }

  /** The aggregates of some rows. Immutable. */
  public static final class Partial {
    private final long rows;
    private final List<ReduceValue> values;

    private Partial(long rows, List<ReduceValue> values) {
      this.rows = rows;
      this.values = List.copyOf(values);
    }

    /** The aggregates of these rows followed by {@code next}'s: merge tablets in their order. */
    public Partial merge(Partial next) {
      List<ReduceValue> merged = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        merged.add(values.get(i).merge(next.values.get(i)));
      }
      return new Partial(rows + next.rows, merged);
    }

    /** Rows that passed the filter. */
    public long rows() {
      return rows;
    }

    /** The result's type, see {@link Aggregate}. */
    public Type type(int aggregate) {
      return values.get(aggregate).type();
    }

    public boolean isNull(int aggregate) {
      return values.get(aggregate).isNull();
    }

    /** The aggregate as raw bits; NUMERIC_OUT_OF_RANGE when an integer sum does not fit i64. */
    public long raw(int aggregate) {
      return values.get(aggregate).raw();
    }

    /** An integer sum, however large; 0 of no values. */
    public BigInteger exactSum(int aggregate) {
      return values.get(aggregate).exactSum();
    }
  }
}
