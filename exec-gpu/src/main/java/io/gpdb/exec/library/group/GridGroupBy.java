package io.gpdb.exec.library.group;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.Accumulators;
import io.gpdb.exec.library.group.accumulator.GroupColumnKernels;
import io.gpdb.exec.library.group.accumulator.GroupFloatSums;
import io.gpdb.exec.library.group.accumulator.GroupSpace;
import io.gpdb.exec.library.group.accumulator.GroupText;
import io.gpdb.exec.library.group.accumulator.GroupText.Room;
import io.gpdb.exec.library.group.partition.PartitionText;
import io.gpdb.exec.library.group.partition.PartitionedGroups;
import io.gpdb.exec.library.group.partition.StageText;
import io.gpdb.exec.library.group.partition.StagedGroups;
import io.gpdb.exec.library.key.GroupTable;
import io.gpdb.exec.library.key.GroupTableKernels;
import io.gpdb.exec.library.key.KeyParts;
import io.gpdb.exec.library.key.KeyStaging;
import io.gpdb.exec.library.key.KeyWords;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.exec.library.move.GridRadixSort;
import io.gpdb.exec.library.move.RankedBits;
import io.gpdb.exec.library.reduce.Aggregate;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Scan, filter, groups and several aggregates. Called by the planner with windows of tablets; each
 * execution is a {@link Grouping}. Thread-safe.
 *
 * <p>Where all keys are whole numbers, one launch finds their bounds ({@link KeyBounds}); where the
 * combinations within them are not many more than rows, a row's group follows from its keys ({@link
 * GroupSpace}), and another launch adds all rows to accumulators. Otherwise a {@link GroupTable}
 * numbers the groups. Few groups are accumulated in shared memory, see {@link GroupText}. Rows that
 * several launches would have to find again are gathered first ({@link GatheredRows}).
 *
 * <p>Groups come out in the order of their first rows. <b>Order of float sums</b>: one by one in
 * row order, see {@link StagedGroups} and {@link GroupFloatSums}.
 */
public final class GridGroupBy {
  /** In {@link #start}: nothing is known about a key's values. */
  public static final int UNKNOWN = 0;

  /** Combinations of codes that are not counted first. */
  public static final int DENSE_GROUPS_MAX = 1 << 16;

  final String name;
  final LaneInputs inputs;
  final @Nullable LaneProgram filter;
  final List<LaneProgram> keys;
  final KeyWords keyWords;
  final @Nullable KeyBounds bounds;
  final AccumulatorLayout layout;
  final KeyStaging staging;
  final GroupTableKernels tableKernels;
  final GroupFloatSums floatSums;
  final GridRadixSort sort;
  final RankedBits bits;
  final GroupColumnKernels columnKernels;
  final LoadedKernels<Boolean> folds;
  final PartitionedGroups.Kernels partitioned;
  final StagedGroups.Plan staged;
  final boolean addsOnHost;
  final Device device;
  private final List<Aggregate> aggregates;
  private volatile @Nullable Gathered gathered;
  private final ConcurrentHashMap<Shape, LaneKernels<ByName>> kernels = new ConcurrentHashMap<>();
  private final LoadedKernels<Boolean> init;

  /** Which accumulating kernel: where groups come from, and where they are accumulated. */
  record Shape(boolean hashed, Room room) {}

  /**
   * @param filter null lets every live row through
   * @param keys at least one
   */
  public GridGroupBy(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys,
      List<Aggregate> aggregates) {
    this(device, name, inputs, filter, keys, aggregates, device.memory().isHosts());
  }

