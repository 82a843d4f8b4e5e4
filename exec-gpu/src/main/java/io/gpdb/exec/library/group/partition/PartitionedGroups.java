package io.gpdb.exec.library.group.partition;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.LoadedKernels;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.Accumulators;
import io.gpdb.exec.library.group.accumulator.GroupSpace;
import io.gpdb.exec.library.group.accumulator.GroupText;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.key.WindowRows;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Adds rows to groups whose accumulators no cache holds, by radix partitions of their places
 * (Manegold, Boncz, Kersten, "Optimizing main-memory join on modern hardware", TKDE 2002): a
 * grouped launch in which each block puts its rows into partitions, in a region of its own, and a
 * launch in which a block has all rows of a partition and its accumulators in shared memory. Where
 * the host reads the device's memory, {@link StagedGroups} does it. Called by {@code Grouping}.
 */
public final class PartitionedGroups {
  /** With fewer places a cache holds the accumulators. */
  private static final int PLACES_MIN = 1 << 15;

  /** With fewer rows for each place, passing over the places costs more than it saves. */
  private static final int ROWS_FOR_PLACES = 1;

  /** So many partitions feed all workers. */
  private static final int PARTITIONS_MIN = 64;

  private static final long ROWS_BYTES_MAX = 64L << 20;

  /** Rows in partitions may take one part in this many of the memory left. */
  private static final int SHARE_MEMORY_MAX = 4;

  private final Kernels kernels;
  private final AccumulatorLayout layout;
  private final GroupSpace places;
  private final Accumulators totals;
  private final int shift;
  private final int partitions;
  private final int blockBytes;

  /**
   * What a plan has for it.
   *
   * @param partitioning puts rows into partitions
   * @param adding adds the rows of partitions
   */
  public record Kernels(
      AccumulatorLayout layout, LaneKernels<ByName> partitioning, LoadedKernels<Boolean> adding) {}

  private PartitionedGroups(Kernels kernels, GroupSpace places, Accumulators totals, int shift) {
    this.kernels = kernels;
    layout = kernels.layout;
    this.places = places;
    this.totals = totals;
    this.shift = shift;
    partitions = partitions(places, shift);
    int rowBytes = Integer.BYTES;
    for (int i = 0; i < layout.arguments().size(); i++) {
      rowBytes += PartitionText.element(layout, i).bytes();
    }
    blockBytes = PartitionText.BLOCK_ROWS * rowBytes + (partitions + 1) * Integer.BYTES;
  }

  private static int partitions(GroupSpace places, int shift) {
    return ((places.size() - 1) >> shift) + 1;
  }

  /**
   * Adds all tablets, whose keys have places; returns whether that was possible and worth while.
   */
  public static boolean add(
      Kernels kernels, GroupSpace places, Accumulators totals, WindowRows tablets) {
    AccumulatorLayout layout = kernels.layout;
    int shift = PartitionText.shiftMax(layout);
    boolean distinct = !layout.countsRows(); // most rows only load a first row
    if (distinct
        || places.size() < PLACES_MIN
        || shift < 0
        || partitions(places, shift) > PartitionText.PARTITIONS_MAX) {
      return false;
    }
    while (partitions(places, shift) < PARTITIONS_MIN) {
      shift--;
    }
    long bytes =
        Math.min(ROWS_BYTES_MAX, MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX);
    PartitionedGroups groups = new PartitionedGroups(kernels, places, totals, shift);
    List<WindowRows> parts = tablets.parts(bytes / groups.blockBytes, PartitionedGroups::blocks);
    long rows = parts.isEmpty() ? 0 : parts.getFirst().rowCount();
    if (rows < (long) places.size() * ROWS_FOR_PLACES || tablets.anyMatches()) {
      return false;
    }
    parts.forEach(groups::add);
    return true;
  }

  private static int blocks(int rows) {
    return (rows + PartitionText.BLOCK_ROWS - 1) / PartitionText.BLOCK_ROWS;
  }

