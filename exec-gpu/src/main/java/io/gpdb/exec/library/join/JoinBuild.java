package io.gpdb.exec.library.join;

import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.group.GroupTable;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.move.GridPrefixSum;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
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
  private MemorySegment starts = MemorySegment.NULL;
  private MemorySegment order = MemorySegment.NULL;

  JoinBuild(GridHashJoin plan) {
    this.plan = plan;
    table = new GroupTable(plan.tableKernels, plan.buildWords.count());
  }

  void fill(LaneBindings bindings, int rows, @Nullable MemorySegment live) {
    table.prepare();
    order = scratch.ints(Math.max(1, rows));
    if (rows > 0) {
      try (Scratch local = new Scratch()) {
        MemorySegment slotOf = local.ints(rows);
        MemorySegment staged = local.longs((long) rows * plan.buildWords.count());
        plan.staging.run(bindings, rows, live, staged, slotOf);
        table.assign(staged, slotOf, rows);
        MemorySegment groupOf = local.ints(rows);
        table.resolve(slotOf, rows, groupOf);
        index(local, groupOf, rows);
      }
    }
    if (table.groups() == 0) {
      starts = scratch.longs(1);
      starts.set(ValueLayout.JAVA_LONG, 0, 0L);
    }
  }

  private void index(Scratch local, MemorySegment groupOf, int rows) {
    int keys = table.groups();
    MemorySegment counts = local.ints(keys + 1L);
    counts.fill((byte) 0);
    plan.joinKernels.count(groupOf, rows, counts);
    starts = scratch.longs(keys + 1L);
    plan.prefix.exclusive(counts, keys + 1, starts);
    if (starts.getAtIndex(ValueLayout.JAVA_LONG, keys) == keys) {
      plan.joinKernels.place(groupOf, rows, order);
    } else {
      plan.groupOrder.sortByGroup(groupOf, rows, local.longs(rows), order);
    }
  }

  /** Distinct keys. */
  public int keyCount() {
    return table.groups();
  }

  /**
   * Joins a batch of the probe side; LIMIT_EXCEEDED when the pairs are more than one launch takes:
   * probe fewer rows at a time.
   */
  public JoinPairs probe(
      LaneBindings bindings, int rows, @Nullable MemorySegment live, SegmentAllocator results) {
    return plan.probe.run(bindings, rows, live, this, results);
  }

  GroupTable table() {
    return table;
  }

  MemorySegment starts() {
    return starts;
  }

  MemorySegment order() {
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
