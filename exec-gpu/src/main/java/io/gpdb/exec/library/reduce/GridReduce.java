package io.gpdb.exec.library.reduce;

import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.ir.Kernel;
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
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scan, filter and several aggregates without groups, in one kernel and one pass over all parts of
 * a table. Called by the planner. A block takes 16 384 rows, each of 1024 lanes every 1024th of
 * them; a row that does not pass contributes the identity of each reduction, so that the usual
 * kernel has no branch but the range check; on a GPU a lane takes several rows in a turn, without
 * that, and a block that sums no floats has fewer lanes, and more rows where there are many blocks
 * ({@link ReduceShape}). Each block leaves one partial result per aggregate; the host combines them
 * in block order, then tablets in the order in which the caller adds them. Thread-safe.
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
  private final String name;
  private final List<Aggregate> aggregates;
  private final ReduceShape shape;
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
    this.shape = shape;
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
    private final Map<ReducePass.Key, ReducePass> passes = new LinkedHashMap<>();
    private final List<Place> places = new ArrayList<>();
    private @Nullable ReducePass last;

    /** Where the partial results of a tablet are. */
    private record Place(ReducePass pass, int group) {}

    private Window() {}

    /**
     * Adds the next tablet; what is bound must stay valid until {@link #finish} returns.
     *
     * @param live bitmap, bit set = row exists; null when all do
     */
    public Window add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
      ReducePass pass = pass(bindings, live != null);
      places.add(
          new Place(pass, pass.add(LaneScan.bind(pass.ready(), bindings, rows, live), rows)));
      return this;
    }

    /** Most tablets need the variant of the one before. */
    private ReducePass pass(LaneBindings bindings, boolean live) {
      ReducePass pass = last;
      if (pass == null || pass.key().part() != partOf(bindings) || !pass.isOf(bindings, live)) {
        ReducePass.Key key = new ReducePass.Key(LaneVariant.of(bindings, live), partOf(bindings));
        pass = passes.computeIfAbsent(key, each -> new ReducePass(GridReduce.this, each));
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
        for (ReducePass pass : passes.values()) {
          pass.bind(scratch);
          launches
              .computeIfAbsent(pass.key().variant(), _ -> new ArrayList<>())
              .addAll(pass.groups());
        }
        launches.forEach(this::launch);
        passes.values().forEach(pass -> pass.takeToHost(scratch));
        return merged(before);
      }
    }

    private void launch(LaneVariant variant, List<LaunchGroup> groups) {
      for (LaunchGroup group : groups) {
        if (group.blocks() > 0) {
          KernelLibrary.launch(kernels.get(variant).kernel(), groups);
          return;
        }
      }
    }

    /** Where no order shows, pass by pass: tablets of several parts take turns. */
    private Partial merged(@Nullable Partial before) {
      Partial all = before;
      if (parts > 1 && passes.values().stream().noneMatch(ReducePass::sumsFloats)) {
        for (ReducePass pass : passes.values()) {
          Partial next = pass.partial(0, pass.count());
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
      for (ReducePass pass : passes.values()) {
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
     * Launches windows of one table with other parameters, all of them before the first is waited
     * for.
     *
     * @return as {@link Window#finish} of one after the other, right if the tablets' memory has not
     *     changed meanwhile; null where they have to be bound anew
     */
    public static @Nullable Partial run(List<Kept> windows, LaneBindings bindings) {
      List<ReducePass> passes = new ArrayList<>();
      windows.forEach(each -> passes.addAll(each.window.passes.values()));
      try (Scratch scratch = new Scratch()) {
        if (passes.size() > 1) {
          reserveTogether(passes, scratch);
        } else {
          passes.forEach(pass -> pass.reserve(scratch));
        }
        for (ReducePass pass : passes) {
          if (!pass.launchKept(bindings)) {
            return null;
          }
        }
        takeToHost(passes, scratch);
        Partial all = null;
        for (Kept each : windows) {
          if (!each.isCurrent()) {
            return null;
          }
          all = each.window.merged(all);
        }
        return all;
      }
    }

    /** The results of all passes of a part are neighbours; no launch has to do with the host. */
    private static void reserveTogether(List<ReducePass> passes, Scratch scratch) {
      Map<Integer, Long> bytes = new LinkedHashMap<>();
      passes.forEach(pass -> bytes.merge(pass.key().part(), pass.bytes(), Long::sum));
      Map<Integer, DeviceBuffer> all = new LinkedHashMap<>();
      bytes.forEach((part, sum) -> all.put(part, scratch.allocate(sum, part)));
      Map<Integer, Long> next = new LinkedHashMap<>();
      for (ReducePass pass : passes) {
        long end = next.merge(pass.key().part(), pass.bytes(), Long::sum);
        DeviceBuffer ofPart = Objects.requireNonNull(all.get(pass.key().part()));
        pass.reserveIn(ofPart, end - pass.bytes());
      }
    }

    /** With one copy of each part. */
    private static void takeToHost(List<ReducePass> passes, Scratch scratch) {
      IdentityHashMap<DeviceBuffer, HostBuffer> copies = new IdentityHashMap<>();
      for (ReducePass pass : passes) {
        DeviceBuffer common = pass.common();
        if (common == null) {
          pass.takeToHost(scratch);
        } else {
          pass.takeOf(copies.computeIfAbsent(common, from -> ReducePass.copied(scratch, from)));
        }
      }
    }

    private boolean isCurrent() {
      return window.passes.values().stream().allMatch(ReducePass::isCurrent);
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

  Ready<ReduceText.Places> ready(LaneVariant variant) {
    return kernels.get(variant);
  }

  ReduceShape shape() {
    return shape;
  }

  List<Aggregate> aggregates() {
    return aggregates;
  }

  int parts() {
    return parts;
  }

  Partial combine(ReduceText.Places places, List<HostBuffer> partials, int from, int to) {
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
