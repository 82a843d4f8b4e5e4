package io.gpdb.exec.library.group;

import io.gpdb.exec.Arguments;
import io.gpdb.exec.LoadedKernel;
import io.gpdb.exec.library.base.KernelLibrary;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneKernels;
import io.gpdb.exec.library.lane.LaneKernels.ByName;
import io.gpdb.exec.library.lane.LaneKernels.Ready;
import io.gpdb.exec.library.lane.LaneScan;
import io.gpdb.exec.library.lane.LaneVariant;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One execution of a {@link GridGroupBy}: groups and accumulators so far. One thread at a time. */
public final class Grouping implements AutoCloseable {
  /** Rows of a block that accumulates in shared memory. */
  private static final int SHARED_BLOCK_ROWS = 8192;

  private final GridGroupBy plan;
  private final int[] limits;
  private final boolean hashed;
  private final GroupTable table;
  private final Scratch scratch = new Scratch();
  private final List<DeviceBuffer> totals = new ArrayList<>();
  private DeviceBuffer accumulators = HostBuffer.NONE;
  private int capacity;
  private long rowsSoFar;

  Grouping(GridGroupBy plan, int[] limits) {
    this.plan = plan;
    this.limits = limits;
    table = new GroupTable(plan.tableKernels, plan.keyWords.count());
    for (int i = 0; i < plan.layout.floatSums(); i++) {
      totals.add(HostBuffer.NONE);
    }
    int dense = denseGroups(limits);
    hashed = dense == 0;
    reserve(dense);
  }

  /** Combinations of the keys, NULL included; 0 when unknown or too many. */
  private static int denseGroups(int[] limits) {
    long product = 1;
    for (int limit : limits) {
      product *= limit + 1L;
      if (limit <= GridGroupBy.UNKNOWN || product > GridGroupBy.DENSE_GROUPS_MAX) {
        return 0;
      }
    }
    return (int) product;
  }

  /** Adds the rows of a tablet (live bitmap: null when all are); tablets in their order. */
  public void add(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    if (rows == 0) {
      return;
    }
    try (Scratch local = new Scratch()) {
      DeviceBuffer slotOf = HostBuffer.NONE;
      if (hashed) {
        slotOf = local.ints(rows);
        DeviceBuffer staged = local.longs((long) rows * plan.keyWords.count());
        plan.staging.run(bindings, rows, live, staged, slotOf);
        table.assign(staged, slotOf, rows);
        reserve(table.groups());
      }
      accumulate(local, bindings, rows, live, slotOf);
    }
    rowsSoFar += rows;
  }

  private void accumulate(
      Scratch local,
      LaneBindings bindings,
      int rows,
      @Nullable DeviceBuffer live,
      DeviceBuffer slotOf) {
    int groups = hashed ? table.groups() : capacity;
    if (groups == 0) {
      return;
    }
    int shared = plan.sharedClass(groups);
    LaneVariant variant = LaneVariant.of(bindings, live != null);
    Ready<ByName> ready = plan.kernels(new GridGroupBy.Shape(hashed, shared)).get(variant);
    Arguments arguments =
        LaneScan.bind(ready, bindings, rows, live)
            .scalar(GroupText.ROW_BASE, rowsSoFar)
            .scalar(GroupText.GROUPS, groups)
            .scalar(GroupText.BLOCK_ROWS, SHARED_BLOCK_ROWS)
            .buffer(GroupText.ACCUMULATORS, accumulators);
    if (hashed) {
      arguments
          .buffer(GroupTableKernels.SLOT_OF, slotOf)
          .buffer(GroupTableKernels.SLOTS, table.slots());
    } else {
      for (int k = 0; k < limits.length; k++) {
        arguments.scalar(GroupIndex.Dense.limit(k), limits[k]);
      }
    }
    List<DeviceBuffer> values = new ArrayList<>();
    DeviceBuffer groupOf = HostBuffer.NONE;
    int floatSums = plan.layout.floatSums();
    if (floatSums > 0) {
      groupOf = local.ints(rows);
      arguments.buffer(GroupText.GROUP_OF, groupOf);
      for (int i = 0; i < floatSums; i++) {
        values.add(local.longs(rows));
        arguments.buffer(GroupText.floatValue(i), values.getLast());
      }
    }
    int blockRows = shared > 0 ? SHARED_BLOCK_ROWS : GroupText.BLOCK_LANES;
    KernelLibrary.launch(ready.kernel(), LaneKernels.blocks(rows, blockRows), arguments);
    if (!values.isEmpty()) {
      plan.floatSums.add(groupOf, rows, values, totals);
    }
  }

  /** Makes room for that number of groups; new accumulators hold their identities. */
  private void reserve(int groups) {
    if (groups <= capacity) {
      return;
    }
    int larger = hashed ? Math.max(1024, Integer.highestOneBit(groups) << 1) : groups;
    int words = plan.layout.words().size();
    DeviceBuffer old = accumulators;
    accumulators = scratch.allocate((long) larger * words * Long.BYTES);
    accumulators.copyFrom(old, 0, 0, (long) capacity * words * Long.BYTES);
    LoadedKernel init = plan.init();
    Arguments arguments =
        new Arguments(init.kernel())
            .scalar(GroupText.N, larger - capacity)
            .scalar(GroupText.FROM, capacity)
            .buffer(GroupText.ACCUMULATORS, accumulators);
    int blocks = LaneKernels.blocks(larger - capacity, GroupText.BLOCK_LANES);
    KernelLibrary.launch(init, blocks, arguments);
    for (int i = 0; i < totals.size(); i++) {
      DeviceBuffer more = scratch.longs(larger);
      more.copyFrom(totals.get(i), 0, 0, (long) capacity << 3);
      more.slice((long) capacity << 3).fill((byte) 0);
      totals.set(i, more);
    }
    capacity = larger;
  }

  /**
   * The groups of all rows added; NUMERIC_OUT_OF_RANGE when an integer sum does not fit i64. May be
   * called once.
   */
  public Groups finish(BufferAllocator results) {
    try (Scratch local = new Scratch()) {
      int groups = hashed ? table.groups() : capacity;
      return new GroupResults(plan, limits, hashed ? table : null, accumulators, totals, groups)
          .collect(local, results);
    }
  }

  @Override
  public void close() {
    table.close();
    scratch.close();
  }
}