  private void add(WindowRows tablets) {
    int blocks = 0;
    for (int i = 0; i < tablets.count(); i++) {
      blocks += blocks(tablets.size(i));
    }
    if (blocks == 0) {
      return;
    }
    try (Scratch local = new Scratch()) {
      HostBuffer sourceRows = local.pin((long) blocks * Integer.BYTES);
      List<DeviceBuffer> columns = new ArrayList<>();
      columns.add(local.ints((long) blocks * (partitions + 1)));
      columns.add(local.ints((long) blocks * PartitionText.BLOCK_ROWS));
      for (int i = 0; i < layout.arguments().size(); i++) {
        int bytes = PartitionText.element(layout, i).bytes();
        columns.add(local.allocate((long) blocks * PartitionText.BLOCK_ROWS * bytes));
      }
      partition(tablets, columns, sourceRows);
      sum(columns, sourceRows, blocks, tablets.base(0));
    }
  }

  private void partition(WindowRows tablets, List<DeviceBuffer> columns, HostBuffer sourceRows) {
    Map<LaneVariant, List<LaunchGroup>> groups = new LinkedHashMap<>();
    int block = 0;
    for (int i = 0; i < tablets.count(); i++) {
      BoundRows tablet = tablets.rows(i);
      int blocks = blocks(tablet.rows());
      for (int k = 0; k < blocks; k++) {
        long row = tablets.base(i) - tablets.base(0) + (long) k * PartitionText.BLOCK_ROWS;
        sourceRows.setInt(block + k, (int) row);
      }
      if (blocks > 0) {
        LaneVariant variant = LaneVariant.of(tablet.bindings(), tablet.live() != null);
        Ready<ByName> ready = kernels.partitioning.get(variant);
        Arguments arguments =
            LaneScan.bind(ready, tablet.bindings(), tablet.rows(), tablet.live())
                .scalar(PartitionText.PARTITIONS, partitions)
                .scalar(PartitionText.SHIFT, shift);
        bind(places.bind(arguments), columns, block, blocks);
        groups
            .computeIfAbsent(variant, _ -> new ArrayList<>())
            .add(new LaunchGroup(blocks, arguments, tablet.rows()));
      }
      block += blocks;
    }
    groups.forEach(
        (variant, parts) ->
            KernelLibrary.launch(kernels.partitioning.get(variant).kernel(), parts));
  }

  private Arguments bind(
      Arguments arguments, List<DeviceBuffer> columns, long firstBlock, long blocks) {
    arguments.buffer(
        PartitionText.STARTS, slice(columns.get(0), (partitions + 1) * 4L, firstBlock, blocks));
    long rowBytes = (long) PartitionText.BLOCK_ROWS * Integer.BYTES;
    arguments.buffer(PartitionText.ROWS, slice(columns.get(1), rowBytes, firstBlock, blocks));
    for (int i = 0; i < layout.arguments().size(); i++) {
      long bytes = (long) PartitionText.BLOCK_ROWS * PartitionText.element(layout, i).bytes();
      arguments.buffer(
          PartitionText.argument(layout, i), slice(columns.get(2 + i), bytes, firstBlock, blocks));
    }
    return arguments;
  }

  private static DeviceBuffer slice(
      DeviceBuffer column, long blockBytes, long firstBlock, long blocks) {
    return column.slice(firstBlock * blockBytes, blocks * blockBytes);
  }

  private void sum(List<DeviceBuffer> columns, HostBuffer sourceRows, int blocks, long rowBase) {
    LoadedKernel kernel = kernels.adding.get(true);
    Arguments arguments =
        new Arguments(kernel.kernel())
            .scalar(GroupText.ROW_BASE, rowBase)
            .scalar(GroupText.GROUPS, places.size())
            .scalar(PartitionText.PARTITIONS, partitions)
            .scalar(PartitionText.SHIFT, shift)
            .scalar(PartitionText.SOURCES, blocks)
            .buffer(GroupText.ACCUMULATORS, totals.words(0, places.size()))
            .buffer(PartitionText.SOURCE_ROWS, sourceRows);
    long rows = (long) blocks * PartitionText.BLOCK_ROWS;
    KernelLibrary.launch(kernel, partitions, bind(arguments, columns, 0, blocks), rows);
  }
}
