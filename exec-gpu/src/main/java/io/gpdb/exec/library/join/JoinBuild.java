package io.gpdb.exec.library.join;

import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.GroupTable;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.move.GridPrefixSum;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The build side of a {@link GridHashJoin}. Probing is thread-safe; close it when all probes are
 * done.
 *
 * <pre>
 *   starts   i64 per key number, and one more: the key's rows are order[starts[k]..starts[k+1])
 *   order    i32 build rows
 * </pre>
 */
public final class JoinBuild implements AutoCloseable {
  private final GridHashJoin plan;
  private final GroupTable table;
  private final Scratch scratch = new Scratch();
  private DeviceBuffer starts = HostBuffer.NONE;
  private DeviceBuffer order = HostBuffer.NONE;

  JoinBuild(GridHashJoin plan) {
    this.plan = plan;
    table = new GroupTable(plan.tableKernels, plan.buildWords.count());
  }

  void fill(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {
    table.prepare();
    order = scratch.ints(Math.max(1, rows));
    if (rows > 0) {
      try (Scratch local = new Scratch()) {
        DeviceBuffer slotOf = local.ints(rows);
        DeviceBuffer staged = local.longs((long) rows * plan.buildWords.count());
        plan.staging.run(bindings, rows, live, staged, slotOf);
        table.assign(staged, slotOf, rows);
        DeviceBuffer groupOf = local.ints(rows);
        table.resolve(slotOf, rows, groupOf);
        index(local, groupOf, rows);
      }
    }
    if (table.groups() == 0) {
      starts = scratch.longs(1);
      starts.fill((byte) 0);
    }
  }

  private void index(Scratch local, DeviceBuffer groupOf, int rows) {
    int keys = table.groups();
    DeviceBuffer counts = local.ints(keys + 1L);
    counts.fill((byte) 0);
    plan.joinKernels.count(groupOf, rows, counts);
    starts = scratch.longs(keys + 1L);
    plan.prefix.exclusive(counts, keys + 1, starts);
    if (starts.slice((long) keys << 3, Long.BYTES).onHost().longAt(0) == keys) {
      plan.joinKernels.place(groupOf, rows, order);
    } else {
      plan.groupOrder.sortByGroup(groupOf, rows, local.longs(rows), order);
    }
  }

  /**
   * Joins a batch of the probe side; LIMIT_EXCEEDED when the pairs are more than one launch takes:
   * probe fewer rows at a time.
   */
  public JoinPairs probe(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, BufferAllocator results) {
    return plan.probe.run(bindings, rows, live, this, results);
  }

  GroupTable table() {
    return table;
  }

  DeviceBuffer starts() {
    return starts;
  }

  DeviceBuffer order() {
    return order;
  }

  GridPrefixSum prefix() {
    return plan.prefix;
  }

  @Override
  public void close() {
    table.close();
    scratch.close();
  }
}
