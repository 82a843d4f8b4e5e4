package io.gpdb.exec.library.group;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.KeptLaunch;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.Type;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.OrderWords;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scan, filter and several aggregates without groups, in one kernel and one pass over all parts of
 * a table. Called by the planner. A block takes 16 384 rows, each lane every 1024th of them; a row
 * that does not pass contributes the identity of each reduction, so that the usual kernel has no
 * branch but the range check; on a GPU a lane takes four rows in a turn, without that. Each block
 * leaves one partial result per aggregate; the host combines them in block order, then tablets in
 * the order in which the caller adds them. Thread-safe.
 *
 * <p><b>Order of float sums</b>: a lane adds its rows from the first to the last, to 0.0; the tree
 * of {@link io.gpdb.exec.ir.Op.BlockReduce} adds the lanes; then blocks of a tablet from the first
 * to the last; then tablets. It depends on row numbers only, so it is the same on every device,
 * with any number of workers and windows. Sums of f32 are made in f64.
 *
 * <p><b>Integer sums</b> are exact: i64 arguments are summed as high and low halves, so that no
 * partial sum can wrap before 2^31 blocks.
 */
public final class GridReduce {
  /** 16 M rows: on a GPU a store to the host's memory costs 2 ns, a copy 5 microseconds. */
  private static final int STORED_BLOCKS_MAX = 1024;

