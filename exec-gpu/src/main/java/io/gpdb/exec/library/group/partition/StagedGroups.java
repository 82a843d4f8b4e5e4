package io.gpdb.exec.library.group.partition;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.Device;
import io.gpdb.exec.LaunchGroup;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.accumulator.AccumulatorLayout;
import io.gpdb.exec.library.group.accumulator.Accumulators;
import io.gpdb.exec.library.group.accumulator.GroupSpace;
import io.gpdb.exec.library.group.accumulator.GroupText;
import io.gpdb.exec.library.group.partition.RowPartitions.Block;
import io.gpdb.exec.library.key.BoundRows;
import io.gpdb.exec.library.key.WindowRows;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.MemoryAccount;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Adds rows to groups where the host reads the device's memory: a grouped launch stores each row's
 * place and arguments, and the host's threads put the rows of each block into radix partitions of
 * their places, and then add partition by partition (the algorithm of {@link PartitionedGroups}).
 * Only the launch knows anything of the query: the loops are shared by all queries of a process, so
 * HotSpot has compiled them soon, and in few operations. A partition's rows stay in their order, so
 * sums of floats come out as one loop over all rows makes them. Called by {@code Grouping}.
 */
public final class StagedGroups {
  /** With fewer rows the threads have little to share. */
  private static final int ROWS_MIN = 1 << 14;

  /** With more places for each row, passing over the places costs more than it saves. */
  private static final int PLACES_PER_ROW_MAX = 4;

  /** So many partitions feed all workers. */
  private static final int PARTITIONS_MIN = 64;

  /** Accumulators of a partition that a core's own cache holds. */
  private static final int PARTITION_BYTES = 1 << 18;

  private static final int PARTITIONS_MAX = 1024;
  private static final long ROWS_BYTES_MAX = 64L << 20;

  /** One thread makes the zeros of a longer block of memory, before the others may begin. */
  private static final long COLUMN_BYTES_MAX = 32L << 20;

  /** Staged rows may take one part in this many of the memory left. */
  private static final int SHARE_MEMORY_MAX = 4;

  /** Each tablet's rows begin at a multiple of this many. */
  private static final int ALIGNED_ROWS = 64;

  private final Plan plan;
  private final AccumulatorLayout layout;
  private final GroupSpace places;
  private final Accumulators totals;
  private final int shift;
  private final int partitions;

  /**
   * What a plan has for it.
   *
   * @param stages stores places and arguments
   */
  public record Plan(Device device, AccumulatorLayout layout, LaneKernels<ByName> stages) {}

  private StagedGroups(Plan plan, GroupSpace places, Accumulators totals) {
    this.plan = plan;
    layout = plan.layout();
    this.places = places;
    this.totals = totals;
    shift = shift(layout, places.size());
    partitions = partitions(places.size(), shift);
  }

  private static int shift(AccumulatorLayout layout, int places) {
    int fitting = (int) (PARTITION_BYTES / Accumulators.bytes(layout));
    int shift = fitting == 0 ? 0 : Integer.SIZE - 1 - Integer.numberOfLeadingZeros(fitting);
    while (shift > 0 && partitions(places, shift) < PARTITIONS_MIN) {
      shift--;
    }
    while (partitions(places, shift) > PARTITIONS_MAX) {
      shift++;
    }
    return Math.min(shift, RowPartitions.SHIFT_MAX);
  }

  private static int partitions(int places, int shift) {
    return ((places - 1) >> shift) + 1;
  }

  /** Adds all tablets, whose keys have places; returns whether that was worth while. */
  public static boolean add(Plan plan, GroupSpace places, Accumulators totals, WindowRows tablets) {
    AccumulatorLayout layout = plan.layout();
    long rows = tablets.rowCount();
    long bytes =
        Math.min(ROWS_BYTES_MAX, MemoryAccount.current().availableBytes() / SHARE_MEMORY_MAX);
    long rowsMax =
        Math.min(
                bytes / StagedRows.bytes(layout), COLUMN_BYTES_MAX / StagedRows.columnBytes(layout))
            - ALIGNED_ROWS;
    if (rows < ROWS_MIN
        || places.size() > rows * PLACES_PER_ROW_MAX
        || StageText.nullable(layout) > StageText.NULLABLE_MAX) {
      return false;
    }
    List<WindowRows> parts = tablets.parts(rowsMax, StagedGroups::aligned);
    StagedGroups groups = new StagedGroups(plan, places, totals);
    parts.forEach(groups::add);
    return !parts.isEmpty();
  }

