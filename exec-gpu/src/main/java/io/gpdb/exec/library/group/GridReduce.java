package io.gpdb.exec.library.group;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.KeptLaunch;
import io.gpdb.exec.LaunchGroup;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scan, filter and several aggregates without groups, in one kernel and one pass over all parts of
 * a table. Called by the planner. A block takes 16 384 rows, each of 1024 lanes every 1024th of
 * them; a row that does not pass contributes the identity of each reduction, so that the usual
 * kernel has no branch but the range check; on a GPU a lane takes several rows in a turn, without
 * that, and a block that sums no floats has fewer lanes ({@link ReduceShape}). Each block leaves
 * one partial result per aggregate; the host combines them in block order, then tablets in the
 * order in which the caller adds them. Thread-safe.
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

  /** Of how many devices the memory is. */
  private final int parts;

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
        device.memory().isHosts() ? ReduceShape.HOST : ReduceShape.GPU);
  }

  GridReduce(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<Aggregate> aggregates,
      ReduceShape shape) {
    this.name = KernelLibrary.identifier(name);
    parts = device.memory().parts();
    this.aggregates = List.copyOf(aggregates);
    this.kernels =
        new LaneKernels<>(
            device,
            variant ->
                new ReduceText(this.name, inputs, variant, filter, this.aggregates, shape).write());
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
   * kernel that they need. What is launched again when it was kept is one of each variant and part
   * of the device's memory. Used by one thread.
   */
  public final class Window {
    private final Map<PassKey, Pass> passes = new LinkedHashMap<>();
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
      if (pass == null || pass.key.part != partOf(bindings) || !pass.isOf(bindings, live)) {
        PassKey key = new PassKey(LaneVariant.of(bindings, live), partOf(bindings));
        pass = passes.computeIfAbsent(key, Pass::new);
        last = pass;
      }
      return pass;
    }

    private int partOf(LaneBindings bindings) {
      return parts == 1 ? 0 : bindings.part();
    }

    /**
     * Launches.
     *
     * @param before the aggregates of the rows before, null for none; the tablets' are merged into
     *     them one after the other, so that results do not depend on where windows end
     */
    public Partial finish(@Nullable Partial before) {
      try (Scratch scratch = new Scratch()) {
        Map<LaneVariant, List<LaunchGroup>> launches = new LinkedHashMap<>();
        for (Pass pass : passes.values()) {
          pass.bind(scratch);
          launches.computeIfAbsent(pass.key.variant, _ -> new ArrayList<>()).addAll(pass.groups);
        }
        launches.forEach(this::launch);
        passes.values().forEach(pass -> pass.takeToHost(scratch));
        return merged(before);
      }
    }

    private void launch(LaneVariant variant, List<LaunchGroup> groups) {
      if (groups.stream().anyMatch(group -> group.blocks() > 0)) {
        KernelLibrary.launch(kernels.get(variant).kernel(), groups);
      }
    }

    /** Where no order shows, pass by pass: tablets of several parts take turns. */
    private Partial merged(@Nullable Partial before) {
      Partial all = before;
      if (parts > 1 && passes.values().stream().noneMatch(Pass::sumsFloats)) {
        for (Pass pass : passes.values()) {
          Partial next = pass.partial(0, pass.firstBlocks.size());
          all = all == null ? next : all.merge(next);
        }
        return all == null ? empty() : all;
      }
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
        for (Pass pass : window.passes.values()) {
          if (!pass.endKept(scratch)) {
            return null;
          }
        }
        return window.merged(before);
      }
    }
  }

  /** What the tablets of a pass have in common. */
  private record PassKey(LaneVariant variant, int part) {}

  /** The tablets of a window that run the same variant, and are in one part of the memory. */
  private final class Pass {
    private final PassKey key;
    private final Ready<ReduceText.Places> ready;
    private final List<LaunchGroup> groups = new ArrayList<>();
    private final List<Integer> firstBlocks = new ArrayList<>();
    private final List<HostBuffer> onHost = new ArrayList<>();
    private int blocks;
    private long[] starts = {0};
    private DeviceBuffer partials = HostBuffer.NONE;
    private @Nullable KeptLaunch kept;

    Pass(PassKey key) {
      this.key = key;
      ready = kernels.get(key.variant);
    }

    boolean isOf(LaneBindings bindings, boolean live) {
      return key.variant.isOf(bindings, live);
    }

    int add(Arguments arguments, int rows) {
      firstBlocks.add(blocks);
      int count = LaneKernels.blocks(rows, ReduceText.BLOCK_ROWS);
      groups.add(new LaunchGroup(count, arguments, rows));
      blocks += count;
      return groups.size() - 1;
    }

    /** The partial results of all parts are neighbours, so that one copy takes them to the host. */
    void bind(Scratch scratch) {
      reserve(scratch);
      for (int group = 0; group < groups.size(); group++) {
        bindPartials(group);
      }
    }

    private void reserve(Scratch scratch) {
      starts = partStarts();
      partials = forHost(scratch, starts[starts.length - 1]);
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

    private void bindPartials(int group) {
      LaunchGroup bound = groups.get(group);
      List<ReducePart> parts = ready.places().parts();
      for (int p = 0; p < parts.size(); p++) {
        int bytes = parts.get(p).element().bytes();
        long at = starts[p] + (long) firstBlocks.get(group) * bytes;
        DeviceBuffer own = partials.slice(at, (long) bound.blocks() * bytes);
        bound.arguments().buffer(parts.get(p).buffer(), own);
      }
    }

    void takeToHost(Scratch scratch) {
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
      if (launch == null || !key.variant.hasNullsOf(bindings)) {
        return false;
      }
      reserve(scratch);
      Arguments first = groups.getFirst().arguments();
      ready.layout().bindParameters(first, bindings);
      bindPartials(0);
      return launch.enqueue(first);
    }

    /** Whether what was launched counts. */
    boolean endKept(Scratch scratch) {
      takeToHost(scratch);
      return kept != null && kept.isCurrent();
    }

    /**
     * Few results are stored where the host reads them; many are copied faster. Of several devices
     * none is waited for before all have their work, as it is where the host's memory is used.
     */
    private DeviceBuffer forHost(Scratch scratch, long bytes) {
      return blocks <= STORED_BLOCKS_MAX && parts == 1
          ? scratch.pin(bytes)
          : scratch.allocate(bytes, key.part);
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
    BlockPartials blocks = new BlockPartials(partials, from, to);
    long rows = blocks.rows();
    return new Partial(rows, blocks.values(aggregates, places, rows));
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