  private static final long PART_ALIGNMENT = Long.BYTES;

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
    this(
        device,
        name,
        inputs,
        filter,
        aggregates,
        device.memory().isHosts() ? 1 : ReduceText.GPU_ROWS_OF_A_TURN);
  }

  GridReduce(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<Aggregate> aggregates,
      int rowsOfATurn) {
    this.name = KernelLibrary.identifier(name);
    this.aggregates = List.copyOf(aggregates);
    this.kernels =
        new LaneKernels<>(
            device,
            variant ->
                new ReduceText(this.name, inputs, variant, filter, this.aggregates, rowsOfATurn)
                    .write());
  }

  /**
   * Reduces one tablet.
   *
   * @param live bitmap, bit set = row exists; null when all do
   */
  public Partial run(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    return start().add(bindings, rows, live).finish(null);
  }

  /** A window of tablets that are reduced together. */
  public Window start() {
    return new Window();
  }

  /**
   * Tablets that one grouped launch reduces, a group for each; one launch for each variant of the
   * kernel that they need. Used by one thread.
   */
  public final class Window {
    private final Map<LaneVariant, Pass> passes = new LinkedHashMap<>();
    private final List<Place> places = new ArrayList<>();
    private @Nullable Pass last;

    /** Where the partial results of a tablet are. */
    private record Place(Pass pass, int group) {}

    private Window() {}

    /**
     * Adds the next tablet; what is bound must stay valid until {@link #finish} returns.
     *
     * @param live bitmap, bit set = row exists; null when all do
     */
    public Window add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
      Pass pass = pass(bindings, live != null);
      places.add(new Place(pass, pass.add(LaneScan.bind(pass.ready, bindings, rows, live), rows)));
      return this;
    }

    /** Most tablets need the variant of the one before. */
    private Pass pass(LaneBindings bindings, boolean live) {
      Pass pass = last;
      if (pass == null || !pass.variant.isOf(bindings, live)) {
        LaneVariant variant = LaneVariant.of(bindings, live);
        pass = passes.computeIfAbsent(variant, Pass::new);
        last = pass;
      }
      return pass;
    }

    /**
     * Launches.
     *
     * @param before the aggregates of the rows before, null for none; the tablets' are merged into
     *     them one after the other, so that results do not depend on where windows end
     */
    public Partial finish(@Nullable Partial before) {
      try (Scratch scratch = new Scratch()) {
        passes.values().forEach(pass -> pass.launch(scratch));
        return merged(before);
      }
    }

    private Partial merged(@Nullable Partial before) {
      Partial all = before;
      for (int from = 0, to; from < places.size(); from = to) {
        Place first = places.get(from);
        to = first.pass.sumsFloats() ? from + 1 : endOfPass(from);
        Partial next = first.pass.partial(first.group, first.group + to - from);
        all = all == null ? next : all.merge(next);
      }
      return all == null ? empty() : all;
    }

    /** Neighbours in one pass are neighbours in its results. */
    private int endOfPass(int from) {
      int to = from + 1;
      while (to < places.size() && places.get(to).pass == places.get(from).pass) {
        to++;
      }
      return to;
    }

    /**
     * The finished window, to be launched again while its tablets' memory does not change; null
     * where the device does not keep it.
     */
    public @Nullable Kept keep() {
      for (Pass pass : passes.values()) {
        if (!pass.keep()) {
          return null;
        }
      }
      return new Kept(this);
    }
  }

  /** A window whose tablets stay bound. Used by one thread at a time. */
  public static final class Kept {
    private final Window window;

    private Kept(Window window) {
      this.window = window;
    }

    /**
     * Launches with other parameters.
     *
     * @return as {@link Window#finish}, right if the tablets' memory has not changed meanwhile;
     *     null where the window has to be bound anew
     */
    public @Nullable Partial run(LaneBindings bindings, @Nullable Partial before) {
      try (Scratch scratch = new Scratch()) {
        for (Pass pass : window.passes.values()) {
          if (!pass.launchKept(scratch, bindings)) {
            return null;
          }
        }
        return window.merged(before);
      }
    }
  }

  /** The tablets of a window that run the same variant. */
  private final class Pass {
    private final LaneVariant variant;
    private final Ready<ReduceText.Places> ready;
    private final List<LaunchGroup> groups = new ArrayList<>();
    private final List<Integer> firstBlocks = new ArrayList<>();
    private final List<HostBuffer> onHost = new ArrayList<>();
    private int blocks;
    private @Nullable KeptLaunch kept;

    Pass(LaneVariant variant) {
      this.variant = variant;
      ready = kernels.get(variant);
    }

    int add(Arguments arguments, int rows) {
      firstBlocks.add(blocks);
      int count = LaneKernels.blocks(rows, ReduceText.BLOCK_ROWS);
      groups.add(new LaunchGroup(count, arguments, rows));
      blocks += count;
      return groups.size() - 1;
    }

    /** The partial results of all parts are neighbours, so that one copy takes them to the host. */
    void launch(Scratch scratch) {
      long[] starts = partStarts();
      DeviceBuffer partials = forHost(scratch, starts[starts.length - 1]);
      for (int group = 0; group < groups.size(); group++) {
        bindPartials(group, starts, partials);
      }
      if (blocks > 0) {
        KernelLibrary.launch(ready.kernel(), groups);
      }
      takeToHost(scratch, partials, starts);
    }

    /** Where the results of each part begin, and where those of the last end. */
    private long[] partStarts() {
      List<ReducePart> parts = ready.places().parts();
      long[] starts = new long[parts.size() + 1];
      for (int p = 0; p < parts.size(); p++) {
        long bytes = (long) blocks * parts.get(p).element().bytes();
        starts[p + 1] = starts[p] + (bytes + PART_ALIGNMENT - 1) / PART_ALIGNMENT * PART_ALIGNMENT;
      }
      return starts;
    }

    private void bindPartials(int group, long[] starts, DeviceBuffer partials) {
      LaunchGroup bound = groups.get(group);
      List<ReducePart> parts = ready.places().parts();
      for (int p = 0; p < parts.size(); p++) {
        int bytes = parts.get(p).element().bytes();
        long at = starts[p] + (long) firstBlocks.get(group) * bytes;
        DeviceBuffer own = partials.slice(at, (long) bound.blocks() * bytes);
        bound.arguments().buffer(parts.get(p).buffer(), own);
      }
    }

    private void takeToHost(Scratch scratch, DeviceBuffer partials, long[] starts) {
      HostBuffer all = partials instanceof HostBuffer pinned ? pinned : copied(scratch, partials);
      onHost.clear();
      for (int p = 0; p < starts.length - 1; p++) {
        onHost.add(all.slice(starts[p]));
      }
    }

    /** In memory that is there already: a copy of its own would have new pages. */
    private static HostBuffer copied(Scratch scratch, DeviceBuffer partials) {
      HostBuffer copy = scratch.pin(partials.bytes());
      copy.copyFrom(partials, 0, 0, partials.bytes());
      return copy;
    }

    /** Of the groups the first remains, to be bound again; false where they cannot be kept. */
    boolean keep() {
      kept = blocks == 0 ? null : ready.kernel().keep(groups);
      onHost.clear();
      if (kept != null) {
        groups.subList(1, groups.size()).clear();
      }
      return kept != null;
    }

    /** Binds the first group's parameters and results; false where all has to be bound. */
    boolean launchKept(Scratch scratch, LaneBindings bindings) {
      KeptLaunch launch = kept;
      if (launch == null || !variant.hasNullsOf(bindings)) {
        return false;
      }
      long[] starts = partStarts();
      DeviceBuffer partials = forHost(scratch, starts[starts.length - 1]);
      Arguments first = groups.getFirst().arguments();
      ready.layout().bindParameters(first, bindings);
      bindPartials(0, starts, partials);
      if (!launch.enqueue(first)) {
        return false;
      }
      takeToHost(scratch, partials, starts);
      return launch.isCurrent();
    }

    /** Few results are stored where the host reads them; many are copied faster. */
    private DeviceBuffer forHost(Scratch scratch, long bytes) {
      return blocks <= STORED_BLOCKS_MAX ? scratch.pin(bytes) : scratch.allocate(bytes);
    }

    /** Of the groups from..to, which are one tablet where floats are summed. */
    Partial partial(int from, int to) {
      int end = to < firstBlocks.size() ? firstBlocks.get(to) : blocks;
      return combine(ready.places(), onHost, firstBlocks.get(from), end);
    }

    /** Whether the order of additions shows: those of a tablet before those of the next. */
    boolean sumsFloats() {
      ReduceText.Places places = ready.places();
      for (int i = 0; i < aggregates.size(); i++) {
        if (aggregates.get(i).function() == Aggregate.Function.SUM
            && places.sources().get(i).type() == Type.F64) {
          return true;
        }
      }
      return false;
    }
  }

  /** The partial of no rows. */
  public Partial empty() {
    ReduceText.Places places = kernels.written(LaneVariant.plain()).places();
    return combine(places, Collections.nCopies(places.parts().size(), HostBuffer.NONE), 0, 0);
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return kernels.text(LaneVariant.plain());
  }

  Kernel kernel(LaneVariant variant) {
    return kernels.text(variant);
  }

  private Partial combine(ReduceText.Places places, List<HostBuffer> partials, int from, int to) {
    long rows = sumOfInts(partials.get(0), from, to);
    List<ReduceValue> values = new ArrayList<>();
    for (int i = 0; i < aggregates.size(); i++) {
      ReduceText.Sources sources = places.sources().get(i);
      long count = sources.count() == 0 ? rows : sumOfInts(partials.get(sources.count()), from, to);
      Aggregate.Function function = aggregates.get(i).function();
      values.add(
          switch (function) {
            case COUNT -> new ReduceValue(function, Type.I64, count, 0, 0);
            case SUM -> sum(partials, sources, count, from, to);
            case MIN, MAX -> extreme(function, partials, sources, count, from, to);
          });
    }
    return new Partial(rows, values);
  }

  private static ReduceValue sum(
      List<HostBuffer> partials, ReduceText.Sources sources, long count, int from, int to) {
    HostBuffer low = partials.get(sources.value());
    if (sources.type() == Type.F64) {
      double total = 0.0;
      for (int i = from; i < to; i++) {
        total += low.doubleAt(i);
      }
      long bits = Double.doubleToRawLongBits(total);
      return new ReduceValue(Aggregate.Function.SUM, Type.F64, count, 0, bits);
    }
    long lowSum = sumOfLongs(low, from, to);
    long highSum = sources.high() < 0 ? 0 : sumOfLongs(partials.get(sources.high()), from, to);
    return new ReduceValue(Aggregate.Function.SUM, Type.I64, count, highSum, lowSum);
  }

  private static ReduceValue extreme(
      Aggregate.Function function,
      List<HostBuffer> partials,
      ReduceText.Sources sources,
      long count,
      int from,
      int to) {
    Type type = sources.type();
    if (count == 0) {
      return new ReduceValue(function, type, 0, 0, 0);
    }
    boolean wide = OrderWords.type(type) == Type.I64;
    HostBuffer extremes = partials.get(sources.value());
    boolean least = function == Aggregate.Function.MIN;
    long best = least ? Long.MAX_VALUE : Long.MIN_VALUE;
    for (int i = from; i < to; i++) {
      long next = wide ? extremes.longAt(i) : extremes.intAt(i);
      best = least ? Math.min(best, next) : Math.max(best, next);
    }
    return new ReduceValue(function, type, count, 0, OrderWords.raw(type, best));
  }

  private static long sumOfInts(HostBuffer buffer, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
      sum += buffer.intAt(i);
    }
    return sum;
  }

  private static long sumOfLongs(HostBuffer buffer, int from, int to) {
    long sum = 0;
    for (int i = from; i < to; i++) {
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