  /**
   * @param addsOnHost whether threads of the host may add rows, because they can read their memory
   */
  GridGroupBy(
      Device device,
      String name,
      LaneInputs inputs,
      @Nullable LaneProgram filter,
      List<LaneProgram> keys,
      List<Aggregate> aggregates,
      boolean addsOnHost) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(name + ": no keys; GridReduce aggregates without groups");
    }
    this.device = device;
    this.addsOnHost = addsOnHost;
    this.name = KernelLibrary.identifier(name);
    this.inputs = inputs;
    this.filter = filter;
    this.keys = List.copyOf(keys);
    keyWords = new KeyWords(inputs, keys, true);
    bounds = keyWords.areWhole() ? new KeyBounds(device, inputs, filter, keys) : null;
    this.aggregates = List.copyOf(aggregates);
    layout = new AccumulatorLayout(inputs, aggregates);
    staging = new KeyStaging(device, this.name + "_keys", inputs, filter, keyWords, true);
    tableKernels = new GroupTableKernels(device);
    floatSums = new GroupFloatSums(device);
    sort = new GridRadixSort(device);
    bits = new RankedBits(device);
    columnKernels = new GroupColumnKernels(device);
    folds = new LoadedKernels<>(device, FewGroups.FOLD_TEXTS);
    partitioned =
        new PartitionedGroups.Kernels(
            layout,
            new LaneKernels<>(
                device,
                variant ->
                    PartitionText.partitioning(
                        this.name + "_partition", inputs, variant, filter, this.keys, layout)),
            new LoadedKernels<>(device, _ -> PartitionText.adding(layout)));
    staged =
        new StagedGroups.Plan(
            device,
            layout,
            new LaneKernels<>(
                device,
                variant ->
                    StageText.write(
                        this.name + "_stage", inputs, variant, filter, this.keys, layout)));
    init = new LoadedKernels<>(device, _ -> GroupText.initKernel(layout));
  }

  /**
   * Begins one execution.
   *
   * @param keyLimits one per key: its values are NULL or in [0, limit) for all rows to come (codes
   *     of a dictionary of that size), or {@link #UNKNOWN}; where combinations are few a value
   *     outside raises INTERNAL
   */
  public Grouping start(int... keyLimits) {
    if (keyLimits.length != keys.size()) {
      throw new IllegalArgumentException(
          name + ": keyLimits=" + keyLimits.length + ", keys=" + keys.size());
    }
    return new Grouping(this, keyLimits.clone());
  }

  /**
   * Divides rows so that those of a group are in one part.
   *
   * @param count of parts
   * @param level of rows that are divided again: each divides by another hash
   * @return by row, its part; -1 where the filter does not let it through
   */
  public int[] parts(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, int count, int level) {
    return new KeyParts(staging, keyWords.count()).of(bindings, rows, live, count, level);
  }

  /** The text for rows that are all live and without NULLs, for EXPLAIN KERNEL. */
  public Kernel kernel() {
    return kernel(new Shape(bounds == null, roomInBlocks(bounds == null)), LaneVariant.plain());
  }

  Kernel kernel(Shape shape, LaneVariant variant) {
    return kernels(shape).text(variant);
  }

  LaneKernels<ByName> kernels(Shape shape) {
    return kernels.computeIfAbsent(
        shape, s -> new LaneKernels<>(device, variant -> text(s, variant).write()));
  }

  private GroupText text(Shape shape, LaneVariant variant) {
    boolean copied = hasCopies() && shape.room() == Room.APART;
    return new GroupText(
        name, inputs, variant, filter, keys, layout, shape.hashed(), shape.room(), copied);
  }

  /**
   * The same groups of rows that are gathered first.
   *
   * @param groups groups them; its accumulators are those of this
   */
  record Gathered(GatheredRows rows, GridGroupBy groups) {}

  Gathered gathered() {
    Gathered known = gathered;
    if (known == null) {
      List<LaneProgram> programs = new ArrayList<>(keys);
      programs.addAll(layout.arguments());
      GatheredRows rows = new GatheredRows(device, name + "_gather", inputs, filter, programs);
      List<Aggregate> over = new ArrayList<>();
      for (Aggregate aggregate : aggregates) {
        LaneProgram argument = aggregate.argument();
        over.add(
            argument == null
                ? aggregate
                : new Aggregate(aggregate.function(), rows.gathered(argument)));
      }
      List<LaneProgram> keysOver = keys.stream().map(rows::gathered).toList();
      known =
          new Gathered(
              rows,
              new GridGroupBy(
                  device, name + "_gathered", rows.inputs(), null, keysOver, over, addsOnHost));
      gathered = known;
    }
    return known;
  }

  Accumulators accumulators() {
    return new Accumulators(device, layout, init.get(true), addsOnHost);
  }

  /** Where the accumulators of that number of groups are. */
  Room room(boolean hashed, int groups) {
    return groups < layout.blockPlaces() ? roomInBlocks(hashed) : Room.GLOBAL;
  }

  /** Whether blocks of few groups have {@link BlockAccumulators} of which there are copies. */
  boolean hasCopies() {
    return !addsOnHost;
  }

  private Room roomInBlocks(boolean hashed) {
    return hashed || layout.floatSums() > 0 ? Room.SHARED : Room.APART;
  }
}