  private static long aligned(int rows) {
    return (rows + ALIGNED_ROWS - 1L) & -ALIGNED_ROWS;
  }

  private void add(WindowRows tablets) {
    int[] offsets = new int[tablets.count() + 1];
    for (int i = 0; i < tablets.count(); i++) {
      offsets[i + 1] = offsets[i] + (int) aligned(tablets.size(i));
    }
    try (Scratch local = new Scratch()) {
      StagedRows rows = StagedRows.of(layout, offsets[tablets.count()], local);
      stage(tablets, offsets, rows);
      List<Block> blocks = divide(tablets, offsets, rows);
      Queue<PartitionTotals> idle = new ConcurrentLinkedQueue<>();
      plan.device()
          .share(
              partitions,
              p -> {
                PartitionTotals polled = idle.poll();
                PartitionTotals sums =
                    polled == null ? new PartitionTotals(layout, rows, shift) : polled;
                sums.add(p, blocks, totals, places.size());
                idle.add(sums);
              });
    }
  }

  private void stage(WindowRows tablets, int[] offsets, StagedRows rows) {
    Map<LaneVariant, List<LaunchGroup>> groups = new LinkedHashMap<>();
    for (int i = 0; i < tablets.count(); i++) {
      BoundRows tablet = tablets.rows(i);
      if (tablet.rows() > 0) {
        LaneVariant variant = LaneVariant.of(tablet.bindings(), tablet.live() != null);
        Ready<ByName> ready = plan.stages().get(variant);
        Arguments arguments =
            LaneScan.bind(ready, tablet.bindings(), tablet.rows(), tablet.live())
                .scalar(StageText.NO_PLACE, partitions << shift);
        bind(places.bind(arguments), rows, offsets[i], tablet.rows());
        int blocks = LaneKernels.blocks(tablet.rows(), GroupText.BLOCK_LANES);
        groups
            .computeIfAbsent(variant, _ -> new ArrayList<>())
            .add(new LaunchGroup(blocks, arguments, tablet.rows()));
      }
    }
    groups.forEach(
        (variant, parts) -> KernelLibrary.launch(plan.stages().get(variant).kernel(), parts));
  }

  private void bind(Arguments arguments, StagedRows rows, int offset, int count) {
    arguments.buffer(StageText.PLACES, slice(rows.places(), offset, count, false));
    StagedRows.Column nulls = rows.nulls();
    if (nulls != null) {
      arguments.buffer(StageText.NULLS, slice(nulls.values(), offset, count, false));
    }
    for (int i = 0; i < rows.arguments().size(); i++) {
      StagedRows.Column column = rows.arguments().get(i);
      arguments.buffer(
          PartitionText.argument(layout, i),
          slice(column.values(), offset, count, column.isWide()));
    }
  }

  private static DeviceBuffer slice(HostBuffer values, int offset, int count, boolean isWide) {
    long width = isWide ? Long.BYTES : Integer.BYTES;
    return values.slice(offset * width, count * width);
  }

  private List<Block> divide(WindowRows tablets, int[] offsets, StagedRows rows) {
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < tablets.count(); i++) {
      for (int row = 0; row < tablets.size(i); row += RowPartitions.BLOCK_ROWS) {
        int count = Math.min(RowPartitions.BLOCK_ROWS, tablets.size(i) - row);
        blocks.add(new Block(offsets[i] + row, count, tablets.base(i) + row));
      }
    }
    Queue<RowPartitions> idle = new ConcurrentLinkedQueue<>();
    plan.device()
        .share(
            blocks.size(),
            i -> {
              StopSignal.poll();
              RowPartitions polled = idle.poll();
              RowPartitions dividing =
                  polled == null ? new RowPartitions(partitions, shift) : polled;
              dividing.divide(rows, blocks.get(i));
              idle.add(dividing);
            });
    return blocks;
  }
}
